// expect: E0046 | 4 | type
trait Shape { fn area(&self) -> u32; }
struct Dot;
impl Shape for Dot {}
fn main() {}
