//! The step between the warden and the program: a copy of the warden that takes the program's streams, puts on its
//! limits, gives up what the program must not have, and becomes the program.
//!
//! Order and streams come over a socket that closes itself when the program starts; should that fail, the error
//! number goes back over it. The program never holds the socket, so that it cannot say anything on it.

use crate::message::Resource;
use crate::pipes;
use formicary_warden::frame::{self, Kind};
use formicary_warden::message;
use rustix::process::{Resource as Limit, Rlimit};
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::ExitCode;

/// The word that makes a copy of the warden a starter.
pub const WORD: &str = "start";

/// What the starter needs to know.
#[derive(Debug, Serialize, Deserialize)]
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

/// Why the program does not run.
pub enum NotStarted {
    /// The program itself cannot be started.
    Program(i32),
    /// Something of ours.
    Ours(io::Error),
}

impl From<io::Error> for NotStarted {
    fn from(error: io::Error) -> Self {
        Self::Ours(error)
    }
}

/// Starts the program with these streams; its process number.
#[expect(clippy::disallowed_types, reason = "the warden starts the program")]
pub fn start(start: &Start, streams: [OwnedFd; 3]) -> Result<u32, NotStarted> {
    let (ours, theirs) = UnixStream::pair()?;
    let null = || std::process::Stdio::null();
    let child = std::process::Command::new("/proc/self/exe")
        .arg(WORD)
        .env_clear()
        .stdin(OwnedFd::from(theirs))
        .stdout(null())
        .stderr(null())
        .spawn()?;
    let pid = child.id();
    pipes::send(&ours, &streams)?;
    drop(streams);
    let start = postcard::to_allocvec(start).map_err(io::Error::other)?;
    let mut ours = ours;
    frame::write(&mut ours, Kind::Order, &start)?;
    let mut answer = [0; 4];
    match ours.read_exact(&mut answer) {
        // The socket closed itself: the program runs.
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(pid),
        Err(error) => Err(error.into()),
        Ok(()) => Err(NotStarted::Program(i32::from_le_bytes(answer))),
    }
}

/// The starter's whole life. Returns only when it fails.
pub fn become_the_program() -> ExitCode {
    let Ok(socket) = io::stdin().as_fd().try_clone_to_owned() else { return ExitCode::from(125) };
    let mut socket = UnixStream::from(socket);
    let error = match prepare(&mut socket) {
        Ok(start) => exec(&start),
        Err(error) => error,
    };
    let number = error.raw_os_error().unwrap_or(match error.kind() {
        io::ErrorKind::InvalidInput => rustix::io::Errno::INVAL.raw_os_error(),
        _ => rustix::io::Errno::IO.raw_os_error(),
    });
    let _ = socket.write_all(&number.to_le_bytes());
    ExitCode::from(125)
}

fn prepare(socket: &mut UnixStream) -> io::Result<Start> {
    let streams = pipes::receive(socket)?;
    let Some((Kind::Order, bytes)) = frame::read(socket)? else {
        return Err(io::ErrorKind::UnexpectedEof.into());
    };
    let start: Start = postcard::from_bytes(&bytes).map_err(io::Error::other)?;
    if let Some(group) = &start.group {
        std::fs::write(group, "0")?;
    }
    if start.expendable {
        // Where it cannot be said, the kernel's own choice stands.
        let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
    }
    let [input, output, error] =
        <[OwnedFd; 3]>::try_from(streams).map_err(|_| io::Error::other("three streams were promised"))?;
    rustix::stdio::dup2_stdin(&input)?;
    rustix::stdio::dup2_stdout(&output)?;
    rustix::stdio::dup2_stderr(&error)?;
    rustix::process::setsid()?;
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o022));
    if start.identity.is_some() {
        drop_bounding_set();
    }
    rustix::thread::set_no_new_privs(true)?;
    for (resource, value) in &start.limits {
        set_limit(*resource, *value)?;
    }
    Ok(start)
}

/// What is not in this set can never be had again. Kernels end the list with an error.
fn drop_bounding_set() {
    for bit in 0..64 {
        let one = rustix::thread::CapabilitySet::from_bits_retain(1 << bit);
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

/// Last of all: from here on the starter itself is refused what the program is refused.
fn lay_on(filter: &[message::Instruction]) -> io::Result<()> {
    let program: Vec<seccompiler::sock_filter> = filter
        .iter()
        .map(|(code, jt, jf, k)| seccompiler::sock_filter { code: *code, jt: *jt, jf: *jf, k: *k })
        .collect();
    seccompiler::apply_filter(&program).map_err(io::Error::other)
}

#[expect(clippy::disallowed_types, reason = "the warden starts the program")]
fn exec(start: &Start) -> io::Error {
    let Some((program, arguments)) = start.argv.split_first() else {
        return io::ErrorKind::NotFound.into();
    };
    if let Err(error) = start.filters.iter().try_for_each(|filter| lay_on(filter)) {
        return error;
    }
    let mut command = std::process::Command::new(program);
    command.args(arguments).env_clear().current_dir(&start.cwd);
    command.envs(start.env.iter().map(|(name, value)| (name, value)));
    if let Some((user, group)) = start.identity {
        command.uid(user).gid(group);
    }
    command.exec()
}
