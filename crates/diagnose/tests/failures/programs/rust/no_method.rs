// expect: E0599 | 4 | attribute
fn main() {
    let list = vec![1];
    list.push_all(2);
}
