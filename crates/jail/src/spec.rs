//! The orders that the controller gives.
//!
//! A jail is started with one memory file that holds a [`Spec`] and then the bytes of its files. A nursery gets a
//! [`Birth`] for each sandbox that it is to make ahead, and such a sandbox gets an [`Order`] when there is work.

use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// The descriptor on which the jail finds its control socket.
pub const CONTROL_FD: i32 = 3;
/// The descriptor on which the jail finds its spec.
pub const SPEC_FD: i32 = 4;
/// The descriptor on which a sandbox's first process gets the doors of the cgroup that it is to enter.
pub const DOORS_FD: i32 = 5;
/// The descriptor on which a nursery is asked for sandboxes.
pub const NURSERY_FD: i32 = 5;
/// The descriptor from which a program that was started ahead reads its words.
pub const WORDS_FD: i32 = 4;

/// The user and group that the payload sees itself as.
pub const INSIDE_ID: u32 = 1000;

/// The namespaces that every sandbox's first process is born in. The network is apart: it takes longer to make than all
/// else together.
pub const NAMESPACES: i32 =
    libc::CLONE_NEWUSER | libc::CLONE_NEWNS | libc::CLONE_NEWPID | libc::CLONE_NEWIPC | libc::CLONE_NEWUTS;

/// Folders, inside, that the payload may write to. All lie on the sandbox's one sized file system.
pub const WRITABLE: [&str; 3] = ["work", "tmp", "dev/shm"];

/// Takes apart what the controller has put together: the length of what follows, that itself, and the bytes of files.
pub fn split<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Option<(T, &'a [u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    let (head, contents) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    Some((postcard::from_bytes(head).ok()?, contents))
}

/// What [`split`] takes apart, without the bytes of files.
pub fn head<T: Serialize>(value: &T) -> postcard::Result<Vec<u8>> {
    let encoded = postcard::to_allocvec(value)?;
    let mut bytes = Vec::with_capacity(4 + encoded.len());
    bytes.extend_from_slice(&(encoded.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&encoded);
    Ok(bytes)
}

/// Everything the jail needs to know. It trusts it: the controller has checked it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Spec {
    /// Whether this is one sandbox, or the place where many are born.
    pub role: Role,
    /// What becomes the payload; of a nursery, the interpreter that serves instead of the jail itself.
    pub program: Program,
    /// Host paths shown inside, in the order in which they are mounted.
    pub mounts: Vec<MountSpec>,
    /// Symbolic links of the root (`/bin` → `usr/bin`), as (path inside, target).
    pub links: Vec<(String, String)>,
    /// Files written before the start; their bytes follow the spec in the same order.
    pub files: Vec<FileSpec>,
    /// The sandbox's file system.
    pub disk: Disk,
    /// Whether the payload gets a network namespace of its own.
    pub own_network: bool,
    /// Where the payload's processes are counted.
    pub cgroup: CgroupPlacement,
    /// Processors that a first process which was sent elsewhere to start may use again; empty: it was not.
    pub anywhere: Vec<u16>,
    /// What is taken away.
    pub confinement: Confinement,
}

/// What a jail is started for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// One sandbox, used once.
    Run,
    /// Sandboxes made ahead.
    Nursery,
}

/// A program to start.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Program {
    /// Program and arguments.
    pub argv: Vec<String>,
    /// The whole environment, as `NAME=value`.
    pub env: Vec<String>,
    /// Where the payload starts, absolute and inside.
    pub cwd: String,
}

/// The size of a sandbox's file system.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Disk {
    /// In bytes.
    pub bytes: u64,
    /// Files and folders on it.
    pub inodes: u64,
}

/// What is taken away from a payload.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Confinement {
    /// `(resource, value)` for setrlimit.
    pub rlimits: Vec<(u32, u64)>,
    /// Processor numbers the payload may use; empty: all.
    pub processors: Vec<u16>,
    /// Calls that are refused in this sandbox, besides those that are refused in all.
    pub refuse: Vec<Refusal>,
    /// Whether a protection that the kernel does not offer is reported and skipped instead of fatal.
    pub best_effort: bool,
}

/// A sandbox that a nursery is to make ahead.
///
/// Descriptors beside it: the new sandbox's control socket, its standard input, output and error, and the files by
/// which it enters its cgroup.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Birth {
    /// Its file system.
    pub disk: Disk,
    /// What is taken away.
    pub confinement: Confinement,
    /// What is started before there is work.
    pub early: Early,
}

/// What is started in a sandbox before its order comes, to read its words from [`WORDS_FD`].
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Early {
    /// Nothing: the order says what to start.
    Nothing,
    /// This program.
    Program(Program),
    /// The interpreter that the nursery lives in, as it is: it is forked, and goes to this folder.
    Interpreter {
        /// Absolute and inside.
        cwd: String,
    },
}

/// What is said to a nursery.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Request {
    /// Make a sandbox.
    Birth(Birth),
    /// The sandbox that had this network is gone.
    Return {
        /// Which, as it was told.
        network: u8,
        /// Whether nothing ever happened in it, so that another sandbox may have it.
        untouched: bool,
    },
}

/// Work for a sandbox that was made ahead; the bytes of its files follow.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Order {
    /// What to start, unless something was started early.
    pub program: Program,
    /// Files written before the start.
    pub files: Vec<FileSpec>,
    /// What a program that was started early is told.
    pub words: Vec<u8>,
}

/// The longest order that is sent as it is; a longer one is sent as a memory file.
pub const LONGEST_ORDER: usize = 96 * 1024;

/// Calls that some sandboxes refuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// Memory that lies in no process, which a controller that only watches processes does not see: memory files,
    /// System V shared memory, message queues and semaphores, pages in pipes and sockets that were not copied there.
    HiddenMemory,
    /// Not refused but asked about: anonymous memory that processes share, which stays when a process lets go of it.
    UncountedSharing,
    /// Not refused but told of: processes that share their table of open files, whose locks outlive them unseen.
    UnseenLocks,
    /// `sched_setaffinity`: the processors were handed out.
    Affinity,
    /// Setuid and setgid bits: on a writable mount they would outlive the sandbox, with the host's owner.
    SetuidBits,
}

/// One host path shown inside.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MountSpec {
    /// Absolute on the host.
    pub source: String,
    /// Relative to the new root.
    pub target: String,
    /// What the payload may do there.
    pub kind: MountKind,
    /// Whether, where root makes the sandbox, the owner of its files appears as the sandbox's own user. Writable mounts, so
    /// that it can write there and what it writes belongs to that owner; read-only ones that are closed to all but their
    /// owner, which nobody inside could read otherwise.
    pub lend: bool,
}

/// What a mount is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MountKind {
    /// Read-only folder or file.
    ReadOnly,
    /// Writable folder or file of the host.
    ReadWrite,
    /// A device node.
    Device,
}

/// One file written before the start.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FileSpec {
    /// Relative to the new root.
    pub path: String,
    /// Permission bits.
    pub mode: u32,
    /// How many of the bytes behind the order are its content.
    pub len: u64,
}

/// What the controller sends to have the sandbox killed. Its mere disappearance has the cgroups removed too.
pub const KILL: &[u8] = b"kill";

/// What the controller sends when the order has been written, and again when the cgroup has been made.
pub const GO: &[u8] = b"go";

/// How the payload gets into its cgroup.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum CgroupPlacement {
    /// There is none.
    None,
    /// Its first process enters these folders (v1: one a controller) by doors that it gets once they are made.
    Enter(Vec<String>),
    /// Be born in this folder (v2).
    Born(String),
    /// A nursery's: what it gives birth to enters groups by descriptors. When the controller dies, those that begin
    /// with this are removed.
    Elsewhere {
        /// Folders that hold groups.
        parents: Vec<String>,
        /// How the names of this controller's groups begin.
        prefix: String,
    },
}
