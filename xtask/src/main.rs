//! House chores: `cargo xtask tidy`, `cargo xtask generate`, `cargo xtask bench`, `cargo xtask dist`.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "chores talk to the developer, start cargo and read its environment"
)]
mod bench;
mod cargo;
mod command;
mod dist;
mod generate;
mod tidy;
mod tree;

fn main() -> std::process::ExitCode {
    command::main()
}
