//! `formicary completions SHELL`.

use crate::arguments::CommandLine;
use crate::failure::Stop;
use clap::CommandFactory as _;
use std::io::Write as _;

/// Prints the completion script.
pub fn run(shell: clap_complete::Shell) -> Result<u8, Stop> {
    // Made in memory first: the generator panics where its writer fails, and a closed pipe is no reason to.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut CommandLine::command(), "formicary", &mut script);
    let mut out = std::io::stdout().lock();
    out.write_all(&script)?;
    out.flush()?;
    Ok(0)
}
