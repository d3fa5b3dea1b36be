// expect: E0004 | 5 | compile
enum Colour { Red, Green }
fn main() {
    let c = Colour::Red;
    match c {
        Colour::Red => {}
    }
    let _ = Colour::Green;
}
