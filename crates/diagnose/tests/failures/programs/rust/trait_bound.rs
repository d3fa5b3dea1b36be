// expect: E0277 | 3 | type
fn main() {
    println!("{}", 1 + 2.5);
}
