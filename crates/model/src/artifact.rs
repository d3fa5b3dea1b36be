//! Files that a program produced.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One file brought back from the sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Artifact {
    /// Path relative to the working folder; bytes that are not UTF-8 are replaced.
    pub path: String,
    /// Its size in bytes.
    pub size: u64,
    /// Whether its owner may execute it.
    pub executable: bool,
    /// Its bytes.
    #[serde(with = "crate::request::bytes")]
    #[schemars(with = "crate::request::bytes::Wire")]
    pub content: Vec<u8>,
}

/// A file that matched and was left where it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SkippedArtifact {
    /// Path relative to the working folder.
    pub path: String,
    /// Why: a link, a device, too large, too many.
    pub why: String,
}
