//! What a change consists of: refactorings with both places, and the lines that none of them explains.

use crate::review::Note;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it, and `words` says it to people")]
pub enum RefactoringKind {
    RenameMethod,
    MoveMethod,
    MoveAndRenameMethod,
    ExtractMethod,
    ExtractAndMoveMethod,
    InlineMethod,
    MoveAndInlineMethod,
    PullUpMethod,
    PushDownMethod,
    RenameClass,
    MoveClass,
    MoveAndRenameClass,
    ExtractSuperclass,
    ExtractInterface,
    ExtractClass,
    RenameFile,
    MoveFile,
    MovePackage,
    AddParameter,
    RemoveParameter,
    ReorderParameters,
    RenameParameter,
    ChangeParameterType,
    ChangeReturnType,
    RenameVariable,
    ExtractVariable,
    InlineVariable,
    ChangeVariableType,
    ParameterizeVariable,
    SplitConditional,
    MergeConditional,
    InvertCondition,
    LoopToComprehension,
    ComprehensionToLoop,
    RenameField,
    MoveField,
    PullUpField,
    PushDownField,
    ChangeFieldType,
    AddAnnotation,
    RemoveAnnotation,
    ChangeModifier,
    ChangeThrownException,
}

impl RefactoringKind {
    /// In words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::RenameMethod => "Rename Method",
            Self::MoveMethod => "Move Method",
            Self::MoveAndRenameMethod => "Move And Rename Method",
            Self::ExtractMethod => "Extract Method",
            Self::ExtractAndMoveMethod => "Extract And Move Method",
            Self::InlineMethod => "Inline Method",
            Self::MoveAndInlineMethod => "Move And Inline Method",
            Self::PullUpMethod => "Pull Up Method",
            Self::PushDownMethod => "Push Down Method",
            Self::RenameClass => "Rename Class",
            Self::MoveClass => "Move Class",
            Self::MoveAndRenameClass => "Move And Rename Class",
            Self::ExtractSuperclass => "Extract Superclass",
            Self::ExtractInterface => "Extract Interface",
            Self::ExtractClass => "Extract Class",
            Self::RenameFile => "Rename File",
            Self::MoveFile => "Move File",
            Self::MovePackage => "Move Package",
            Self::AddParameter => "Add Parameter",
            Self::RemoveParameter => "Remove Parameter",
            Self::ReorderParameters => "Reorder Parameter",
            Self::RenameParameter => "Rename Parameter",
            Self::ChangeParameterType => "Change Parameter Type",
            Self::ChangeReturnType => "Change Return Type",
            Self::RenameVariable => "Rename Variable",
            Self::ExtractVariable => "Extract Variable",
            Self::InlineVariable => "Inline Variable",
            Self::ChangeVariableType => "Change Variable Type",
            Self::ParameterizeVariable => "Parameterize Variable",
            Self::SplitConditional => "Split Conditional",
            Self::MergeConditional => "Merge Conditional",
            Self::InvertCondition => "Invert Condition",
            Self::LoopToComprehension => "Replace Loop With Pipeline",
            Self::ComprehensionToLoop => "Replace Pipeline With Loop",
            Self::RenameField => "Rename Attribute",
            Self::MoveField => "Move Attribute",
            Self::PullUpField => "Pull Up Attribute",
            Self::PushDownField => "Push Down Attribute",
            Self::ChangeFieldType => "Change Attribute Type",
            Self::AddAnnotation => "Add Annotation",
            Self::RemoveAnnotation => "Remove Annotation",
            Self::ChangeModifier => "Change Modifier",
            Self::ChangeThrownException => "Change Thrown Exception",
        }
    }
}

/// One side of a refactoring.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct RefactoringPlace {
    /// The file.
    pub file: String,
    /// The first line, from one.
    pub first_line: u32,
    /// The last line.
    pub last_line: u32,
    /// What stands there: a method with its class, a variable with its method.
    pub name: String,
}

/// One refactoring.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Refactoring {
    /// Which.
    pub kind: RefactoringKind,
    /// In one sentence.
    pub description: String,
    /// Before the change.
    pub before: RefactoringPlace,
    /// After it.
    pub after: RefactoringPlace,
    /// From 0 to 1.
    pub confidence: f64,
}

/// Lines of one file that no refactoring explains.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnexplainedLines {
    /// The file.
    pub file: String,
    /// Lines that are gone, as they were counted before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<u32>,
    /// Lines that are new.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub added: Vec<u32>,
}

/// What a change consists of.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RefactoringReport {
    /// The refactorings.
    pub refactorings: Vec<Refactoring>,
    /// The behaviour that changed: what a reviewer should read.
    pub unexplained: Vec<UnexplainedLines>,
    /// Lines that were added or removed.
    pub changed_lines: u32,
    /// Those that refactorings explain.
    pub explained_lines: u32,
    /// How many files differ.
    pub changed_files: u32,
    /// What could not be looked at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}
