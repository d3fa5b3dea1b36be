// expect: panic | 3 | value
fn main() {
    let n: i32 = "12a".parse().unwrap();
    println!("{n}");
}
