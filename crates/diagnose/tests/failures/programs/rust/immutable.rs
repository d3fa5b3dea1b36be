// expect: E0384 | 5 | ownership
fn main() {
    let a = 1;
    println!("{a}");
    a = 2;
}
