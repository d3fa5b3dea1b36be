//! Keys of a server's callers: made, listed, revoked, recognised.
//!
//! A key is 256 random bits that are shown once. What is kept is its BLAKE3 hash (a random key needs no slow one), its name,
//! what it may do, and how much of it. Whoever reads the file can therefore not call the server.

mod file;

pub use file::KeyFile;

use formicary_model::{Failure, FailureKind, suggest};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What every key begins with, so that people and scanners for secrets recognise one.
pub const PREFIX: &str = "fmk_";

/// What a key may be used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Running code: executions, jobs, sessions, judging, tests.
    Execute,
    /// Reviewing, searching, rewriting, comparing code.
    Review,
    /// Diagnosing and mending programs.
    Debug,
    /// Runs of the agent.
    Agent,
    /// What concerns everybody's: all runs, metrics, the audit log.
    Admin,
}

formicary_model::words!(Scope {
    Execute => "execute",
    Review => "review",
    Debug => "debug",
    Agent => "agent",
    Admin => "admin",
});

impl Scope {
    /// The scope of this word.
    pub fn from_word(word: &str) -> Result<Self, Failure> {
        Self::ALL.into_iter().find(|scope| scope.word() == word).ok_or_else(|| {
            let hint = match suggest::nearest(word, Self::ALL.map(Self::word)) {
                Some(near) => format!("did you mean {near}?"),
                None => format!("scopes are {}", Self::ALL.map(Self::word).join(", ")),
            };
            Failure::new(FailureKind::InvalidInput, format!("unknown scope {word:?}")).hint(hint)
        })
    }
}

/// How much a key may be used. What is absent has the server's own bounds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Quota {
    /// Requests in a minute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests_per_minute: Option<u32>,
    /// Requests at one time, those that wait among them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub concurrency: Option<u32>,
    /// Seconds of CPU time in a day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_seconds_per_day: Option<f64>,
    /// Memory of one run or session, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
}

/// A key as it is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyRecord {
    /// Names the tenant in runs, sessions and logs.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// BLAKE3 of the whole key, in hexadecimal.
    pub hash: String,
    /// What it may do.
    pub scopes: Vec<Scope>,
    /// When it was made, in seconds since 1970.
    pub created: u64,
    /// When it ends to hold, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<u64>,
    /// How much it may be used.
    #[serde(default)]
    pub quota: Quota,
}

impl KeyRecord {
    /// Whether it holds no longer.
    pub fn is_expired(&self, now: u64) -> bool {
        self.expires.is_some_and(|expires| expires <= now)
    }

    /// The record as it is shown: everything but the hash.
    pub fn shown(&self, now: u64) -> KeyInfo {
        KeyInfo {
            id: self.id.clone(),
            name: self.name.clone(),
            scopes: self.scopes.clone(),
            created: self.created,
            expires: self.expires,
            expired: self.is_expired(now),
            quota: self.quota,
        }
    }
}

/// A key as it is listed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KeyInfo {
    /// Names the tenant in runs, sessions and logs.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// What it may do.
    pub scopes: Vec<Scope>,
    /// When it was made, in seconds since 1970.
    pub created: u64,
    /// When it ends to hold, in seconds since 1970.
    pub expires: Option<u64>,
    /// Whether it holds no longer.
    pub expired: bool,
    /// How much it may be used.
    pub quota: Quota,
}

/// What a new key is to be.
#[derive(Debug, Clone, Default)]
pub struct NewKey {
    /// What people call it.
    pub name: String,
    /// What it may do.
    pub scopes: Vec<Scope>,
    /// Seconds for which it holds; for ever where absent.
    pub lifetime: Option<u64>,
    /// How much it may be used.
    pub quota: Quota,
}
