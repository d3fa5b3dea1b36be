// expect: E0596 | 4 | ownership
fn main() {
    let list = Vec::new();
    list.push(1);
}
