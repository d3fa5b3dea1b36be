// expect: panic | 4 | null
fn main() {
    let list: Vec<i32> = Vec::new();
    println!("{}", list.first().unwrap());
}
