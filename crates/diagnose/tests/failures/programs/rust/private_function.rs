// expect: E0603 | 4 | attribute
mod shop { fn open() {} }
fn main() {
    shop::open();
}
