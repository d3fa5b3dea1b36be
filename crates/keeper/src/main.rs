//! The program `formicary-keeper`: see the library.

mod files;
mod interpreter;
mod serve;

use std::process::ExitCode;

fn main() -> ExitCode {
    serve::run()
}
