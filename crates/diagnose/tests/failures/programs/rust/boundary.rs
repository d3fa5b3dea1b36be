// expect: panic | 4 | index
fn main() {
    let text = String::from("é");
    println!("{}", &text[..std::env::args().count()]);
}
