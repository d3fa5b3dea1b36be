// expect: E0616 | 4 | attribute
mod shop { pub struct Item { price: u32 } impl Item { pub fn new() -> Self { Item { price: 1 } } } }
fn main() {
    println!("{}", shop::Item::new().price);
}
