//! The order that the controller gives: one memory file that holds a [`Spec`] and then the bytes of its files.

use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// The descriptor on which the jail finds its control socket.
pub const CONTROL_FD: i32 = 3;
/// The descriptor on which the jail finds the order.
pub const SPEC_FD: i32 = 4;

/// The user and group that the payload sees itself as.
pub const INSIDE_ID: u32 = 1000;

/// Folders, inside, that the payload may write to. All lie on the sandbox's one sized file system.
pub const WRITABLE: [&str; 3] = ["work", "tmp", "dev/shm"];

/// Everything the jail needs to know. It trusts it: the controller has checked it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Spec {
    /// Program and arguments.
    pub argv: Vec<String>,
    /// The whole environment, as `NAME=value`.
    pub env: Vec<String>,
    /// Where the payload starts, absolute and inside.
    pub cwd: String,
    /// Host paths shown inside, in the order in which they are mounted.
    pub mounts: Vec<MountSpec>,
    /// Symbolic links of the root (`/bin` → `usr/bin`), as (path inside, target).
    pub links: Vec<(String, String)>,
    /// Files written before the start; their bytes follow the spec in the same order.
    pub files: Vec<FileSpec>,
    /// Size of the sandbox's file system.
    pub disk_bytes: u64,
    /// Files and folders on it.
    pub disk_inodes: u64,
    /// Whether the payload gets a network namespace of its own.
    pub own_network: bool,
    /// Where the payload's processes are counted.
    pub cgroup: CgroupPlacement,
    /// `(resource, value)` for setrlimit.
    pub rlimits: Vec<(u32, u64)>,
    /// Processor numbers the payload may use; empty: all.
    pub processors: Vec<u16>,
    /// Calls that are refused in this sandbox, besides those that are refused in all.
    pub refuse: Vec<Refusal>,
    /// Whether a protection that the kernel does not offer is reported and skipped instead of fatal.
    pub best_effort: bool,
}

/// Calls that some sandboxes refuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// Memory that lies in no process, which a controller that only watches processes does not see: memory files,
    /// System V shared memory and message queues.
    HiddenMemory,
    /// Not refused but asked about: new processes and threads, which such a controller counts as they come.
    UncountedForks,
    /// `sched_setaffinity`: the processors were handed out.
    Affinity,
    /// Setuid and setgid bits: on a writable mount they would outlive the sandbox, with the host's owner.
    SetuidBits,
}

/// One host path shown inside.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MountSpec {
    /// Absolute on the host.
    pub source: String,
    /// Relative to the new root.
    pub target: String,
    /// What the payload may do there.
    pub kind: MountKind,
}

/// What a mount is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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
    /// How many of the bytes behind the spec are its content.
    pub len: u64,
}

/// What the controller sends to have the sandbox killed. Its mere disappearance has the cgroups removed too.
pub const KILL: &[u8] = b"kill";

/// What the controller sends when the cgroup has been made.
pub const GO: &[u8] = b"go";

/// How the payload gets into its cgroup.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum CgroupPlacement {
    /// There is none.
    None,
    /// Its supervisor enters these folders first (v1: one a controller), so that all it starts is born there.
    Enter(Vec<String>),
    /// Be born in this folder (v2).
    Born(String),
}
