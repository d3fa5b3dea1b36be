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
use formicary_files::Viewpoint;
pub use formicary_model::review::ReportFormat as Format;
use formicary_model::review::{Category, Finding, ReviewReport, RuleInfo, Severity};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// What is shown of a review. It changes nothing of what was found, scored and gated.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Display {
    /// Only these categories; empty for all.
    pub categories: Vec<Category>,
    /// Only from this severity on.
    pub severity: Option<Severity>,
    /// Only what a change is to blame for.
    pub only_new: bool,
    /// At most so many findings, the worst.
    pub most: Option<usize>,
    /// How paths are written on a terminal, where they are opened.
    pub viewpoint: Viewpoint,
    /// Only findings with these fingerprints.
    pub fingerprints: Option<BTreeSet<String>>,
}

impl Display {
    /// Whether a finding is shown.
    pub fn shows(&self, finding: &Finding) -> bool {
        let new = !self.only_new || finding.standing.is_blamed() || finding.standing.is_unknown();
        let named = |known: &BTreeSet<String>| known.contains(&finding.fingerprint);
        new && self.severity.is_none_or(|least| finding.severity >= least)
            && (self.categories.is_empty() || self.categories.contains(&finding.category))
            && self.fingerprints.as_ref().is_none_or(named)
    }

    /// The report with the findings that are shown; figures stay as they are.
    pub fn of<'a>(&self, report: &'a ReviewReport) -> Cow<'a, ReviewReport> {
        let mut shown: Vec<usize> =
            (0..report.findings.len()).filter(|index| self.shows(&report.findings[*index])).collect();
        if let Some(most) = self.most.filter(|most| *most < shown.len()) {
            shown.sort_by_key(|index| Reverse(report.findings[*index].severity));
            shown.truncate(most);
            shown.sort_unstable();
        }
        if shown.len() == report.findings.len() {
            return Cow::Borrowed(report);
        }
        let findings = shown.into_iter().map(|index| report.findings[index].clone()).collect();
        Cow::Owned(ReviewReport { findings, ..report.clone() })
    }
}

/// A count with its noun: `1 file`, `2 files`.
pub fn counted(count: impl TryInto<u64>, noun: &str) -> String {
    let count = count.try_into().unwrap_or(u64::MAX);
    match (count, noun.strip_suffix("ch")) {
        (1, _) => format!("1 {noun}"),
        (_, Some(_)) => format!("{count} {noun}es"),
        (_, None) => format!("{count} {noun}s"),
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

/// A number with two decimals. A sum of nothing is minus nought, and so is what rounds to it: neither shows its sign.
pub(crate) fn decimal(value: f64) -> String {
    let text = format!("{value:.2}");
    if text == "-0.00" { "0.00".into() } else { text }
}
