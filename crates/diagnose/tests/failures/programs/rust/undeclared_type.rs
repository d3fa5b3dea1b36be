// expect: E0433 | 3 | name
fn main() {
    let m: u32 = HashMap::new();
}
