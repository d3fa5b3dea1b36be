// expect: panic | 3 | io
fn main() {
    std::fs::read_to_string("nothing.txt").expect("settings");
}
