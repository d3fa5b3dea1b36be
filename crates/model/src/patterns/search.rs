//! Places that a pattern or rule matches.

use crate::Failure;
use crate::Language;
use crate::review::{Severity, Span};
use crate::use_case::{Code, Input, Judge};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What to look for, and where: a pattern, or rules.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct SearchInput {
    /// Where to look.
    #[serde(flatten)]
    pub code: Code,
    /// Code with metavariables, as in `print($X)`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// In the place of a pattern: names or kinds of shipped rules, `all`, or YAML files of the project.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
    /// The language; every one in which the pattern can be read, if none is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Whether the nearest miss is reported where nothing matches.
    pub explain: bool,
}

impl Default for SearchInput {
    fn default() -> Self {
        Self { code: Code::default(), pattern: None, rules: Vec::new(), language: None, explain: true }
    }
}

impl Input for SearchInput {
    fn parts(&mut self, judge: &mut dyn Judge) -> Result<(), Failure> {
        judge.code(&mut self.code)?;
        self.rules.iter_mut().try_for_each(|rule| judge.project_path("rules", rule))
    }
}

/// One place that matches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Match {
    /// The rule; empty for a pattern of the command line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rule: String,
    /// What the rule says, its metavariables filled in.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// How bad the rule says it is.
    pub severity: Severity,
    /// The file.
    pub file: String,
    /// Its language.
    pub language: Language,
    /// Where.
    pub span: Span,
    /// The matching text.
    pub text: String,
    /// What the metavariables took, by name.
    pub captures: BTreeMap<String, Captured>,
}

/// What one metavariable took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Captured {
    /// The text; empty where `$$$` took nothing.
    pub text: String,
    /// Where; absent where `$$$` took nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
}

/// A file that was not searched.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct SkippedFile {
    /// The file.
    pub file: String,
    /// Why.
    pub why: String,
}

/// What a search found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SearchReport {
    /// The places, by file and place.
    pub matches: Vec<Match>,
    /// How many files of the wanted languages were looked at.
    pub files: usize,
    /// Files that were not searched.
    pub skipped: Vec<SkippedFile>,
    /// Where it came nearest, when that was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nearest: Vec<NearestMiss>,
}

/// The place that comes nearest to a pattern without matching it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NearestMiss {
    /// The language in which the pattern was read.
    pub language: Language,
    /// How the grammar reads the pattern.
    pub read_as: String,
    /// What is the matter, in one sentence.
    pub why: String,
    /// The file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The part of the code that differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
    /// Its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// The part of the pattern that it differs from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// How many parts of the pattern matched, of how many.
    pub matched: [usize; 2],
}
