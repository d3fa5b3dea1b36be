// expect: error | 3 | syntax
fn main() {
    let a = 1
    println!("{a}");
}
