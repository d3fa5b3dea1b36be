//! What to review, and what is done with it: one input for every front end.

use super::{Category, ChangeSummary, GateResult, RuleInfo, Severity};
use crate::use_case::{Code, Input, Judge};
use crate::{Failure, FailureKind, SourceFile};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The code to review, and what it is held against.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct ReviewScope {
    /// The code. A `formicary.toml` among it holds the project's settings and gates.
    #[serde(flatten)]
    pub code: Code,
    /// The files before a change: then the change is judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Vec<SourceFile>>,
    /// The change to judge: a git range or revision, a directory with the state before, or a diff file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
    /// The file of known findings, in place of the project's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<String>,
    /// The file of earlier reviews, in place of the project's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<String>,
    /// External linters to run too, if they are installed: ruff, eslint, …, or all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<String>,
    /// Thresholds in place of the project's gates, as in `{"score": 75}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gates: Option<BTreeMap<String, f64>>,
    /// Adds the review to the file of earlier reviews.
    pub record: bool,
    /// Keeps score and findings in the history of the project of this name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Reads nothing of what earlier reviews stored about unchanged files.
    pub without_cache: bool,
}

impl Input for ReviewScope {
    fn parts(&mut self, judge: &mut dyn Judge) -> Result<(), Failure> {
        if self.new.is_some() && self.before.is_some() {
            return Err(Failure::new(FailureKind::InvalidInput, "new and before are given together")
                .hint("give one of them"));
        }
        self.project.as_deref().map_or(Ok(()), check_project)?;
        judge.code(&mut self.code)?;
        for (field, path) in
            [("new", &mut self.new), ("baseline", &mut self.baseline), ("history", &mut self.history)]
        {
            path.iter_mut().try_for_each(|path| judge.project_path(field, path))?;
        }
        judge.write(self.record)
    }
}

/// Whether this can be the name of a project.
fn check_project(name: &str) -> Result<(), Failure> {
    let fine = (1..=100).contains(&name.len())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
    if fine {
        return Ok(());
    }
    let shown: String = name.chars().take(80).collect();
    Err(Failure::new(FailureKind::InvalidInput, format!("{shown:?} cannot be the name of a project"))
        .hint("use 1 to 100 letters, digits, dots, dashes and underscores"))
}

/// What to review, and what of the result is shown. All findings count for score and gates.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct ReviewInput {
    /// What is reviewed.
    #[serde(flatten)]
    pub scope: ReviewScope,
    /// Only findings of these categories; all if none is named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub types: Vec<Category>,
    /// Only findings from this severity on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub severity: Option<Severity>,
    /// At most so many findings, the worst.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// Only findings with these fingerprints.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fingerprints: Option<Vec<String>>,
    /// The format of a report that is wanted as text too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<ReportFormat>,
}

impl Input for ReviewInput {
    fn parts(&mut self, judge: &mut dyn Judge) -> Result<(), Failure> {
        self.scope.parts(judge)
    }
}

/// The formats of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReportFormat {
    /// For people, with the code.
    #[serde(alias = "txt")]
    Terminal,
    /// The whole report.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// One self-contained page.
    #[serde(alias = "htm")]
    Html,
    /// A comment on a pull request.
    #[serde(alias = "md")]
    Markdown,
    /// JUnit's XML.
    #[serde(alias = "xml")]
    Junit,
    /// Comma-separated values.
    Csv,
    /// GitHub's annotations.
    Github,
}

crate::words!(ReportFormat {
    Terminal => "terminal",
    Json => "json",
    Sarif => "sarif",
    Html => "html",
    Markdown => "markdown",
    Junit => "junit",
    Csv => "csv",
    Github => "github",
});

impl ReportFormat {
    /// The format that a file's extension stands for.
    pub fn of_ending(ending: &str) -> Option<Self> {
        match ending.to_ascii_lowercase().as_str() {
            "json" => Some(Self::Json),
            "sarif" => Some(Self::Sarif),
            "html" | "htm" => Some(Self::Html),
            "md" | "markdown" => Some(Self::Markdown),
            "xml" => Some(Self::Junit),
            "csv" => Some(Self::Csv),
            "txt" => Some(Self::Terminal),
            _ => None,
        }
    }
}

/// Whether the gates are met.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GateReport {
    /// The gates.
    pub gate: GateResult,
    /// What a change made of it, where one was judged.
    pub change: Option<ChangeSummary>,
    /// The score, 0–100.
    pub score: f64,
}

/// Which findings to fix.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct FixFindingsInput {
    /// What is reviewed.
    #[serde(flatten)]
    pub scope: ReviewScope,
    /// Applies fixes too that may change the program's meaning.
    #[serde(rename = "unsafe")]
    pub unsafe_fixes: bool,
    /// Writes the files; otherwise the change is reported as a diff. Files that came along go back changed.
    pub write: bool,
}

impl Input for FixFindingsInput {
    fn parts(&mut self, judge: &mut dyn Judge) -> Result<(), Failure> {
        self.scope.parts(judge)?;
        judge.write(self.write)
    }
}

/// What was fixed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FixedFindings {
    /// Findings whose fix was applied.
    pub applied: usize,
    /// Findings whose fix was left out: it overlaps another, or its file cannot be edited.
    pub left: usize,
    /// The files that change.
    pub changes: Vec<FixedFile>,
    /// The files that came along and change, as they are now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<SourceFile>,
    /// Whether they are written.
    pub written: bool,
}

/// A file that a fix changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FixedFile {
    /// The file.
    pub file: String,
    /// The change as a unified diff.
    pub diff: String,
}

/// Of what the open findings become the known ones.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct BaselineInput(pub ReviewScope);

impl Input for BaselineInput {
    fn parts(&mut self, judge: &mut dyn Judge) -> Result<(), Failure> {
        self.0.parts(judge)?;
        judge.write(true)
    }
}

/// The baseline that was written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WrittenBaseline {
    /// Its file.
    pub path: String,
    /// How many findings it knows.
    pub findings: usize,
    /// The file itself, where the code came along.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<SourceFile>,
}

/// Which rules to list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RulesInput {
    /// Only the rule of this name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Only rules of these categories; all if none is named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub types: Vec<Category>,
}

/// Rules of a review.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RuleList {
    /// Each of them.
    pub items: Vec<RuleInfo>,
}

/// Which Python code to measure.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct PyscnInput(pub Code);

impl Input for PyscnInput {
    fn parts(&mut self, judge: &mut dyn Judge) -> Result<(), Failure> {
        judge.code(&mut self.0)
    }
}

impl Input for RulesInput {
    fn parts(&mut self, _: &mut dyn Judge) -> Result<(), Failure> {
        Ok(())
    }
}
