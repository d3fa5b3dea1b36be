//! The whole report as JSON. Findings that are not shown are left out; figures stay as they are.

use super::Display;
use formicary_model::review::ReviewReport;
use formicary_model::visible::json;

/// The report.
pub fn write(report: &ReviewReport, display: &Display) -> String {
    // A report is made of texts and numbers: it always has a JSON form.
    let mut text = json(serde_json::to_string_pretty(&*display.of(report)).unwrap_or_default());
    text.push('\n');
    text
}
