// expect: E0061 | 4 | type
fn add(a: i32, b: i32) -> i32 { a + b }
fn main() {
    add(1);
}
