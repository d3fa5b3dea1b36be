//! Why a program failed: the error, its place in the user's own code, its cause, what to try.

use crate::Status;
use crate::causes::{CauseStep, Hang};
use crate::review::{Confidence, Edit, Span};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What kind of trouble an error is, whatever the language calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCategory {
    /// The text is not the language.
    Syntax,
    /// A name that nothing defines.
    Name,
    /// A value of the wrong type, or a call with the wrong arguments.
    Type,
    /// A value of the right type that does not fit.
    Value,
    /// A module, package or header that is not found.
    Import,
    /// A member that the object does not have.
    Attribute,
    /// A place beyond the end of a sequence.
    Index,
    /// A key that is not in the mapping.
    Key,
    /// Nothing where something was expected: null, nil, undefined, None.
    Null,
    /// Division by zero, overflow.
    Arithmetic,
    /// Memory that is not the program's, or no longer: faults and what sanitizers find.
    Memory,
    /// Who owns a value and who may change it.
    Ownership,
    /// Calls without end: the stack is full.
    Recursion,
    /// More memory, output, processes or disk than allowed.
    Resource,
    /// More time than allowed.
    Timeout,
    /// Deadlocks, races, misuse of threads.
    Concurrency,
    /// Files and streams.
    Io,
    /// Refused by the sandbox or by file modes.
    Permission,
    /// A check of the program's own, or a test.
    Assertion,
    /// Refused by the compiler for another reason.
    Compile,
    /// Refused by the linker.
    Link,
    /// Programs, libraries and settings that the program needs around it.
    Environment,
    /// An error that the program itself raised, of its own kind.
    Raised,
    /// None of these.
    Other,
}

crate::words!(ErrorCategory {
    Syntax => "syntax",
    Name => "name",
    Type => "type",
    Value => "value",
    Import => "import",
    Attribute => "attribute",
    Index => "index",
    Key => "key",
    Null => "null",
    Arithmetic => "arithmetic",
    Memory => "memory",
    Ownership => "ownership",
    Recursion => "recursion",
    Resource => "resource",
    Timeout => "timeout",
    Concurrency => "concurrency",
    Io => "io",
    Permission => "permission",
    Assertion => "assertion",
    Compile => "compile",
    Link => "link",
    Environment => "environment",
    Raised => "raised",
    Other => "other",
});

/// One call that was under way.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StackFrame {
    /// The function, as the language names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// The file: relative to the working folder where it is the user's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The column, from 1, in characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// Whether it is in the user's own code.
    #[serde(default)]
    pub own: bool,
    /// Local variables at the failure, where a snapshot was taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<Variable>,
}

/// A variable as it stood when the program failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its type, as the language names it.
    #[serde(rename = "type", default, skip_serializing_if = "String::is_empty")]
    pub kind: String,
    /// Its value as text, cut to a bound.
    pub value: String,
}

/// One line of a code frame.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CodeLine {
    /// Its number, from 1.
    pub number: u32,
    /// Its text, cut to a bound.
    pub text: String,
}

/// Where an error shows, in the user's own code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorPlace {
    /// The file, relative to the working folder where it is the user's own.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The first column, from 1, in characters, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// The column after the last one, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_column: Option<u32>,
    /// The function around it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// Some lines around it, where the source is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frame: Vec<CodeLine>,
}

/// An edit that a tool itself proposed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SuggestedEdit {
    /// The file.
    pub file: String,
    /// What to replace, and by what.
    #[serde(flatten)]
    pub edit: Edit,
}

impl SuggestedEdit {
    /// An edit given in lines and columns (from 1, in characters) of a text.
    pub fn at(file: &str, text: &str, from: (u32, u32), to: (u32, u32), replacement: &str) -> Option<Self> {
        let start = byte_of(text, from)?;
        let end = byte_of(text, to)?;
        let edit = Edit { span: Span::of_bytes(text, start, end), replacement: replacement.to_owned() };
        (start <= end).then(|| Self { file: file.to_owned(), edit })
    }
}

/// The byte at a line and column, from 1, in characters; the end of the line where the column is beyond it.
fn byte_of(text: &str, (line, column): (u32, u32)) -> Option<usize> {
    let mut start = 0;
    for _ in 1..line {
        start += text[start..].find('\n')? + 1;
    }
    let rest = text[start..].split('\n').next().unwrap_or_default();
    let offset = rest.char_indices().nth((column as usize).saturating_sub(1)).map(|(offset, _)| offset);
    Some(start + offset.unwrap_or(rest.len()))
}

/// Something to try.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Suggestion {
    /// What to do, in one sentence.
    pub text: String,
    /// Who says so: `rule`, or the tool's name (`rustc`, `gcc`, `python`).
    pub origin: String,
    /// How sure that is.
    pub confidence: Confidence,
    /// The edits that do it, where they are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<SuggestedEdit>,
}

/// An error that led to another one, or that another one hides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorCause {
    /// What the language calls it.
    #[serde(rename = "type")]
    pub error_type: String,
    /// What it says.
    pub message: String,
    /// Where it shows in the user's own code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<ErrorPlace>,
}

/// One error of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorDiagnosis {
    /// The language's identifier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// What the language calls it: `TypeError`, `E0382`, `SIGSEGV`.
    #[serde(rename = "type")]
    pub error_type: String,
    /// What it says.
    pub message: String,
    /// What kind of trouble it is.
    pub category: ErrorCategory,
    /// The innermost place in the user's own code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<ErrorPlace>,
    /// Calls under way, innermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stack: Vec<StackFrame>,
    /// Why it happened, in one sentence.
    pub root_cause: String,
    /// What to try, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<Suggestion>,
    /// How sure the diagnosis is.
    pub confidence: Confidence,
    /// From the value that made it fail back to where that came from, if a second run could observe it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chain: Vec<CauseStep>,
    /// Where the program was when its time was up, if a second run could observe it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hang: Option<Hang>,
    /// Errors that led to this one, nearest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<ErrorCause>,
    /// The same error of another run has the same one, even where lines have moved or addresses differ.
    pub fingerprint: String,
}

/// What is known of a failed run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Diagnosis {
    /// How the run ended, where it was a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// The language's identifier, given or recognised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The errors, the one that ended the program first. Empty: nothing wrong was seen.
    pub errors: Vec<ErrorDiagnosis>,
    /// Warnings that compilers and runtimes gave.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<ErrorDiagnosis>,
    /// What could not be read or was left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl Diagnosis {
    /// The error that ended the program.
    pub fn main(&self) -> Option<&ErrorDiagnosis> {
        self.errors.first()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_the_wire_form() {
        for category in ErrorCategory::ALL {
            assert_eq!(serde_json::to_string(&category).unwrap(), format!("\"{category}\""));
        }
    }

    #[test]
    fn edits_by_lines_and_columns() {
        let text = "ab\ncdé f\n";
        for (from, to, expected) in [
            ((1, 1), (1, 3), Some((0, 2))),
            ((2, 3), (2, 4), Some((5, 7))),
            ((2, 99), (2, 99), Some((9, 9))),
            ((9, 1), (9, 1), None),
            ((2, 4), (2, 1), None),
        ] {
            let edit = SuggestedEdit::at("f", text, from, to, "");
            let bytes = edit.map(|edit| (edit.edit.span.start_byte, edit.edit.span.end_byte));
            assert_eq!(bytes, expected, "{from:?}");
        }
    }
}
