//! The process above an unprotected run: whatever the run starts stays below it, is reaped by it, and ends with it.
//!
//! It is the test program itself, started once more ([`serve`]). A thread could not do its work: which process gets the orphans is
//! a property of the process, and several cases run in one.
#![expect(clippy::disallowed_types, reason = "running bare is the point")]

use formicary_testkit::leftovers::{Process, processes};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, set_child_subreaper, wait};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// The first argument that makes the test program a reaper.
const WORD: &str = "--reap-unprotected-run";
/// Where it notes the number of the main process, and how it ended.
const MAIN: &str = "main-process";
const ENDED: &str = "main-status";

/// A reaper with its run. Dropping it ends both, and waits until nothing is left.
pub struct Reaper {
    process: Child,
    notes: PathBuf,
}

impl Reaper {
    /// Starts `command` beside `program`, which is copied there from the file `program` in `notes`. Its streams are the files
    /// `stdin`, `stdout` and `stderr` in `notes`: a survivor that holds them keeps nobody waiting.
    pub fn start(
        program: &Path,
        command: impl IntoIterator<Item = String>,
        env: impl IntoIterator<Item = (String, String)>,
        notes: &Path,
    ) -> io::Result<Self> {
        for stream in ["stdout", "stderr"] {
            File::create(notes.join(stream))?;
        }
        let process = Command::new("/proc/self/exe")
            .arg(WORD)
            .args([notes, program])
            .args(command)
            .env_clear()
            .envs(env)
            .current_dir(program.parent().unwrap_or(notes))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()?;
        Ok(Self { process, notes: notes.to_owned() })
    }

    /// How the main process ended, if it has.
    pub fn status(&self) -> Result<Option<ExitStatus>, String> {
        match fs::read_to_string(self.notes.join(ENDED)) {
            Ok(text) => {
                let raw = text.parse().map_err(|_| format!("the run was not watched: {text}"))?;
                Ok(Some(ExitStatus::from_raw(raw)))
            }
            Err(_) => Ok(None),
        }
    }

    /// How many processes of the run there are, without the main process and without zombies.
    pub fn survivors(&self) -> usize {
        let main = fs::read_to_string(self.notes.join(MAIN)).ok().and_then(|text| text.parse().ok());
        let alive = |process: &&Process| process.state != 'Z' && Some(process.pid) != main;
        below(self.process.id(), &processes()).filter(alive).count()
    }
}

impl Drop for Reaper {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

/// Every process below this one.
fn below(ancestor: u32, all: &BTreeMap<u32, Process>) -> impl Iterator<Item = &Process> {
    all.values().filter(move |process| process.is_below(ancestor, all))
}

/// What the test program does when it was started as a reaper; nothing otherwise.
pub fn serve() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next()? != WORD {
        return None;
    }
    let notes = PathBuf::from(arguments.next()?);
    let program = PathBuf::from(arguments.next()?);
    let served = watch(&notes, &program, Command::new(arguments.next()?).args(arguments));
    if let Err(error) = &served {
        let _ = note(&notes, ENDED, &error.to_string());
    }
    end_all();
    Some(if served.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn watch(notes: &Path, program: &Path, command: &mut Command) -> io::Result<()> {
    set_child_subreaper(Some(rustix::process::getpid()))?;
    fs::copy(notes.join("program"), program)?;
    let append = |name: &str| File::options().append(true).open(notes.join(name));
    let child = command
        .stdin(File::open(notes.join("stdin"))?)
        .stdout(append("stdout")?)
        .stderr(append("stderr")?)
        .process_group(0)
        .spawn()?;
    let main = Pid::from_child(&child);
    note(notes, MAIN, &child.id().to_string())?;
    let harness_is_gone = end_of_input();
    // Reaps whatever ends until nobody wants to know any more.
    while let Err(RecvTimeoutError::Timeout) = harness_is_gone.recv_timeout(Duration::from_millis(2)) {
        while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
            if pid == main {
                note(notes, ENDED, &status.as_raw().to_string())?;
            }
        }
    }
    Ok(())
}

/// Renamed into place: nobody reads half a note.
fn note(notes: &Path, name: &str, text: &str) -> io::Result<()> {
    let aside = notes.join(format!("{name}.new"));
    File::create(&aside)?.write_all(text.as_bytes())?;
    fs::rename(aside, notes.join(name))
}

/// Closes when the standard input does.
fn end_of_input() -> Receiver<()> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let _ = io::stdin().read_to_end(&mut Vec::new());
        drop(sender);
    });
    receiver
}

/// Ends and reaps everything below, again and again until there is nothing.
fn end_all() {
    let own = std::process::id();
    loop {
        for process in below(own, &processes()) {
            let pid = i32::try_from(process.pid).ok().and_then(Pid::from_raw);
            let _ = pid.map(|pid| kill_process(pid, Signal::KILL));
        }
        while let Ok(Some(_)) = wait(WaitOptions::NOHANG) {}
        if wait(WaitOptions::NOHANG).is_err() {
            return;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}
