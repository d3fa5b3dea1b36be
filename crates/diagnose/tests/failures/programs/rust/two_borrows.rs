// expect: E0499 | 5 | ownership
fn main() {
    let mut a = String::new();
    let b = &mut a;
    let c = &mut a;
    b.push('x');
    c.push('y');
}
