//! Refactorings that were made, or would be.

use super::FileChange;
use crate::use_case::{Code, Input, Judge};
use crate::{Failure, SourceFile};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What to refactor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RefactorInput {
    /// The project.
    #[serde(flatten)]
    pub code: Code,
    /// What is done.
    pub refactoring: Refactoring,
    /// Whether the files are written; otherwise the change is reported as a diff. Files that came along go back changed.
    #[serde(default)]
    pub write: bool,
    /// A program with its arguments that must not newly fail; otherwise the change is taken back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verify: Vec<String>,
}

/// One refactoring. Lines and columns count from one, columns in characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind", deny_unknown_fields)]
pub enum Refactoring {
    /// The name at a place gets another name.
    Rename {
        /// The file.
        file: String,
        /// The line.
        line: usize,
        /// The column.
        column: usize,
        /// The new name.
        to: String,
    },
    /// An expression gets a name.
    ExtractVariable {
        /// The file.
        file: String,
        /// The line of its first character.
        line: usize,
        /// The column of its first character.
        column: usize,
        /// The line after its last character.
        end_line: usize,
        /// The column after its last character.
        end_column: usize,
        /// The name.
        name: String,
    },
    /// Statements become a function.
    ExtractFunction {
        /// The file.
        file: String,
        /// The first line.
        first: usize,
        /// The last line.
        last: usize,
        /// The name.
        name: String,
    },
    /// A variable becomes what it stands for.
    Inline {
        /// The file.
        file: String,
        /// The line of the variable.
        line: usize,
        /// Its column.
        column: usize,
    },
}

impl Input for RefactorInput {
    fn parts(&mut self, judge: &mut dyn Judge) -> Result<(), Failure> {
        judge.code(&mut self.code)?;
        let (Refactoring::Rename { file, .. }
        | Refactoring::ExtractVariable { file, .. }
        | Refactoring::ExtractFunction { file, .. }
        | Refactoring::Inline { file, .. }) = &mut self.refactoring;
        judge.project_path("file", file)?;
        judge.write(self.write)
    }
}

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
    /// The files that came along and changed, as they are now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<SourceFile>,
    /// Whether the files were written.
    pub written: bool,
    /// The name by which the change can be taken back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo: Option<String>,
    /// How it was verified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verification: Option<Verification>,
}
