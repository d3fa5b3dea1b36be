// expect: E0277 | 3 | type
fn main() {
    let n: i32 = "3".parse()?;
}
