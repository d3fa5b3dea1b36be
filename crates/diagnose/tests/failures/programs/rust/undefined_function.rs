// expect: E0425 | 3 | name
fn main() {
    compute(3);
}
