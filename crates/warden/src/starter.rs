//! Starting the program: a child of the warden puts on the program's limits, gives up what the program must not have, and
//! becomes the program.
//!
//! The child is a copy of the warden, not a second start of it: in a guest every start costs as much as a small program's
//! whole life. Its streams are the program's from the beginning, and all else that it holds closes itself.

use crate::{processes, sys};
use formicary_warden::message;
use formicary_warden::message::Resource;
use rustix::process::{Gid, Resource as Limit, Rlimit, Uid};
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
    /// Filters of system calls.
    pub filters: Vec<Vec<message::Instruction>>,
    /// Whom it becomes.
    pub identity: Option<(u32, u32)>,
    /// A file that takes the number of a process into the program's group.
    pub group: Option<String>,
    /// Whether it should be the first that the kernel picks when memory runs out.
    pub expendable: bool,
}

/// Starts the program with these streams, from a warden without threads; its process number.
#[expect(clippy::disallowed_types, reason = "the warden starts the program")]
pub fn start(start: Start, streams: [OwnedFd; 3]) -> io::Result<u32> {
    let (program, arguments) = start.argv.split_first().ok_or(io::ErrorKind::NotFound)?;
    let [input, output, error] = streams;
    let mut command = std::process::Command::new(program);
    command.args(arguments).env_clear();
    command.envs(start.env.iter().map(|(name, value)| (name, value)));
    command.stdin(input).stdout(output).stderr(error);
    sys::before_it_becomes(&mut command, move || become_small(&start));
    Ok(command.spawn()?.id())
}

/// Everything between the warden and the program, in the child.
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
    if start.identity.is_some() {
        drop_bounding_set();
    }
    rustix::thread::set_no_new_privs(true)?;
    for (resource, value) in &start.limits {
        set_limit(*resource, *value)?;
    }
    if let Some((user, group)) = start.identity {
        let (user, group) = (Uid::from_raw(user), Gid::from_raw(group));
        rustix::thread::set_thread_groups(&[])?;
        rustix::thread::set_thread_res_gid(group, group, group)?;
        rustix::thread::set_thread_res_uid(user, user, user)?;
    }
    rustix::process::chdir(&start.cwd)?;
    // Last of all: from here on the child itself is refused what the program is refused.
    start.filters.iter().try_for_each(|filter| lay_on(filter))
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

fn set_limit(resource: message::Resource, value: u64) -> io::Result<()> {
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
    // A limit that is lower already stays: only the mighty may raise it.
    let now = rustix::process::getrlimit(limit);
    let value = now.maximum.map_or(value, |most| most.min(value));
    rustix::process::setrlimit(limit, Rlimit { current: Some(value), maximum: Some(value) })?;
    Ok(())
}

fn lay_on(filter: &[message::Instruction]) -> io::Result<()> {
    let program: Vec<seccompiler::sock_filter> = filter
        .iter()
        .map(|(code, jt, jf, k)| seccompiler::sock_filter { code: *code, jt: *jt, jf: *jf, k: *k })
        .collect();
    seccompiler::apply_filter(&program).map_err(io::Error::other)
}
