//! One file per form in which a review is written.
//!
//! | module | for whom |
//! |---|---|
//! | [`terminal`] | people, with the code |
//! | [`json`] | programs |
//! | [`sarif`] | code-scanning services |
//! | [`github`] | annotations on a pull request |
//! | [`markdown`] | a comment on a pull request |
//! | [`html`] | people, in a browser, offline |
//! | [`junit`] | servers that show test results |
//! | [`csv`] | spreadsheets |

pub mod csv;
pub mod frame;
pub mod github;
#[cfg(test)]
mod hostile;
pub mod html;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod sarif;
pub mod terminal;
#[cfg(test)]
mod tests;

use crate::reviewer::Review;
use formicary_model::review::{Category, Finding, RuleInfo, Severity};

/// The forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// For people, with the code.
    Terminal,
    /// The whole report.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// One self-contained page.
    Html,
    /// A comment on a pull request.
    Markdown,
    /// JUnit's XML.
    Junit,
    /// Comma-separated values.
    Csv,
    /// GitHub's annotations.
    Github,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Terminal,
        Self::Json,
        Self::Sarif,
        Self::Html,
        Self::Markdown,
        Self::Junit,
        Self::Csv,
        Self::Github,
    ];

    /// The word on the command line.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Terminal => "terminal",
            Self::Json => "json",
            Self::Sarif => "sarif",
            Self::Html => "html",
            Self::Markdown => "markdown",
            Self::Junit => "junit",
            Self::Csv => "csv",
            Self::Github => "github",
        }
    }

    /// The form that a file's ending stands for.
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

/// What is shown of a review. It changes nothing of what was found, scored and gated.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Display {
    /// Only these categories; empty for all.
    pub categories: Vec<Category>,
    /// Only from this severity on.
    pub severity: Option<Severity>,
    /// Only what a change is to blame for.
    pub only_new: bool,
    /// At most so many findings, where people read.
    pub most: Option<usize>,
}

impl Display {
    /// Whether a finding is shown.
    pub fn shows(&self, finding: &Finding) -> bool {
        let new = !self.only_new || finding.standing.is_blamed() || finding.standing.is_unknown();
        new && self.severity.is_none_or(|least| finding.severity >= least)
            && (self.categories.is_empty() || self.categories.contains(&finding.category))
    }
}

/// Writes a review in a form.
pub fn generate_report(review: &Review, format: Format, display: &Display, rules: &[RuleInfo]) -> String {
    match format {
        Format::Terminal => terminal::write(review, display),
        Format::Json => json::write(&review.report, display),
        Format::Sarif => sarif::write(&review.report, display, rules),
        Format::Html => html::write(review, display),
        Format::Markdown => markdown::write(&review.report, display),
        Format::Junit => junit::write(&review.report, display),
        Format::Csv => csv::write(&review.report, display),
        Format::Github => github::write(&review.report, display),
    }
}

/// Text on one line, control characters made visible: a file's name or its code must not steer a terminal.
pub(crate) fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() || is_direction(character) {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    shown
}

// Characters that turn the direction of writing make code look like other code.
fn is_direction(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
