//! The order that a warden is given, and what it answers.

use serde::{Deserialize, Serialize};

/// Everything that the warden needs to know.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Order {
    /// Program and arguments.
    pub argv: Vec<String>,
    /// The whole environment.
    pub env: Vec<(String, String)>,
    /// Where the program starts.
    pub cwd: String,
    /// The folder that belongs to the program: files are written there and collected from there.
    pub work: String,
    /// Files to write first.
    pub files: Vec<File>,
    /// Limits of each process.
    pub limits: Vec<(Resource, u64)>,
    /// A program of the kernel's filter of system calls; empty: none.
    pub filter: Vec<Instruction>,
    /// Whom the program becomes, where the warden is the guest's root: user and group.
    pub identity: Option<(u32, u32)>,
    /// Who is ended when the run ends.
    pub reach: Reach,
    /// Where use is read.
    pub meter: Meter,
    /// Folders whose file systems may become full.
    pub disks: Vec<String>,
    /// Between two looks at what is used, in microseconds.
    pub tick: u64,
    /// How long everything may take from the program's start on, in milliseconds. The controller is quicker; this holds
    /// where an engine that broke off lets nobody hear that it is gone.
    pub at_most: u64,
}

/// One instruction of a filter: code, jump if true, jump if false, operand.
pub type Instruction = (u16, u8, u8, u32);

/// A file to write.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct File {
    /// Relative to the working folder.
    pub path: String,
    /// Permission bits.
    pub mode: u32,
    /// Its bytes.
    pub content: Vec<u8>,
}

/// A limit that each process carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Resource {
    /// CPU seconds.
    CpuSeconds,
    /// Size of a dump.
    CoreDump,
    /// Size of a file.
    FileSize,
    /// Locked memory.
    LockedMemory,
    /// Bytes in message queues.
    MessageQueues,
    /// How far priority may be raised.
    Nice,
    /// Open descriptors.
    OpenFiles,
    /// Processes of the user.
    Processes,
    /// Real-time priority.
    RealTime,
    /// Queued signals.
    PendingSignals,
}

/// Who is ended when the run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reach {
    /// All others: the warden is the first process of a world of its own.
    Everybody,
    /// All below the warden.
    Descendants,
}

/// Where use is read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Meter {
    /// The container's own control groups, as `/sys/fs/cgroup` shows them.
    Container,
    /// A guest kernel's own control groups: the warden makes one there that holds so many processes and threads.
    Guest {
        /// The most of them.
        processes: u64,
    },
    /// The process table, below the warden.
    Descendants,
}

/// What is used. Absent: not known here.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// Bytes now.
    pub memory: Option<u64>,
    /// Bytes at the most.
    pub memory_peak: Option<u64>,
    /// Bytes that the kernel holds for the program and counts in no group, at what they can be.
    pub beside: u64,
    /// CPU time in user mode, microseconds.
    pub user_micros: Option<u64>,
    /// CPU time in the kernel, microseconds.
    pub system_micros: Option<u64>,
    /// Processes killed for memory.
    pub memory_kills: u64,
    /// Processes and threads now.
    pub processes: Option<u64>,
    /// Forks that were refused.
    pub forks_refused: u64,
    /// Whether a disk has no room.
    pub disk_full: bool,
    /// Packets that had nowhere to go.
    pub unroutable_packets: u64,
}

/// How it ended.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// As `waitpid` gives it.
    pub wait_status: i32,
    /// From its start to its end.
    pub nanoseconds: u64,
    /// What was used in all.
    pub last: Sample,
}

/// A step that failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failed {
    /// The step and what it was done to.
    pub step: String,
    /// The system's error number.
    pub errno: i32,
}

/// A file or folder in the working folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Relative to the working folder, as the system has it.
    pub path: Vec<u8>,
    /// Size in bytes as it claims.
    pub size: u64,
    /// What it is.
    pub kind: EntryKind,
    /// Whether its owner may execute it.
    pub executable: bool,
}

/// What an entry is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum EntryKind {
    /// An ordinary file.
    File,
    /// A link, device, pipe or socket.
    Other,
    /// Something that could not be looked into, with the reason.
    Closed(String),
}
