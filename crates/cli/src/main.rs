//! The binary `formicary`: reads the command line, calls the platform, shows what came of it.

mod app;
mod arguments;
mod commands;
mod door;
mod failure;
mod left_out;
mod live;
mod neighbours;
mod render;
mod signals;
mod source;
mod terminal;

fn main() -> std::process::ExitCode {
    app::main()
}
