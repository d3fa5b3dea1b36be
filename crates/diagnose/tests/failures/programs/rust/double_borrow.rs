// expect: panic | 6 | ownership
use std::cell::RefCell;
fn main() {
    let cell = RefCell::new(1);
    let first = cell.borrow_mut();
    let second = cell.borrow_mut();
    println!("{first} {second}");
}
