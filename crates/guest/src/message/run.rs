//! A run: the order that the guest agent is given, what it answers, and the tags of both.

use crate::frame::Malformed;
use serde::{Deserialize, Serialize};

/// A frame's largest content. An order carries the input files; all else is far smaller.
pub const LARGEST: usize = 1 << 30;

/// Where a guest kernel's control groups are made visible: a directory that only the guest's root can enter.
pub const GROUPS: &str = "/run/guest";

/// What a frame is: its tag. The first half goes to the agent, the second comes from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// The order, once, first.
    Order = 1,
    /// The next bytes of standard input; sent only when the agent has taken the last.
    Input,
    /// Standard input ends here.
    InputEnds,
    /// End everything.
    Kill,
    /// List the files that there are.
    List,
    /// Send the file of this number in the list.
    Fetch,
    /// Nothing more is needed.
    Bye,
    /// Interrupt the program, as Ctrl-C does.
    Interrupt,

    /// The program runs.
    Started = 64,
    /// It could not be started: an error number.
    NotStarted,
    /// A step failed: the step and an error number.
    Failed,
    /// Standard output.
    Output,
    /// Standard error.
    Error,
    /// The last input was taken.
    Taken,
    /// What is used.
    Sample,
    /// How it ended.
    Ended,
    /// A part of the list of files; an empty one ends it.
    Entries,
    /// A file's content.
    Content,
    /// A file could not be read: why.
    Unreadable,
    /// The agent is there, and waits for its order.
    Awake,
}

impl Kind {
    const ALL: [Self; 20] = [
        Self::Order,
        Self::Input,
        Self::InputEnds,
        Self::Kill,
        Self::List,
        Self::Fetch,
        Self::Bye,
        Self::Interrupt,
        Self::Started,
        Self::NotStarted,
        Self::Failed,
        Self::Output,
        Self::Error,
        Self::Taken,
        Self::Sample,
        Self::Ended,
        Self::Entries,
        Self::Content,
        Self::Unreadable,
        Self::Awake,
    ];
}

impl From<Kind> for u8 {
    fn from(kind: Kind) -> Self {
        kind as Self
    }
}

impl TryFrom<u8> for Kind {
    type Error = Malformed;

    fn try_from(tag: u8) -> Result<Self, Malformed> {
        Self::ALL.into_iter().find(|kind| u8::from(*kind) == tag).ok_or(Malformed::Tag(Some(tag)))
    }
}

/// Everything that the agent needs to know.
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
    /// Whom the program becomes, where the agent is the guest's root: user and group.
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
    /// All others: the agent is the first process of a world of its own.
    Everybody,
    /// All below the agent.
    Descendants,
}

/// Where use is read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Meter {
    /// The container's own control groups, as `/sys/fs/cgroup` shows them.
    Container,
    /// A guest kernel's own control groups: the agent makes one there that holds so many processes and threads.
    Guest {
        /// The most of them.
        processes: u64,
    },
    /// The process table, below the agent.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_tag() {
        for kind in Kind::ALL {
            assert_eq!(Kind::try_from(u8::from(kind)), Ok(kind));
        }
    }
}
