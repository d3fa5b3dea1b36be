//! Refactorings that are made: rename, extract a variable or a function, inline a variable.
//!
//! | module | what it holds |
//! |---|---|
//! | [`names`] | every name of a Python file, with what it stands for |
//! | [`rename`] | another name, in every file that uses it |
//! | [`extract`] | an expression becomes a variable, statements become a function |
//! | [`inline`] | a variable becomes what it stands for |
//!
//! An operation is certain or it is refused with the reason: a name that may be looked up by its text, a name that would
//! be captured, control that would leave an extracted part.

pub mod extract;
pub mod inline;
pub mod names;
pub mod rename;
#[cfg(test)]
mod tests;

use crate::rewrite::edit::{Edit, apply};
use crate::rewrite::{Change, still_parses};
use crate::source::Source;
use formicary_syntax::Dialect;
use std::ops::Range;

/// Why a refactoring was not made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// It may change what the program does, or cannot be proven not to.
    #[error("{what}: {why}")]
    Unsure {
        /// Where, as `file:line:column`.
        what: String,
        /// Why.
        why: String,
    },
    /// There is nothing there to work on.
    #[error("{0}")]
    Wrong(String),
    /// The language is not supported by this operation.
    #[error("{operation} is not offered for {language}; it is for Python")]
    Language {
        /// The operation.
        operation: &'static str,
        /// The language.
        language: &'static str,
    },
}

/// The changes of a refactoring, with what it did in one line.
#[derive(Debug, Clone)]
pub struct Refactored {
    /// What was done.
    pub what: String,
    /// The files.
    pub changes: Vec<Change>,
}

fn only_python(operation: &'static str, source: &Source) -> Result<(), Refused> {
    match source.dialect() {
        Dialect::Python => Ok(()),
        other => Err(Refused::Language { operation, language: other.language().name() }),
    }
}

/// `file:line:column` of a byte.
fn place(source: &Source, offset: usize) -> String {
    let before = source.text().get(..offset).unwrap_or("");
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    format!("{}:{line}:{column}", source.path())
}

fn unsure(source: &Source, offset: usize, why: impl Into<String>) -> Refused {
    Refused::Unsure { what: place(source, offset), why: why.into() }
}

/// The byte of a line and column, both from one, the column in characters.
pub fn offset_of(text: &str, line: usize, column: usize) -> Option<usize> {
    let start = text.split_inclusive('\n').take(line.checked_sub(1)?).map(str::len).sum::<usize>();
    let rest = text.get(start..)?.split('\n').next()?;
    let inside = rest.char_indices().map(|(at, _)| at).chain([rest.len()]).nth(column.checked_sub(1)?)?;
    Some(start + inside)
}

/// A changed file; it must still parse.
fn changed(source: &Source, mut edits: Vec<Edit>) -> Result<Change, Refused> {
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    edits.dedup();
    let after = apply(source.text(), &edits);
    if !source.is_exact() || !still_parses(source.dialect(), source.text(), &after) {
        let at = edits.first().map_or(0, |edit| edit.range.start);
        return Err(unsure(source, at, "the result would not parse"));
    }
    let places = edits.len();
    Ok(Change { path: source.path().to_owned(), before: source.text().into(), after, places, overlapping: 0 })
}

/// Whether a word can be a name in Python.
fn is_name(word: &str) -> bool {
    const RESERVED: &[&str] = &[
        "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
        "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in",
        "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
    ];
    let mut characters = word.chars();
    let first = characters.next().is_some_and(|c| c.is_alphabetic() || c == '_');
    first && characters.all(|c| c.is_alphanumeric() || c == '_') && !RESERVED.contains(&word)
}

/// The text of some bytes.
fn text<'s>(source: &'s Source, range: &Range<usize>) -> &'s str {
    source.text().get(range.clone()).unwrap_or("")
}
