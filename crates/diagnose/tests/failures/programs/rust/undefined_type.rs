// expect: E0425 | 2 | name
fn f(x: Strng) {}
fn main() {}
