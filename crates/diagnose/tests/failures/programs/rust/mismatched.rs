// expect: E0308 | 3 | type
fn main() {
    let count: i32 = "three";
}
