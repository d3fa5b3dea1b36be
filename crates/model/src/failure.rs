//! Formicary's own failures. A program's failure is never one of these.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The kinds of failure; exit codes and HTTP statuses hang on them (see the platform's table).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The request is wrong: unknown language, bad path, limit out of bounds, misspelt flag.
    InvalidInput,
    /// The configuration is wrong.
    InvalidConfiguration,
    /// The language's tools are not on this host.
    ToolchainMissing,
    /// The host cannot give the protection that was asked for.
    IsolationUnavailable,
    /// The sandbox could not be set up.
    SandboxFailed,
    /// The caller cancelled.
    Cancelled,
    /// Anything else: a fault of Formicary or of the host.
    Internal,
}

impl FailureKind {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::InvalidInput,
        Self::InvalidConfiguration,
        Self::ToolchainMissing,
        Self::IsolationUnavailable,
        Self::SandboxFailed,
        Self::Cancelled,
        Self::Internal,
    ];
}

/// A failure as people and programs see it: what, why, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// The kind.
    pub kind: FailureKind,
    /// One line that names the input.
    pub message: String,
    /// One line that names the remedy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl Failure {
    /// A failure without a hint.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: None }
    }

    /// The same with a remedy.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
