// expect: panic | 4 | raised
fn check(age: i32) {
    if age < 0 {
        panic!("negative age");
    }
}
fn main() { check(-1); }
