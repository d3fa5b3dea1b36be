//! Why an answer did not come, and whether asking again helps.

use serde::{Deserialize, Serialize};

/// The kinds of trouble.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    /// Something about the endpoint is set wrongly.
    Configuration,
    /// The key is missing, wrong, or may not do this.
    InvalidKey,
    /// There is no such model, or no such address.
    UnknownModel,
    /// The provider does not take the request.
    BadRequest,
    /// The request is longer than the model's window.
    TooLong,
    /// Too many requests, or the quota is used up.
    RateLimited,
    /// The provider has trouble of its own.
    Overloaded,
    /// Nobody answers at the address.
    Unreachable,
    /// The answer took too long.
    TimedOut,
    /// The answer ended in the middle.
    Cut,
    /// The answer cannot be read.
    Malformed,
    /// The caller called it off.
    Cancelled,
    /// The recording holds no answer to this request, or the script has ended.
    NotRecorded,
}

/// Why an answer did not come.
#[derive(Debug, Clone, PartialEq, thiserror::Error, Serialize, Deserialize)]
#[error("{message}")]
pub struct ModelError {
    /// What kind of trouble.
    pub kind: ErrorKind,
    /// In one line, without the key.
    pub message: String,
    /// Seconds after which the provider wants to be asked again.
    pub retry_after: Option<f64>,
}

impl ModelError {
    /// An error.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), retry_after: None }
    }

    /// Whether asking again may help.
    pub fn is_passing(&self) -> bool {
        matches!(
            self.kind,
            ErrorKind::RateLimited
                | ErrorKind::Overloaded
                | ErrorKind::Unreachable
                | ErrorKind::TimedOut
                | ErrorKind::Cut
                | ErrorKind::Malformed
        )
    }

    /// What to do about it.
    pub fn remedy(&self) -> &'static str {
        match self.kind {
            ErrorKind::Configuration => "look at the llm settings: `formicary config`",
            ErrorKind::InvalidKey => {
                "set the provider's key variable, or llm.key_file to a file that holds it"
            }
            ErrorKind::UnknownModel => "look at --model and llm.base_url; the provider lists its models",
            ErrorKind::BadRequest => "the provider says what it does not take; another model may take it",
            ErrorKind::TooLong => "set llm.context_tokens to the model's window",
            ErrorKind::RateLimited => "wait, or set llm.requests_per_minute to what your plan allows",
            ErrorKind::Overloaded => "try again later",
            ErrorKind::Unreachable => "is the server running at llm.base_url? is a proxy needed (llm.proxy)?",
            ErrorKind::TimedOut => "raise llm.timeout_seconds or llm.idle_seconds",
            ErrorKind::Cut | ErrorKind::Malformed => {
                "try again; if it stays, the server does not speak this wire format"
            }
            ErrorKind::Cancelled => "",
            ErrorKind::NotRecorded => {
                "record it anew with --record, or use the task and options of the recording"
            }
        }
    }
}
