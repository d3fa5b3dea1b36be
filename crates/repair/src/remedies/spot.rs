//! The place of an error in its text, and candidates made from it.

use crate::{Candidate, Case, TextEdit};
use formicary_diagnose::names;
use formicary_model::ErrorDiagnosis;
use regex::Regex;

/// Where an error shows, as one remedy looks at it.
#[derive(Clone, Copy)]
pub struct Spot<'a> {
    pub case: &'a Case,
    /// The remedy whose candidates are made.
    pub remedy: &'static str,
    /// The error's kind without its module.
    pub kind: &'a str,
    /// Whether a remedy names this kind.
    pub answered: bool,
    pub message: &'a str,
    pub root_cause: &'a str,
    pub file: usize,
    pub text: &'a str,
    /// From 1.
    pub line: u32,
    pub column: Option<u32>,
    /// The line's text without its end.
    pub line_text: &'a str,
    /// The byte where it begins.
    pub start: usize,
}

impl<'a> Spot<'a> {
    pub fn of(case: &'a Case, error: &'a ErrorDiagnosis) -> Option<Self> {
        let place = error.place.as_ref()?;
        let file = case.files.iter().position(|file| file.path == place.file)?;
        let text = &case.files[file].text;
        let above = place.line.saturating_sub(1) as usize;
        let start = text.split_inclusive('\n').take(above).map(str::len).sum();
        let here = text.lines().nth(above).unwrap_or_default();
        Some(Self {
            kind: error.error_type.rsplit(['.', ':']).next().unwrap_or_default(),
            message: &error.message,
            root_cause: &error.root_cause,
            column: place.column,
            ..Self::quiet(case, file, place.line, here, start)
        })
    }

    /// A line at which nothing failed.
    pub fn quiet(case: &'a Case, file: usize, line: u32, here: &'a str, start: usize) -> Self {
        Self {
            case,
            remedy: "",
            kind: "",
            answered: false,
            message: "",
            root_cause: "",
            file,
            text: &case.files[file].text,
            line,
            column: None,
            line_text: here,
            start,
        }
    }

    /// The first part of the message that a pattern's group holds; quotes of every locale are plain ones.
    pub fn said(&self, pattern: &str) -> Option<String> {
        let message = self.message.replace(['‘', '’', '`'], "'");
        first_group(pattern, &message)
    }

    pub fn says(&self, words: &str) -> bool {
        self.message.contains(words)
    }

    /// The first part of the failing line that a pattern's group holds.
    pub fn captured(&self, pattern: &str) -> Option<String> {
        first_group(pattern, self.here())
    }

    /// A line's text without its end.
    pub fn line_at(&self, line: u32) -> &'a str {
        if line == self.line {
            return self.line_text;
        }
        self.text.lines().nth((line as usize).saturating_sub(1)).unwrap_or_default()
    }

    pub fn here(&self) -> &'a str {
        self.line_text
    }

    /// Number of lines.
    pub fn count(&self) -> u32 {
        self.text.lines().count() as u32
    }

    /// The byte where a line begins; the text's end beyond the last.
    pub fn start_of(&self, line: u32) -> usize {
        if line == self.line {
            return self.start;
        }
        self.text.split_inclusive('\n').take((line as usize).saturating_sub(1)).map(str::len).sum()
    }

    pub fn indent(&self, line: u32) -> &'a str {
        let text = self.line_at(line);
        &text[..text.len() - text.trim_start().len()]
    }

    /// The failing line and the one above, each with its distance.
    pub fn two_lines(&self) -> [(u32, f64); 2] {
        let above = self.line.saturating_sub(1).max(1);
        [(self.line, 0.0), (above, f64::from(self.line - above))]
    }

    /// The byte of the error's column.
    pub fn column_byte(&self) -> Option<usize> {
        let column = self.column? as usize;
        let offset =
            self.here().char_indices().nth(column - 1).map_or(self.here().len(), |(offset, _)| offset);
        Some(self.start_of(self.line) + offset)
    }

    /// Names near to a misspelt one, each with its rank, among those of a text and further known ones.
    pub fn near(&self, wrong: &str, text: &str, known: &str) -> Vec<(f64, String)> {
        let known: Vec<&str> = known.split_whitespace().collect();
        let ranks = (0..).map(f64::from);
        ranks.zip(names::near(wrong, text, &known)).collect()
    }

    pub fn make(&self, edits: Vec<TextEdit>, cost: f64, why: impl Into<String>) -> Candidate {
        Candidate {
            edits,
            origin: format!("rules/{}", self.remedy),
            cost,
            confidence: (1.0 - cost / 7.0).clamp(0.1, 0.95),
            explanation: why.into(),
        }
    }

    pub fn edit(&self, start: usize, end: usize, replacement: impl Into<String>) -> TextEdit {
        TextEdit { file: self.file, start, end, replacement: replacement.into() }
    }

    /// Puts text in at a byte.
    pub fn insert(&self, at: usize, text: &str, cost: f64, why: impl Into<String>) -> Candidate {
        self.make(vec![self.edit(at, at, text)], cost, why)
    }

    /// A line made anew.
    pub fn rewrite(&self, line: u32, new: &str, cost: f64, why: impl Into<String>) -> Candidate {
        let start = self.start_of(line);
        self.make(vec![self.edit(start, start + self.line_at(line).len(), new)], cost, why)
    }

    /// A new line before this one, indented like it.
    pub fn line_before(&self, line: u32, new: &str, cost: f64, why: impl Into<String>) -> Candidate {
        let text = format!("{}{new}\n", self.indent(line));
        self.insert(self.start_of(line), &text, cost, why)
    }

    /// Every place of a word on the error's line replaced, each for itself.
    pub fn replace_word(&self, word: &str, new: &str, cost: f64) -> Vec<Candidate> {
        self.replace(&format!(r"\b{}\b", regex::escape(word)), new, cost)
    }

    /// What is written for a word of other languages or versions.
    pub fn replace_foreign(&self, word: &str, table: &[(&str, &str)], cost: f64) -> Vec<Candidate> {
        let rows = table.iter().filter(|(wrong, _)| *wrong == word);
        rows.flat_map(|(_, right)| self.replace_word(word, right, cost)).collect()
    }

    /// The same behind a dot.
    pub fn replace_method(&self, name: &str, table: &[(&str, &str)], cost: f64) -> Vec<Candidate> {
        let rows = table.iter().filter(|(wrong, _)| *wrong == name);
        rows.flat_map(|(_, right)| self.replace(&format!(r"\.{name}\b"), &format!(".{right}"), cost))
            .collect()
    }

    /// Every place of a pattern on the error's line replaced, each for itself; groups as `$1`.
    pub fn replace(&self, pattern: &str, new: &str, cost: f64) -> Vec<Candidate> {
        self.replace_in([self.line], pattern, new, cost, 0.0)
    }

    /// The same on another line.
    pub fn replace_on(&self, line: u32, pattern: &str, new: &str, cost: f64) -> Vec<Candidate> {
        self.replace_in([line], pattern, new, cost, 0.0)
    }

    /// The same on several lines; the cost grows by a step for each line of distance.
    pub fn replace_in(
        &self,
        lines: impl IntoIterator<Item = u32>,
        pattern: &str,
        new: &str,
        cost: f64,
        step: f64,
    ) -> Vec<Candidate> {
        let Some(pattern) = regex(pattern) else { return Vec::new() };
        let mut made = Vec::new();
        for line in lines {
            let (text, start) = (self.line_at(line), self.start_of(line));
            let cost = cost + f64::from(self.line.abs_diff(line)) * step;
            made.extend(pattern.captures_iter(text).filter_map(|found| {
                let whole = found.get(0)?;
                let mut filled = String::new();
                found.expand(new, &mut filled);
                let why = format!("Writes {} instead of {}", filled.trim(), whole.as_str().trim());
                let edit = self.edit(start + whole.start(), start + whole.end(), filled);
                Some(self.make(vec![edit], cost, why))
            }));
        }
        made
    }

    /// The lines above the error's and itself, nearest first.
    pub fn upwards(&self, most: usize) -> impl Iterator<Item = u32> + use<> {
        (1..=self.line).rev().take(most)
    }

    /// The last line before the error's that fits.
    pub fn before(&self, pattern: &str) -> Option<u32> {
        let pattern = regex(pattern)?;
        (1..=self.line).rev().find(|line| pattern.is_match(self.line_at(*line)))
    }
}

fn first_group(pattern: &str, text: &str) -> Option<String> {
    let found = regex(pattern)?.captures(text)?;
    Some(found.iter().skip(1).flatten().next()?.as_str().to_owned())
}

/// Whether a pattern fits somewhere.
pub fn fits(pattern: &str, text: &str) -> bool {
    regex(pattern).is_some_and(|pattern| pattern.is_match(text))
}

/// A pattern that may hold words of an untrusted program.
pub fn regex(pattern: &str) -> Option<Regex> {
    Regex::new(pattern).ok()
}
