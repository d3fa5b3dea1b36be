//! A controller that runs hostile programs until somebody kills it. The conformance suite does.

use formicary_conformance::providers;
use formicary_sandbox::{Cancel, Job, Progress, RunIo, Stdin};
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let name = std::env::args().nth(1).unwrap_or_default();
    match run_until_killed(&name) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

fn run_until_killed(name: &str) -> Result<(), Box<dyn std::error::Error>> {
    let provider = providers::anew(name).ok_or(format!("no provider named {name:?}"))?.provider;
    let mut job = Job::new(["/bin/bash", "-c", include_str!("../../programs/bash/outlive.sh")]);
    job.env.push(("PATH".into(), "/usr/bin:/bin".into()));
    job.limits.wall_seconds = 10.0;
    job.assurance = formicary_model::Assurance::BestEffort;
    loop {
        let mut unheard = None;
        let mut watch = |progress: Progress<'_>| {
            if matches!(progress, Progress::Started) {
                let mut out = std::io::stdout();
                unheard = out.write_all(b"STARTED\n").and_then(|()| out.flush()).err();
            }
        };
        provider.run(
            &job,
            RunIo { stdin: Stdin::Bytes(Vec::new()), watch: &mut watch, cancel: Cancel::default() },
        )?;
        if let Some(error) = unheard {
            return Err(error.into());
        }
    }
}
