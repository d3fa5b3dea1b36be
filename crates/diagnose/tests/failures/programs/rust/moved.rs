// expect: E0382 | 5 | ownership
fn main() {
    let a = String::from("x");
    let b = a;
    println!("{a} {b}");
}
