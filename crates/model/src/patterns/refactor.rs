//! Refactorings that were made, or would be.

use super::FileChange;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How the command ended that was to show whether the change broke something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Verification {
    /// The command.
    pub command: Vec<String>,
    /// Its exit code before the change.
    pub before: Option<i32>,
    /// Its exit code after the change.
    pub after: Option<i32>,
    /// Whether the change was taken back.
    pub rolled_back: bool,
    /// The end of what it said after the change, where that failed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
}

/// What a refactoring did, or would do.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RefactorReport {
    /// What was done, in one line.
    pub what: String,
    /// The files that change.
    pub changes: Vec<FileChange>,
    /// Places that were looked at and left, because they only look alike.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Whether the files were written.
    pub written: bool,
    /// The name by which the change can be taken back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo: Option<String>,
    /// How it was verified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verification: Option<Verification>,
}
