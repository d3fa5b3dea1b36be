//! Changes that were made, or would be.

use super::SkippedFile;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a rewrite does to one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileChange {
    /// The file.
    pub file: String,
    /// How many places change.
    pub places: usize,
    /// How many further places wait for another run, because they overlap one that changes.
    #[serde(default)]
    pub overlapping: usize,
    /// The change as a unified diff.
    pub diff: String,
}

/// A file that matches and was left alone.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct LeftAlone {
    /// The file.
    pub file: String,
    /// Why.
    pub why: String,
}

/// What a rewrite did, or would do.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RewriteReport {
    /// The files that change.
    pub changes: Vec<FileChange>,
    /// Files that match and were left alone.
    pub left: Vec<LeftAlone>,
    /// Files that were not searched.
    pub skipped: Vec<SkippedFile>,
    /// Whether the files were written.
    pub written: bool,
    /// The name by which the change can be taken back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo: Option<String>,
}

/// What was taken back.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UndoReport {
    /// The name of the change.
    pub change: String,
    /// The command that had made it.
    pub what: String,
    /// The files that have their former text again.
    pub restored: Vec<String>,
}

/// How the tests of rules ended.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RuleTestReport {
    /// Rules that were tested.
    pub rules: usize,
    /// Texts that were judged.
    pub cases: usize,
    /// Rules without a test.
    pub untested: Vec<String>,
    /// What went wrong: the rule and what.
    pub failures: Vec<LeftAlone>,
}
