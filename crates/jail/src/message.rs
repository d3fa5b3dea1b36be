//! What the jail answers, one datagram a message.

use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// A message to the controller. Descriptors travel beside it where noted.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Message {
    /// The sandbox stands. Unless it was made ahead, the payload is about to start.
    ///
    /// Descriptors: the working folder, a handle of the sandbox's first process if it was made ahead, the sandbox's
    /// `/proc` unless it is missing, the listener of refused system calls unless it is missing.
    Ready {
        /// Protections that the kernel did not give, with the reason (only under best effort).
        missing: Vec<(Missing, String)>,
        /// The nursery's network that it got, to be given back.
        network: Option<u8>,
    },
    /// A sandbox that was made ahead has tried what it must not be able to do, was refused, and waits for its order.
    Proven,
    /// A step failed; there will be no payload.
    Failed {
        /// The step and what it was done to.
        step: String,
        /// The system's error number.
        errno: i32,
    },
    /// The payload's program could not be started.
    NotStarted {
        /// The system's error number.
        errno: i32,
    },
    /// The last word: the payload's main process ended, and so did all that it left.
    Ended(Ended),
}

/// How the payload ended and what can only be seen from inside.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Ended {
    /// As `waitpid` gives it.
    pub wait_status: i32,
    /// From start to end.
    pub nanoseconds: u64,
    /// CPU time in user mode of the processes that were waited for, in microseconds.
    pub user_micros: u64,
    /// CPU time in the kernel, likewise.
    pub system_micros: u64,
    /// Largest resident set of any one process, in bytes.
    pub largest_resident: u64,
    /// 512-byte blocks read from storage.
    pub blocks_read: u64,
    /// 512-byte blocks written to storage.
    pub blocks_written: u64,
    /// Whether the file system is out of blocks or files.
    pub disk_full: bool,
    /// Processes that were there beside the payload's first one when that ended, or were not waited for.
    pub left: u32,
    /// What happened in its network.
    pub traffic: Traffic,
}

/// What the kernel counted in a sandbox's network.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Traffic {
    /// Packets that had nowhere to go.
    pub unroutable_packets: u64,
    /// Whether no packet was ever sent, not even by the sandbox to itself.
    pub untouched: bool,
}

/// A protection that can be skipped under best effort.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Missing {
    /// Landlock.
    Landlock,
    /// A fresh `/proc`.
    Proc,
    /// A further user namespace could be made.
    NestedUsers,
}
