// expect: E0609 | 5 | attribute
struct Point { x: i32 }
fn main() {
    let p = Point { x: 1 };
    println!("{} {}", p.x, p.y);
}
