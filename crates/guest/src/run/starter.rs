//! Starting the program: a child of the agent puts on the program's limits, gives up what the program must not have, and
//! becomes the program.
//!
//! The child works in the agent's own memory: in a guest a copy costs milliseconds, and a second start as much as a small
//! program's whole life. All that it holds beside the program's streams closes itself.

use super::processes;
use crate::program::Program;
use crate::sys;
use formicary_guest::message::run::{Instruction, Resource};
use rustix::process::{Gid, Resource as Limit, Rlimit, Uid};
use std::ffi::OsStr;
use std::io;
use std::os::fd::OwnedFd;

/// What is needed for it.
#[derive(Debug)]
pub struct Start {
    /// Program and arguments.
    pub argv: Vec<String>,
    /// The whole environment.
    pub env: Vec<(String, String)>,
    /// Where it starts.
    pub cwd: String,
    /// Limits.
    pub limits: Vec<(Resource, u64)>,
    /// The filter of system calls; empty: none.
    pub filter: Vec<Instruction>,
    /// Whom it becomes.
    pub identity: Option<(u32, u32)>,
    /// A file that takes the number of a process into the program's group.
    pub group: Option<String>,
    /// Whether it should be the first that the kernel picks when memory runs out.
    pub expendable: bool,
    /// Whether capabilities are out of reach already, as a guest's own description says.
    pub bounded: bool,
}

/// Starts the program with these streams, from an agent without threads; its process number.
pub fn start(start: &Start, streams: [OwnedFd; 3]) -> io::Result<u32> {
    let pairs = start.env.iter().map(|(name, value)| (OsStr::new(name), OsStr::new(value)));
    let program = Program::new(&start.argv, pairs)?;
    let [input, output, error] = &streams;
    let take_streams = || {
        rustix::stdio::dup2_stdin(input)?;
        rustix::stdio::dup2_stdout(output)?;
        rustix::stdio::dup2_stderr(error)
    };
    sys::start(&mut || match take_streams().map_err(io::Error::from).and_then(|()| become_small(start)) {
        Ok(()) => program.become_it(),
        Err(error) => error,
    })
}

/// Everything between the agent and the program, in the child.
fn become_small(start: &Start) -> io::Result<()> {
    if let Some(group) = &start.group {
        std::fs::write(group, "0")?;
    }
    if start.expendable {
        // Where it cannot be said, the kernel's own choice stands.
        let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
    }
    rustix::process::setsid()?;
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o022));
    if start.identity.is_some() && !start.bounded {
        drop_bounding_set();
    }
    rustix::thread::set_no_new_privs(true)?;
    for (resource, value) in &start.limits {
        set_limit(*resource, *value, start.bounded)?;
    }
    if let Some((user, group)) = start.identity {
        let (user, group) = (Uid::from_raw(user), Gid::from_raw(group));
        rustix::thread::set_thread_groups(&[])?;
        rustix::thread::set_thread_res_gid(group, group, group)?;
        rustix::thread::set_thread_res_uid(user, user, user)?;
    }
    rustix::process::chdir(&start.cwd)?;
    // Last of all: from here on the child itself is refused what the program is refused.
    if start.filter.is_empty() { Ok(()) } else { sys::lay_on(&start.filter) }
}

/// What is not in this set can never be had again. Every call costs in a guest, so that only what is there is taken out.
fn drop_bounding_set() {
    let status = processes::read_at_once("/proc/self/status").unwrap_or_default();
    let there = status.lines().find_map(|line| line.strip_prefix("CapBnd:"));
    let there = there.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok()).unwrap_or(u64::MAX);
    for bit in (0..64).filter(|bit| there & (1 << bit) != 0) {
        let one = rustix::thread::CapabilitySet::from_bits_retain(1 << bit);
        // Kernels end the list with an error.
        if rustix::thread::remove_capability_from_bounding_set(one).is_err() {
            return;
        }
    }
}

fn set_limit(resource: Resource, value: u64, bounded: bool) -> io::Result<()> {
    let limit = match resource {
        Resource::CpuSeconds => Limit::Cpu,
        Resource::CoreDump => Limit::Core,
        Resource::FileSize => Limit::Fsize,
        Resource::LockedMemory => Limit::Memlock,
        Resource::MessageQueues => Limit::Msgqueue,
        Resource::Nice => Limit::Nice,
        Resource::OpenFiles => Limit::Nofile,
        Resource::Processes => Limit::Nproc,
        Resource::RealTime => Limit::Rtprio,
        Resource::PendingSignals => Limit::Sigpending,
    };
    let set =
        |value| rustix::process::setrlimit(limit, Rlimit { current: Some(value), maximum: Some(value) });
    // A limit that is lower already stays: only the mighty may raise it. Who is not need not look first.
    if bounded && set(value).is_ok() {
        return Ok(());
    }
    let now = rustix::process::getrlimit(limit);
    let value = now.maximum.map_or(value, |most| most.min(value));
    Ok(set(value)?)
}
