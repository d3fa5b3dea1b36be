//! An error as a reader finds it in a log, before places are looked up and causes explained.

use formicary_model::review::Confidence;
use formicary_model::{ErrorCategory, StackFrame, Suggestion};
use regex::Regex;

/// Where a tool says that an error is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RawPlace {
    pub file: String,
    pub line: u32,
    pub column: Option<u32>,
    pub end_column: Option<u32>,
}

/// How bad a tool says that it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Weight {
    #[default]
    Error,
    Warning,
}

/// One error in a log.
#[derive(Debug, Clone, Default)]
pub struct RawError {
    /// What the language calls it; readers of tools without names leave it empty, the table of known errors fills it.
    pub kind: String,
    pub message: String,
    /// Set where the reader knows better than the table.
    pub category: Option<ErrorCategory>,
    /// Innermost first.
    pub frames: Vec<StackFrame>,
    /// Where the tool itself says that it is; else it is the innermost own frame.
    pub place: Option<RawPlace>,
    /// Nearest first.
    pub causes: Vec<RawError>,
    pub weight: Weight,
    pub suggestions: Vec<Suggestion>,
}

impl RawError {
    pub fn new(kind: impl Into<String>, message: impl Into<String>) -> Self {
        Self { kind: kind.into(), message: message.into(), ..Self::default() }
    }

    pub fn at(mut self, file: &str, line: &str, column: Option<&str>) -> Self {
        let Ok(line) = line.parse() else { return self };
        let column = column.and_then(|column| column.parse().ok());
        self.place = Some(RawPlace { file: file.to_owned(), line, column, end_column: None });
        self
    }

    /// A sentence of the tool's own, as a suggestion.
    pub fn suggest(&mut self, text: impl Into<String>, origin: &str, confidence: Confidence) {
        self.suggestions.push(Suggestion {
            text: text.into(),
            origin: origin.to_owned(),
            confidence,
            edits: Vec::new(),
        });
    }
}

/// A frame of a stack.
pub fn frame(function: Option<&str>, file: &str, line: &str, column: Option<&str>) -> StackFrame {
    StackFrame {
        function: function.filter(|name| !name.is_empty()).map(str::to_owned),
        file: Some(file.to_owned()).filter(|file| !file.is_empty()),
        line: line.parse().ok(),
        column: column.and_then(|column| column.parse().ok()),
        own: false,
        variables: Vec::new(),
    }
}

/// One row of a language's table of known errors: what it is, why it happens, what to do.
pub struct Known {
    /// The error's name, or `""` for any.
    pub kind: &'static str,
    /// A pattern that the message must hold; its groups may be used as `$1` in the texts.
    pub says: &'static str,
    /// The name to give where the tool gives none.
    pub name: &'static str,
    pub category: ErrorCategory,
    pub cause: &'static str,
    pub advice: &'static str,
}

/// A row without a name of its own.
pub const fn known(
    kind: &'static str,
    says: &'static str,
    category: ErrorCategory,
    cause: &'static str,
    advice: &'static str,
) -> Known {
    Known { kind, says, name: "", category, cause, advice }
}

/// A row that names what the tool leaves nameless.
pub const fn named(
    says: &'static str,
    name: &'static str,
    category: ErrorCategory,
    cause: &'static str,
    advice: &'static str,
) -> Known {
    Known { kind: "", says, name, category, cause, advice }
}

/// What a table says of an error.
pub struct Explained {
    pub name: &'static str,
    pub category: ErrorCategory,
    pub cause: String,
    pub advice: String,
}

/// The first row that fits.
pub fn explain(table: &[Known], kind: &str, message: &str) -> Option<Explained> {
    let short = kind.rsplit(['.', ':']).next().unwrap_or(kind);
    // Compilers quote by the user's locale.
    let message = message.replace(['‘', '’', '`'], "'").replace(['“', '”'], "\"");
    // A row that gives a name is for errors that have none.
    let fits = |row: &&Known| match row.name.is_empty() {
        true => row.kind.is_empty() || row.kind == kind || row.kind == short,
        false => kind.is_empty(),
    };
    table.iter().filter(fits).find_map(|row| {
        let captures = pattern(row.says).captures(&message)?;
        let fill = |template: &str| {
            let mut text = String::new();
            captures.expand(template, &mut text);
            text
        };
        Some(Explained {
            name: row.name,
            category: row.category,
            cause: fill(row.cause),
            advice: fill(row.advice),
        })
    })
}

/// A pattern of ours.
#[expect(clippy::expect_used, reason = "patterns are constants; a test compiles each of them")]
pub fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern of ours is sound")
}
