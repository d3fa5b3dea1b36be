//! The program `formicary-keeper`: see the library.

fn main() {}
