//! The whole report as JSON. Findings that are not shown are left out; figures stay as they are.

use super::Display;
use formicary_model::review::ReviewReport;

/// The report.
pub fn write(report: &ReviewReport, display: &Display) -> String {
    let mut report = report.clone();
    report.findings.retain(|finding| display.shows(finding));
    // A report is made of texts and numbers: it always has a JSON form.
    let mut text = serde_json::to_string_pretty(&report).unwrap_or_default();
    text.push('\n');
    text
}
