// expect: E0425 | 4 | name
fn main() {
    let count = 1;
    println!("{}", count + cuont);
}
