//! Everything of one review.

use super::{Dependency, FileMetrics, Finding, GateResult, ModuleMetrics, ProjectMetrics, Score};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What kind of thing a note tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoteKind {
    /// A part of the file could not be parsed; the rest was reviewed.
    Unparsable,
    /// The file is larger than the limit.
    TooLarge,
    /// The file may not be read.
    Unreadable,
    /// The file is not text.
    Binary,
    /// A link that leads back to itself, or out of the project.
    Link,
    /// The analysis was cut short to stay within its bounds.
    Bounded,
    /// A suppression that is not well formed, or that allows nothing.
    Suppression,
    /// An external tool that is not there or failed.
    Tool,
    /// Anything else.
    Other,
}

/// Something that a reader must know of the review itself.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Note {
    /// What kind.
    pub kind: NoteKind,
    /// The file; none for the whole review.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// What.
    pub message: String,
}

/// A way in which a change can look better than it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GamingKind {
    /// A file can no longer be parsed.
    Unparsable,
    /// A file with code is gone.
    Deleted,
    /// A file is there but no longer looked at.
    Excluded,
    /// A new suppression.
    Suppression,
    /// A threshold, a gate or a rule of the configuration was loosened.
    Configuration,
    /// The baseline took in more findings.
    Baseline,
}

/// One such way that was taken.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Gaming {
    /// Which way.
    pub kind: GamingKind,
    /// The file.
    pub file: String,
    /// The line, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// What.
    pub message: String,
}

/// What a change made better and worse.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangeSummary {
    /// What was compared with what, in words.
    pub compared: String,
    /// Files that the change touched.
    pub changed_files: u32,
    /// Lines that it added or rewrote.
    pub changed_lines: u32,
    /// Findings that it brought.
    pub new_findings: u32,
    /// Findings that it removed by mending them.
    pub fixed_findings: u32,
    /// Ways in which it may look better than it is.
    pub gaming: Vec<Gaming>,
}

/// One review of the past.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Trend {
    /// When, in seconds since 1970.
    pub time: u64,
    /// The score then.
    pub score: f64,
    /// Open findings then.
    pub findings: u32,
    /// Source lines then.
    pub lines: u32,
    /// The revision, where it was known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
}

/// Everything of one review.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewReport {
    /// The form of this report; it changes when a reader must.
    pub schema: u32,
    /// The version of Formicary.
    pub version: String,
    /// The project's folder, as it was named.
    pub root: String,
    /// What was found: by file, then by line. Suppressed and known ones are marked, not left out.
    pub findings: Vec<Finding>,
    /// What was measured of the project.
    pub project: ProjectMetrics,
    /// Of each file.
    pub files: Vec<FileMetrics>,
    /// Of each module.
    pub modules: Vec<ModuleMetrics>,
    /// The import graph.
    pub dependencies: Vec<Dependency>,
    /// The score.
    pub score: Score,
    /// The gates, where there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<GateResult>,
    /// What a change made of it, where one was judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<ChangeSummary>,
    /// What the reader must know of the review itself.
    pub notes: Vec<Note>,
    /// Files that were left out because the configuration or an ignore file says so.
    pub excluded_files: u32,
    /// Earlier reviews, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<Trend>,
    /// What it takes to fix the open findings, in minutes.
    #[serde(default)]
    pub debt_minutes: u32,
    /// How the score moved since the review before; none if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movement: Option<f64>,
}

impl ReviewReport {
    /// The form that this build writes.
    pub const SCHEMA: u32 = 1;

    /// The findings that nobody allowed.
    pub fn open_findings(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.is_open())
    }
}
