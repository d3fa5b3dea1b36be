// expect: panic | 3 | arithmetic
fn divide(a: i32, b: i32) -> i32 {
    a / b
}
fn main() { println!("{}", divide(1, std::env::args().count() as i32 - 1)); }
