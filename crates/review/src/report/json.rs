//! The whole report as JSON. Findings that are not shown are left out; figures stay as they are.

use super::Display;
use formicary_model::review::ReviewReport;

/// The report.
pub fn write(report: &ReviewReport, display: &Display) -> String {
    let hidden = report.findings.iter().any(|finding| !display.shows(finding));
    let shown = hidden.then(|| {
        let findings = report.findings.iter().filter(|finding| display.shows(finding)).cloned().collect();
        ReviewReport { findings, ..report.clone() }
    });
    // A report is made of texts and numbers: it always has a JSON form.
    let mut text = serde_json::to_string_pretty(shown.as_ref().unwrap_or(report)).unwrap_or_default();
    text.push('\n');
    text
}
