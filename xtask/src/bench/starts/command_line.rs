//! Formicary as a person uses it: the command line's own start, configuration and toolchain search included.

use super::{Options, Peer, Workload, time_process};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// Its name in the table.
pub const NAME: &str = "formicary CLI, cold";

/// Takes part when its binary runs.
pub fn make(options: &Options) -> Result<Box<dyn Peer>, String> {
    let binary = options.binary.clone().ok_or("no release binary")?;
    let mut peer = CommandLine { binary };
    peer.run(&super::WORKLOADS[0])?;
    Ok(Box::new(peer))
}

struct CommandLine {
    binary: PathBuf,
}

impl Peer for CommandLine {
    fn name(&self) -> &'static str {
        NAME
    }

    fn note(&self) -> &'static str {
        "one process per run: arguments, configuration, toolchain search, sandbox, result"
    }

    fn run(&mut self, workload: &Workload) -> Result<Duration, String> {
        let mut command = Command::new(&self.binary);
        // The system's interpreter, as for the others, whatever the developer's PATH holds.
        command.env("PATH", "/usr/bin:/bin").args(["run", "--quiet"]);
        match workload.code {
            Some((language, code)) => command.args(["--language", language, "--code", code]),
            None => command.arg("--command").args(workload.command),
        };
        time_process(&mut command)
    }
}
