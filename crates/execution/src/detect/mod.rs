//! Which language code is in: by shebang, file name and content, with a confidence.

use serde::Serialize;

/// A language that was recognised.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Detection {
    /// The language's identifier.
    pub language: String,
    /// From 0 to 1.
    pub confidence: f64,
    /// What it was recognised by, for people.
    pub why: String,
}
