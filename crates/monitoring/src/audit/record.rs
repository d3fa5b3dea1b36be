//! What a record says. Its JSON is what the chain covers, byte by byte.

use formicary_model::{
    Caller, FileWritten, Level, Protection, ProtectionState, Status, Terms, Usage, Violation,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a record tells of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordKind {
    /// A run was let in; nothing of it had started.
    #[default]
    Started,
    /// It ended, with a result or with a failure of Formicary's.
    Ended,
    /// A request was turned away.
    Refused,
    /// Older records were let go.
    Pruned,
}

impl RecordKind {
    /// The word on the wire.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Started => "started",
            Self::Ended => "ended",
            Self::Refused => "refused",
            Self::Pruned => "pruned",
        }
    }
}

/// One record.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AuditRecord {
    /// Milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// What it tells of.
    pub kind: RecordKind,
    /// The run; empty where there was none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub run_id: String,
    /// Who had it made.
    pub caller: Caller,
    /// The language: its identifier, or for a refused request the word that was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The isolation provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// SHA-256 of the code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_hash: Option<String>,
    /// Bytes of code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_bytes: Option<u64>,
    /// The code itself, where it is kept: with the first record of this hash that a process writes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<serde_json::Value>,
    /// Limits and policy; in the record of the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terms: Option<Box<Terms>>,
    /// How the program ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// Its exit code, if it exited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// Seconds, all in all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<f64>,
    /// What the program used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// The protection level that held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
    /// Protections that were not enforced in full; all others were.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub not_enforced: BTreeMap<Protection, ProtectionState>,
    /// What the program tried and was refused, attempts to reach a network among it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub violations: Vec<Violation>,
    /// Files that were brought back, where they are noted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileWritten>,
    /// The kind of Formicary's own failure, or of the refusal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// Its message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What was let go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pruned: Option<Pruned>,
}

/// What was let go: the chain goes on from there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pruned {
    /// The last record that went.
    pub through: u64,
    /// Its hash.
    pub hash: String,
    /// How many went.
    pub records: u64,
}
