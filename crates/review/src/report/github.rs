//! GitHub's annotations: workflow commands on stdout that become marks on a pull request.

use super::Display;
use formicary_model::review::{ReviewReport, Severity};
use formicary_model::visible::lines;

/// One command per open finding, and one for a failed gate.
pub fn write(report: &ReviewReport, display: &Display) -> String {
    let mut text = String::new();
    for finding in report.open_findings().filter(|finding| display.shows(finding)) {
        let level = match finding.severity {
            Severity::Critical | Severity::High => "error",
            Severity::Medium => "warning",
            Severity::Low | Severity::Info => "notice",
        };
        let span = &finding.span;
        let body = if finding.suggestion.is_empty() {
            finding.message.clone()
        } else {
            format!("{}\n{}", finding.message, finding.suggestion)
        };
        text.push_str(&format!(
            "::{level} file={},line={},endLine={},col={},title={}::{}\n",
            property(&finding.file),
            span.start_line,
            span.end_line.max(span.start_line),
            span.start_column,
            property(&finding.rule),
            data(&body)
        ));
    }
    if let Some(gate) = report.gate.as_ref().filter(|gate| !gate.passed) {
        let failed: Vec<&str> =
            gate.checks.iter().filter(|check| !check.passed).map(|check| check.metric.as_str()).collect();
        text.push_str(&format!("::error title=gate::the gate failed: {}\n", data(&failed.join(", "))));
    }
    text
}

// What a command's text may not hold, as the runner unescapes it: a message must not become another command.
fn data(text: &str) -> String {
    lines(text).replace('%', "%25").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_cannot_become_a_command() {
        assert_eq!(data("a\n::set-output name=x::y%"), "a%0A::set-output name=x::y%25");
        assert_eq!(property("a,b:c"), "a%2Cb%3Ac");
    }
}
