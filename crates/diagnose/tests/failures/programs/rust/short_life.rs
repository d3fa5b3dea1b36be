// expect: E0597 | 6 | ownership
fn main() {
    let kept;
    {
        let a = 1;
        kept = &a;
    }
    println!("{kept}");
}
