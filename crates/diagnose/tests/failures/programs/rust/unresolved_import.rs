// expect: E0432 | 2 | import
use std::collections::HashMapp;
fn main() {}
