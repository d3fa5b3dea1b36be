//! What a program tried and was refused.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The kind of thing that was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ViolationKind {
    /// A system call that no ordinary program needs.
    SystemCall,
    /// Traffic that would have left the sandbox.
    Network,
    /// More memory than allowed.
    Memory,
    /// More processes than allowed.
    Processes,
    /// More disk than allowed.
    Disk,
    /// More output than allowed.
    Output,
}

/// One kind of refused action, with how often it was tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Violation {
    /// What kind.
    pub kind: ViolationKind,
    /// What exactly: the system call's name, the limit's name.
    pub what: String,
    /// How often.
    pub count: u64,
}
