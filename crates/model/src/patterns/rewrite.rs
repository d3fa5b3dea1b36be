//! Changes that were made, or would be.

use super::SkippedFile;
use crate::use_case::{Code, Input, Judge};
use crate::{Failure, SourceFile};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What to rewrite: a pattern and what takes its place, or rules with their fixes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct RewriteInput {
    /// Where to look.
    #[serde(flatten)]
    pub code: Code,
    /// Code with metavariables, as in `print($X)`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// In the place of a pattern: rules, each with its fix.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
    /// What takes the pattern's place, with its metavariables; empty deletes.
    #[serde(alias = "replacement", skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The language; every one in which the pattern can be read, if none is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Whether the files are written; otherwise the change is reported as a diff. Files that came along go back changed.
    pub write: bool,
}

impl Input for RewriteInput {
    fn parts(&mut self, judge: &mut dyn Judge) -> Result<(), Failure> {
        judge.code(&mut self.code)?;
        self.rules.iter_mut().try_for_each(|rule| judge.project_path("rules", rule))?;
        judge.write(self.write)
    }
}

/// Which change to take back.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct UndoInput {
    /// The project.
    #[serde(flatten)]
    pub code: Code,
    /// The change's name; the last one if none is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl Input for UndoInput {
    fn parts(&mut self, judge: &mut dyn Judge) -> Result<(), Failure> {
        judge.code(&mut self.code)?;
        judge.write(true)
    }
}

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
    /// The files that came along and changed, as they are now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<SourceFile>,
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
