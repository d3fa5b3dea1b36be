//! Refactorings that are made: rename, extract a variable or a function, inline a variable.
//!
//! | module | what it holds |
//! |---|---|
//! | `python` | Python |
//! | `scoped`, `free` | names of block-scoped languages, and whether a new one is free |
//! | `script` | names and rename of JavaScript and TypeScript |
//! | `java` | names, types and rename of Java |
//! | `braces` | extract and inline of both |
//! | `local` | rename of variables and parameters of Go, Rust and C |
//! | `words` | which words can be names |
//! | [`requested`] | one as it is requested, made on disk and checked |
//! | `lines` | lines and nodes as every operation needs them |
//!
//! An operation is certain or it is refused with the reason: a name that may be looked up by its text, a name that would
//! be captured, control that would leave an extracted part.

mod braces;
mod free;
mod java;
mod lines;
mod local;
mod python;
pub mod requested;
mod scoped;
mod script;
mod words;

use formicary_search::Source;
use formicary_search::rewrite::edit::{Edit, apply};
use formicary_search::rewrite::{Change, still_parses};
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
    #[error("{operation} is not offered for {language}; it is for Python, JavaScript, TypeScript and Java")]
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

/// Gives the name at a place another name, here and in every file of the project that takes it from here.
pub fn rename(sources: &[Source], file: &str, offset: usize, new: &str) -> Result<Refactored, Refused> {
    let home = sources
        .iter()
        .find(|source| source.path() == file)
        .ok_or_else(|| Refused::Wrong(format!("{file} is not a file of the project")))?;
    match home.dialect() {
        Dialect::Python => python::rename::rename(sources, home, offset, new),
        Dialect::JavaScript | Dialect::TypeScript | Dialect::Tsx => {
            script::rename::rename(sources, home, offset, new)
        }
        Dialect::Java => java::rename::rename(sources, home, offset, new),
        Dialect::Go | Dialect::Rust | Dialect::C => local::rename(sources, home, offset, new),
        other => Err(not_offered("rename", other)),
    }
}

/// Gives an expression a name before the statement that holds it.
pub fn extract_variable(source: &Source, range: Range<usize>, name: &str) -> Result<Refactored, Refused> {
    match source.dialect() {
        Dialect::Python => python::extract::extract_variable(source, range, name),
        other => match braces::grammar(other) {
            Some(grammar) => braces::variable::extract_variable(grammar, source, range, name),
            None => Err(not_offered("extract-variable", other)),
        },
    }
}

/// Makes a function of statements that stand in a row.
pub fn extract_function(source: &Source, range: Range<usize>, name: &str) -> Result<Refactored, Refused> {
    match source.dialect() {
        Dialect::Python => python::extract::extract_function(source, range, name),
        other => match braces::grammar(other) {
            Some(grammar) => braces::function::extract_function(grammar, source, range, name),
            None => Err(not_offered("extract-function", other)),
        },
    }
}

/// Puts what a local variable stands for in place of it, and removes the variable.
pub fn inline(source: &Source, offset: usize) -> Result<Refactored, Refused> {
    match source.dialect() {
        Dialect::Python => python::inline::inline(source, offset),
        other => match braces::grammar(other) {
            Some(grammar) => braces::inline::inline(grammar, source, offset),
            None => Err(not_offered("inline", other)),
        },
    }
}

fn not_offered(operation: &'static str, dialect: Dialect) -> Refused {
    Refused::Language { operation, language: dialect.language().name() }
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
    Ok(Change {
        path: source.path().to_owned(),
        before: source.text().into(),
        after,
        places,
        overlapping: 0,
        moved_to: None,
    })
}

/// A changed file that gets another name too.
fn moved(sources: &[Source], source: &Source, change: Change, target: String) -> Result<Change, Refused> {
    if sources.iter().any(|other| other.path() == target) {
        return Err(unsure(source, 0, format!("{target} is there already")));
    }
    Ok(Change { moved_to: Some(target), ..change })
}

/// The text of some bytes.
fn text<'s>(source: &'s Source, range: &Range<usize>) -> &'s str {
    source.text().get(range.clone()).unwrap_or("")
}
