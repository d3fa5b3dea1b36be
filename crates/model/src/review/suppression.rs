//! Findings that somebody allowed. They are shown and counted, never dropped.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// By what a finding was allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SuppressionKind {
    /// A comment of ours: `formicary: allow(rule) reason`.
    Comment,
    /// A comment of another tool, such as `noqa`, respected by choice.
    Foreign,
}

/// Who allowed a finding, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Suppression {
    /// By what.
    pub kind: SuppressionKind,
    /// The reason that was given.
    pub reason: String,
    /// The line of the comment.
    pub line: u32,
}
