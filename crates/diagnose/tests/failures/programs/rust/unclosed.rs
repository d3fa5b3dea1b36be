// expect: error | 5 | syntax
fn main() {
    if true {
        println!("x");
}
