//! Standing over another program on the host: control groups are entered first, so that all it starts is born in them,
//! and all that it leaves behind is ended and reaped here.

use super::processes;
use crate::program::{Program, own_environment};
use crate::sys;
use formicary_guest::message::run::Reach;
use rustix::process::Signal;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(3);

/// `[cpus=0,1] FOLDER… -- PROGRAM ARGUMENT…`. The program's life is bound to the overseer's.
pub fn oversee(words: impl Iterator<Item = String>) -> u8 {
    let words: Vec<String> = words.collect();
    let Some(cut) = words.iter().position(|word| word == "--") else { return 125 };
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    for folder in &words[..cut] {
        if let Some(numbers) = folder.strip_prefix("cpus=") {
            stay_on(numbers);
        } else if enter(folder).is_err() {
            return 126;
        }
    }
    let Ok(child) = start(&words[cut + 1..]) else { return 127 };
    let status = processes::wait_for(child);
    processes::end_and_reap(Reach::Descendants, PATIENCE);
    match status.and_then(|status| status.exit_status()) {
        Some(code) => code as u8,
        None => 137,
    }
}

/// Starts a program whose life is bound to ours, with our streams and our environment.
fn start(words: &[String]) -> io::Result<u32> {
    let environment = own_environment();
    let pairs = environment.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str()));
    let program = Program::new(words, pairs)?;
    sys::start(&mut || match rustix::process::set_parent_process_death_signal(Some(Signal::KILL)) {
        Ok(()) => program.become_it(),
        Err(error) => error.into(),
    })
}

/// Enters a control group. Where single threads can, the kernel takes in this one, which is the whole process, at once; for a
/// process it first waits until nobody is in the middle of a fork, which takes ten milliseconds and more.
fn enter(folder: &str) -> io::Result<()> {
    let open = |file: &str| OpenOptions::new().write(true).open(format!("{folder}/{file}"));
    open("tasks").or_else(|_| open("cgroup.procs"))?.write_all(b"0")
}

/// Keeps to these processors. Where that is refused, the host has its reasons.
fn stay_on(numbers: &str) {
    let mut set = rustix::thread::CpuSet::new();
    numbers.split(',').filter_map(|number| number.parse().ok()).for_each(|number| set.set(number));
    let _ = rustix::thread::sched_setaffinity(None, &set);
}
