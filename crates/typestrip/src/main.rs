//! The program `formicary-typestrip`: see the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    formicary_typestrip::command::run(std::env::args().skip(1).collect())
}
