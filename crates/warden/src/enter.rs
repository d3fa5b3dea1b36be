//! Entering control groups before becoming another program: what that program starts is then born in them.

use std::os::unix::process::CommandExt;
use std::process::ExitCode;

/// The word that makes a copy of the warden an entrant.
pub const WORD: &str = "enter";

/// `[cpus=0,1] FOLDER… -- PROGRAM ARGUMENT…`. Returns only when it fails.
#[expect(clippy::disallowed_types, reason = "the warden starts what it is asked to start")]
pub fn enter(words: impl Iterator<Item = String>) -> ExitCode {
    let words: Vec<String> = words.collect();
    let Some(cut) = words.iter().position(|word| word == "--") else { return ExitCode::from(125) };
    for folder in &words[..cut] {
        if let Some(numbers) = folder.strip_prefix("cpus=") {
            stay_on(numbers);
            continue;
        }
        if std::fs::write(format!("{folder}/cgroup.procs"), "0").is_err() {
            return ExitCode::from(126);
        }
    }
    let Some(program) = words.get(cut + 1) else { return ExitCode::from(125) };
    let _ = std::process::Command::new(program).args(&words[cut + 2..]).exec();
    ExitCode::from(127)
}

/// Keeps to these processors. Where that is refused, the host has its reasons.
fn stay_on(numbers: &str) {
    let mut set = rustix::thread::CpuSet::new();
    numbers.split(',').filter_map(|number| number.parse().ok()).for_each(|number| set.set(number));
    let _ = rustix::thread::sched_setaffinity(None, &set);
}
