// expect: E0515 | 4 | ownership
fn text<'a>() -> &'a str {
    let owned = String::from("x");
    &owned
}
fn main() { text(); }
