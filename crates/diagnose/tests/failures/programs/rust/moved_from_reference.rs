// expect: E0507 | 4 | ownership
struct Box1 { name: String }
fn take(b: &Box1) -> String {
    b.name
}
fn main() { take(&Box1 { name: String::new() }); }
