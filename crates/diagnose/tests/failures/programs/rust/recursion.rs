// expect: stack overflow | - | recursion
#[allow(unconditional_recursion)]
fn down(n: u64) -> u64 {
    down(std::hint::black_box(n + 1)) + 1
}
fn main() { println!("{}", down(1)); }
