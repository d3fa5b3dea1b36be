// expect: panic | 3 | assertion
fn main() {
    assert_eq!(1 + 1, 3, "sums");
}
