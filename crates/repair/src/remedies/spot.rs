//! The place of an error in its text, and candidates made from it.

use crate::{Candidate, Case, TextEdit};
use formicary_model::ErrorDiagnosis;
use regex::Regex;

/// Where an error shows.
pub struct Spot<'a> {
    pub case: &'a Case,
    pub error: &'a ErrorDiagnosis,
    pub file: usize,
    pub text: &'a str,
    /// From 1.
    pub line: u32,
}

impl<'a> Spot<'a> {
    pub fn of(case: &'a Case, error: &'a ErrorDiagnosis) -> Option<Self> {
        let place = error.place.as_ref()?;
        let file = case.files.iter().position(|file| file.path == place.file)?;
        Some(Self { case, error, file, text: &case.files[file].text, line: place.line })
    }

    /// The error's kind without its module.
    pub fn kind(&self) -> &str {
        self.error.error_type.rsplit(['.', ':']).next().unwrap_or_default()
    }

    /// The first part of the message that a pattern's group holds; quotes of every locale are plain ones.
    pub fn said(&self, pattern: &str) -> Option<String> {
        let message = self.error.message.replace(['‘', '’', '`'], "'");
        let found = regex(pattern)?.captures(&message)?;
        Some(found.iter().skip(1).flatten().next()?.as_str().to_owned())
    }

    pub fn says(&self, words: &str) -> bool {
        self.error.message.contains(words)
    }

    /// A line's text without its end.
    pub fn line_at(&self, line: u32) -> &'a str {
        self.text.lines().nth((line as usize).saturating_sub(1)).unwrap_or_default()
    }

    pub fn here(&self) -> &'a str {
        self.line_at(self.line)
    }

    /// The byte where a line begins; the text's end beyond the last.
    pub fn start_of(&self, line: u32) -> usize {
        self.text.split_inclusive('\n').take((line as usize).saturating_sub(1)).map(str::len).sum()
    }

    pub fn indent(&self, line: u32) -> &'a str {
        let text = self.line_at(line);
        &text[..text.len() - text.trim_start().len()]
    }

    /// The byte of the error's column.
    pub fn column_byte(&self) -> Option<usize> {
        let column = self.error.place.as_ref()?.column? as usize;
        let offset =
            self.here().char_indices().nth(column - 1).map_or(self.here().len(), |(offset, _)| offset);
        Some(self.start_of(self.line) + offset)
    }

    pub fn make(&self, edits: Vec<TextEdit>, rule: &str, cost: f64, why: impl Into<String>) -> Candidate {
        Candidate {
            edits,
            origin: format!("rules/{rule}"),
            cost,
            confidence: (1.0 - cost / 7.0).clamp(0.1, 0.95),
            explanation: why.into(),
        }
    }

    pub fn edit(&self, start: usize, end: usize, replacement: impl Into<String>) -> TextEdit {
        TextEdit { file: self.file, start, end, replacement: replacement.into() }
    }

    /// Puts text in at a byte.
    pub fn insert(&self, at: usize, text: &str, rule: &str, cost: f64, why: impl Into<String>) -> Candidate {
        self.make(vec![self.edit(at, at, text)], rule, cost, why)
    }

    /// A line made anew.
    pub fn rewrite(&self, line: u32, new: &str, rule: &str, cost: f64, why: impl Into<String>) -> Candidate {
        let start = self.start_of(line);
        self.make(vec![self.edit(start, start + self.line_at(line).len(), new)], rule, cost, why)
    }

    /// A new line before this one, indented like it.
    pub fn line_before(
        &self,
        line: u32,
        new: &str,
        rule: &str,
        cost: f64,
        why: impl Into<String>,
    ) -> Candidate {
        let text = format!("{}{new}\n", self.indent(line));
        self.insert(self.start_of(line), &text, rule, cost, why)
    }

    /// Every place of a word on the error's line replaced, each for itself.
    pub fn replace_word(&self, word: &str, new: &str, rule: &str, cost: f64) -> Vec<Candidate> {
        self.replace_on(self.line, &format!(r"\b{}\b", regex::escape(word)), new, rule, cost)
    }

    /// Every place of a pattern on a line replaced, each for itself; groups as `$1`.
    pub fn replace_on(&self, line: u32, pattern: &str, new: &str, rule: &str, cost: f64) -> Vec<Candidate> {
        let Some(pattern) = regex(pattern) else { return Vec::new() };
        let (text, start) = (self.line_at(line), self.start_of(line));
        let one = |found: regex::Captures<'_>| {
            let whole = found.get(0)?;
            let mut filled = String::new();
            found.expand(new, &mut filled);
            let why = format!("Writes {} instead of {}", filled.trim(), whole.as_str().trim());
            let edit = self.edit(start + whole.start(), start + whole.end(), filled);
            Some(self.make(vec![edit], rule, cost, why))
        };
        pattern.captures_iter(text).filter_map(one).collect()
    }

    /// The same on the error's line.
    pub fn replace(&self, pattern: &str, new: &str, rule: &str, cost: f64) -> Vec<Candidate> {
        self.replace_on(self.line, pattern, new, rule, cost)
    }

    /// The last line before the error's that fits.
    pub fn before(&self, pattern: &str) -> Option<u32> {
        let pattern = regex(pattern)?;
        (1..=self.line).rev().find(|line| pattern.is_match(self.line_at(*line)))
    }
}

/// A pattern that may hold words of a stranger's program.
pub fn regex(pattern: &str) -> Option<Regex> {
    Regex::new(pattern).ok()
}
