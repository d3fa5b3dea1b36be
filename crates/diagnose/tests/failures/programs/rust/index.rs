// expect: panic | 5 | index
fn main() {
    let list = vec![1, 2, 3];
    let at = std::env::args().count() + 5;
    println!("{}", list[at]);
}
