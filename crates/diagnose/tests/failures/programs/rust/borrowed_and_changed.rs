// expect: E0502 | 5 | ownership
fn main() {
    let mut list = vec![1, 2];
    for item in &list {
        list.push(*item);
    }
}
