//! The program `formicary-warden`: the first process beside the user's. What is said with it: see the library.

mod attend;
mod files;
mod finish;
mod input;
mod meter;
mod orders;
mod oversee;
mod pipes;
mod processes;
mod serve;
mod starter;
mod sys;

fn main() -> std::process::ExitCode {
    serve::run()
}
