// expect: E0373 | 4 | ownership
fn main() {
    let name = String::from("x");
    std::thread::spawn(|| println!("{name}"));
}
