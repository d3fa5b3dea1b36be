//! The form of a tool's data file.

use super::{json, lines};
use formicary_model::Language;
use formicary_model::review::{Category, Confidence, Finding, Severity, Span};
use serde::Deserialize;
use std::collections::BTreeMap;

/// How a tool is called and understood.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// Its name.
    #[serde(skip)]
    pub name: String,
    /// The program that is looked for.
    pub program: String,
    /// How to get it, in a few words.
    pub remedy: String,
    /// The languages whose files it is given.
    pub languages: Vec<Language>,
    /// Its arguments; `{files}` stands for the files.
    pub arguments: Vec<String>,
    /// Exit codes with which it did its work.
    pub codes: Vec<i32>,
    /// Where it tells its findings.
    #[serde(default)]
    pub stream: Stream,
    /// A file that must be in the project for the tool to make sense.
    pub needs: Option<String>,
    /// Environment variables that it needs.
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    /// How to read findings that stand one on a line.
    #[serde(default)]
    pub lines: Vec<String>,
    /// How to read findings in JSON.
    pub json: Option<json::Shape>,
    /// The severity for each of the tool's words; the word "default" for the rest.
    #[serde(default)]
    pub severities: BTreeMap<String, Severity>,
    /// The category by the beginning of a rule's name; the word "default" for the rest.
    #[serde(default)]
    pub categories: BTreeMap<String, Category>,
    /// Our own rule that finds the same, by the tool's rule: then one finding is enough.
    #[serde(default)]
    pub same: BTreeMap<String, String>,
    /// The message where the tool gives none.
    #[serde(default)]
    pub message: String,
    /// The rule where the tool names none.
    #[serde(default)]
    pub rule: String,
}

/// Where a tool tells its findings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stream {
    /// On stdout.
    #[default]
    Stdout,
    /// On stderr.
    Stderr,
}

/// One finding as a tool told it, in its own words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Told {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The last line.
    pub end_line: u32,
    /// The column after the last.
    pub end_column: u32,
    /// The rule.
    pub rule: String,
    /// The tool's word for how bad it is.
    pub severity: String,
    /// What is wrong.
    pub message: String,
    /// The number in the Common Weakness Enumeration.
    pub cwe: Option<u32>,
}

impl Description {
    /// Reads a data file.
    pub fn parse(name: &str, text: &str) -> Result<Self, String> {
        let mut found: Self = toml::from_str(text).map_err(|error| format!("{name}: {error}"))?;
        found.name = name.to_owned();
        Ok(found)
    }

    /// The findings in what the tool said. Paths below `root` become relative.
    pub fn read(&self, output: &str, root: &str) -> Vec<Finding> {
        let told = match &self.json {
            Some(shape) => json::read(shape, output),
            None => lines::read(&self.lines, output),
        };
        told.into_iter().filter_map(|told| self.finding(told, root)).collect()
    }

    fn finding(&self, told: Told, root: &str) -> Option<Finding> {
        let file =
            told.file.strip_prefix(root).map_or(told.file.as_str(), |rest| rest.trim_start_matches('/'));
        let file = file.trim_start_matches("./").to_owned();
        // A tool may speak of files outside the project, such as system headers.
        if file.is_empty() || file.starts_with('/') || file.starts_with("..") {
            return None;
        }
        let own = if told.rule.is_empty() { self.rule.as_str() } else { told.rule.as_str() };
        let own = if own.is_empty() { "note" } else { own };
        let severity = self.severities.get(&told.severity).or_else(|| self.severities.get("default"));
        let by_name = self.categories.iter().filter(|(start, _)| own.starts_with(start.as_str()));
        let category = by_name.max_by_key(|(start, _)| start.len()).map(|(_, category)| *category);
        let category = category.or_else(|| self.categories.get("default").copied());
        let line = told.line.max(1);
        let span = Span {
            start_line: line,
            start_column: told.column.max(1),
            end_line: told.end_line.max(line),
            end_column: told.end_column.max(told.column).max(1),
            start_byte: 0,
            end_byte: 0,
        };
        let message = if told.message.is_empty() { self.message.clone() } else { told.message };
        let mut finding = Finding::new(
            format!("{}:{own}", self.name),
            category.unwrap_or(Category::Lint),
            severity.copied().unwrap_or(Severity::Low),
            file,
            span,
            message,
        );
        finding.confidence = Confidence::Medium;
        finding.cwe = told.cwe;
        finding.tool = Some(self.name.clone());
        Some(finding)
    }
}
