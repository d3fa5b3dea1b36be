//! JUnit's XML, for servers that show test results: one suite a file, one failing case a finding.

use super::Display;
use formicary_model::review::{Finding, ReviewReport};
use formicary_model::visible::attribute;
use std::collections::BTreeMap;

/// The suites.
pub fn write(report: &ReviewReport, display: &Display) -> String {
    let mut by_file: BTreeMap<&str, Vec<&Finding>> =
        report.files.iter().map(|file| (file.file.as_str(), Vec::new())).collect();
    for finding in report.open_findings().filter(|finding| display.shows(finding)) {
        by_file.entry(&finding.file).or_default().push(finding);
    }
    let failures: usize = by_file.values().map(Vec::len).sum();
    let tests: usize = by_file.values().map(|findings| findings.len().max(1)).sum();
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"formicary\" tests=\"{tests}\" failures=\"{failures}\">\n"
    );
    for (file, findings) in by_file {
        let name = attribute(file);
        let (tests, failures) = (findings.len().max(1), findings.len());
        text.push_str(&format!("  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\">\n"));
        if findings.is_empty() {
            text.push_str(&format!("    <testcase name=\"clean\" classname=\"{name}\"/>\n"));
        }
        for finding in findings {
            let (rule, line) = (attribute(&finding.rule), finding.span.start_line);
            text.push_str(&format!(
                "    <testcase name=\"{rule}:{line}\" classname=\"{name}\">\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n    </testcase>\n",
                finding.severity,
                attribute(&finding.message),
                attribute(&format!("{file}:{line}\n{}\n{}", finding.why, finding.suggestion))
            ));
        }
        text.push_str("  </testsuite>\n");
    }
    text.push_str("</testsuites>\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        assert_eq!(attribute("<a b=\"\u{1b}\">\n"), "&lt;a b=&quot;\\u{1b}&quot;&gt;&#10;");
    }
}
