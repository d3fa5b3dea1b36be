//! The messages, by role, and what both roles know.

pub mod run;
pub mod session;

use serde::{Deserialize, Serialize};

/// A file or directory in the working directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Relative to the working directory, as the system has it.
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
