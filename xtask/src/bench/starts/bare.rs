//! The program alone: what everybody pays.

use super::{Options, Peer, Workload, time_process};
use std::process::Command;
use std::time::Duration;

/// Its name in the table.
pub const NAME: &str = "bare exec";

/// Always takes part.
pub fn make(_: &Options) -> Result<Box<dyn Peer>, String> {
    Ok(Box::new(Bare))
}

struct Bare;

impl Peer for Bare {
    fn name(&self) -> &'static str {
        NAME
    }

    fn note(&self) -> &'static str {
        "no confinement; empty environment"
    }

    fn run(&mut self, workload: &Workload) -> Result<Duration, String> {
        time_process(Command::new(workload.command[0]).args(&workload.command[1..]).env_clear())
    }
}
