//! One file as the engines of this crate take it.

use formicary_model::Language;
use formicary_syntax::Dialect;
use std::sync::Arc;

/// A file's path, text and grammar.
#[derive(Debug, Clone)]
pub struct Source {
    path: String,
    dialect: Dialect,
    text: Arc<str>,
    exact: bool,
}

impl Source {
    /// A file in a known grammar.
    pub fn new(path: impl Into<String>, dialect: Dialect, text: impl Into<Arc<str>>) -> Self {
        Self { path: path.into(), dialect, text: text.into(), exact: true }
    }

    /// The same, where bytes that are no text had to be replaced: it can be searched and not be changed.
    #[must_use]
    pub fn inexact(mut self) -> Self {
        self.exact = false;
        self
    }

    /// Relative to the project, with forward slashes.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The grammar that reads it.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Its text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the text is the file's own, byte for byte.
    pub fn is_exact(&self) -> bool {
        self.exact
    }
}

/// The grammar of a file of this language: its name tells JSX and headers apart.
pub fn dialect_of(path: &str, language: Language, text: &str) -> Dialect {
    match Dialect::of_file(path, text) {
        Some(dialect) if dialect.language() == language => dialect,
        _ => Dialect::of(language),
    }
}
