// expect: E0106 | 2 | ownership
fn text() -> &str {
    "x"
}
fn main() { text(); }
