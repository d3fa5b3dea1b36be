//! Standing over another program on the host: control groups are entered first, so that all it starts is born in them,
//! and all that it leaves behind is ended and reaped here.

use crate::message::Reach;
use crate::processes;
use std::os::unix::process::CommandExt;
use std::process::ExitCode;
use std::time::Duration;

/// The word that makes a copy of the warden an overseer.
pub const OVERSEE: &str = "oversee";
/// The word that makes a copy of the warden bind its life to its parent's and become the program.
pub const BECOME: &str = "become";

const PATIENCE: Duration = Duration::from_secs(3);

/// `[cpus=0,1] FOLDER… -- PROGRAM ARGUMENT…`.
#[expect(clippy::disallowed_types, reason = "the warden starts what it is asked to start")]
pub fn oversee(words: impl Iterator<Item = String>) -> ExitCode {
    let words: Vec<String> = words.collect();
    let Some(cut) = words.iter().position(|word| word == "--") else { return ExitCode::from(125) };
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    for folder in &words[..cut] {
        if let Some(numbers) = folder.strip_prefix("cpus=") {
            stay_on(numbers);
        } else if std::fs::write(format!("{folder}/cgroup.procs"), "0").is_err() {
            return ExitCode::from(126);
        }
    }
    let started = std::process::Command::new("/proc/self/exe").arg(BECOME).args(&words[cut + 1..]).spawn();
    let Ok(child) = started else { return ExitCode::from(127) };
    let status = processes::wait_for(child.id());
    processes::end_and_reap(Reach::Descendants, PATIENCE);
    match status.and_then(|status| status.exit_status()) {
        Some(code) => ExitCode::from(code as u8),
        None => ExitCode::from(137),
    }
}

/// `PROGRAM ARGUMENT…`. Returns only when it fails.
#[expect(clippy::disallowed_types, reason = "the warden starts what it is asked to start")]
pub fn become_another(mut words: impl Iterator<Item = String>) -> ExitCode {
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
    let Some(program) = words.next() else { return ExitCode::from(125) };
    let _ = std::process::Command::new(program).args(words).exec();
    ExitCode::from(127)
}

/// Keeps to these processors. Where that is refused, the host has its reasons.
fn stay_on(numbers: &str) {
    let mut set = rustix::thread::CpuSet::new();
    numbers.split(',').filter_map(|number| number.parse().ok()).for_each(|number| set.set(number));
    let _ = rustix::thread::sched_setaffinity(None, &set);
}
