//! What a change consists of: refactorings with both places, and the lines that none of them explains.

use crate::review::Note;
use crate::use_case::{Code, Input, Judge};
use crate::{Failure, SourceFile};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which two versions to compare.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RefactoringsInput {
    /// The project, for versions that are its revisions or lie in it.
    #[serde(flatten)]
    pub code: Code,
    /// The version before.
    pub before: Version,
    /// The version after; the project as it is if none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Version>,
}

/// One version of a project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Version {
    /// A git revision or range, a directory or a file.
    Named(String),
    /// Files that come with the request.
    Files(Vec<SourceFile>),
}

impl Input for RefactoringsInput {
    fn parts(&mut self, judge: &mut dyn Judge) -> Result<(), Failure> {
        let named = |version: &Version| matches!(version, Version::Named(_));
        if named(&self.before) || self.after.as_ref().is_some_and(named) {
            judge.code(&mut self.code)?;
        }
        for version in [Some(&mut self.before), self.after.as_mut()].into_iter().flatten() {
            if let Version::Named(name) = version {
                judge.project_path("before, after", name)?;
            }
        }
        Ok(())
    }
}

/// Makes the catalogue from one table: a kind and how people call it.
macro_rules! catalogue {
    ($($kind:ident => $words:literal,)*) => {
        /// The catalogue.
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
        )]
        #[serde(rename_all = "snake_case")]
        #[allow(missing_docs, reason = "the names say it, and `words` says it to people")]
        pub enum RefactoringKind {
            $($kind,)*
        }

        impl RefactoringKind {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$kind,)*];

            /// In words.
            pub const fn words(self) -> &'static str {
                match self {
                    $(Self::$kind => $words,)*
                }
            }
        }
    };
}

catalogue! {
    RenameMethod => "Rename Method",
    MoveMethod => "Move Method",
    MoveAndRenameMethod => "Move And Rename Method",
    ExtractMethod => "Extract Method",
    ExtractAndMoveMethod => "Extract And Move Method",
    InlineMethod => "Inline Method",
    MoveAndInlineMethod => "Move And Inline Method",
    PullUpMethod => "Pull Up Method",
    PushDownMethod => "Push Down Method",
    SplitMethod => "Split Method",
    MergeMethod => "Merge Method",
    RenameClass => "Rename Class",
    MoveClass => "Move Class",
    MoveAndRenameClass => "Move And Rename Class",
    ExtractSuperclass => "Extract Superclass",
    ExtractInterface => "Extract Interface",
    ExtractClass => "Extract Class",
    ExtractSubclass => "Extract Subclass",
    CollapseHierarchy => "Collapse Hierarchy",
    SplitClass => "Split Class",
    MergeClass => "Merge Class",
    ChangeTypeDeclarationKind => "Change Type Declaration Kind",
    RenameFile => "Rename File",
    MoveFile => "Move File",
    RenamePackage => "Rename Package",
    MovePackage => "Move Package",
    MoveSourceFolder => "Move Source Folder",
    AddParameter => "Add Parameter",
    RemoveParameter => "Remove Parameter",
    ReorderParameters => "Reorder Parameter",
    RenameParameter => "Rename Parameter",
    ChangeParameterType => "Change Parameter Type",
    SplitParameter => "Split Parameter",
    MergeParameter => "Merge Parameter",
    ParameterizeVariable => "Parameterize Variable",
    ParameterizeField => "Parameterize Attribute",
    LocalizeParameter => "Localize Parameter",
    ChangeReturnType => "Change Return Type",
    RenameVariable => "Rename Variable",
    ExtractVariable => "Extract Variable",
    InlineVariable => "Inline Variable",
    ChangeVariableType => "Change Variable Type",
    SplitVariable => "Split Variable",
    MergeVariable => "Merge Variable",
    ReplaceVariableWithField => "Replace Variable With Attribute",
    ReplaceFieldWithVariable => "Replace Attribute With Variable",
    SplitConditional => "Split Conditional",
    MergeConditional => "Merge Conditional",
    InvertCondition => "Invert Condition",
    ConditionalToTernary => "Replace Conditional With Ternary",
    LoopToComprehension => "Replace Loop With Pipeline",
    ComprehensionToLoop => "Replace Pipeline With Loop",
    AnonymousToLambda => "Replace Anonymous With Lambda",
    AnonymousToClass => "Replace Anonymous With Class",
    GenericToDiamond => "Replace Generic With Diamond",
    TryWithResources => "Try With Resources",
    MergeCatch => "Merge Catch",
    AssertThrows => "Assert Throws",
    MoveCode => "Move Code",
    RenameField => "Rename Attribute",
    MoveField => "Move Attribute",
    MoveAndRenameField => "Move And Rename Attribute",
    PullUpField => "Pull Up Attribute",
    PushDownField => "Push Down Attribute",
    ChangeFieldType => "Change Attribute Type",
    ExtractField => "Extract Attribute",
    InlineField => "Inline Attribute",
    EncapsulateField => "Encapsulate Attribute",
    SplitField => "Split Attribute",
    MergeField => "Merge Attribute",
    ReplaceField => "Replace Attribute",
    AddMethodAnnotation => "Add Method Annotation",
    RemoveMethodAnnotation => "Remove Method Annotation",
    ModifyMethodAnnotation => "Modify Method Annotation",
    AddClassAnnotation => "Add Class Annotation",
    RemoveClassAnnotation => "Remove Class Annotation",
    ModifyClassAnnotation => "Modify Class Annotation",
    AddFieldAnnotation => "Add Attribute Annotation",
    RemoveFieldAnnotation => "Remove Attribute Annotation",
    ModifyFieldAnnotation => "Modify Attribute Annotation",
    AddParameterAnnotation => "Add Parameter Annotation",
    RemoveParameterAnnotation => "Remove Parameter Annotation",
    ModifyParameterAnnotation => "Modify Parameter Annotation",
    AddVariableAnnotation => "Add Variable Annotation",
    RemoveVariableAnnotation => "Remove Variable Annotation",
    ModifyVariableAnnotation => "Modify Variable Annotation",
    ChangeMethodAccess => "Change Method Access Modifier",
    ChangeClassAccess => "Change Class Access Modifier",
    ChangeFieldAccess => "Change Attribute Access Modifier",
    AddMethodModifier => "Add Method Modifier",
    RemoveMethodModifier => "Remove Method Modifier",
    AddClassModifier => "Add Class Modifier",
    RemoveClassModifier => "Remove Class Modifier",
    AddFieldModifier => "Add Attribute Modifier",
    RemoveFieldModifier => "Remove Attribute Modifier",
    AddParameterModifier => "Add Parameter Modifier",
    RemoveParameterModifier => "Remove Parameter Modifier",
    AddVariableModifier => "Add Variable Modifier",
    RemoveVariableModifier => "Remove Variable Modifier",
    AddThrownException => "Add Thrown Exception Type",
    RemoveThrownException => "Remove Thrown Exception Type",
    ChangeThrownException => "Change Thrown Exception Type",
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
