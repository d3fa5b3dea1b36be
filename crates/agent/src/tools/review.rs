//! What is wrong with the code, without running it.

use super::{Reply, Tool};
use crate::redact::as_data;
use crate::tree::{Tree, confine};
use formicary_model::review::{Finding, Severity};
use formicary_review::engine::{AnalysisOptions, Analyzer as _, Watch};
use formicary_review::native::NativeAnalyzer;
use serde_json::json;

const MOST: usize = 40;

pub(super) const TOOL: Tool = Tool {
    name: "review",
    description: "Reviews the files that were changed, or one file: bugs, holes, things that are not used.",
    properties: || json!({"path": {"type": "string"}}),
    required: &[],
    run: |desk, arguments| {
        let findings = match arguments["path"].as_str().map(confine) {
            Some(Err(why)) => return Ok(Reply::refused(why)),
            Some(Ok(path)) => findings(&desk.tree, &[path.as_str()]),
            None => findings(&desk.tree, &desk.tree.changed_since(&desk.base)),
        };
        let lines: Vec<String> = findings.iter().take(MOST).map(line).collect();
        match lines.is_empty() {
            true => Ok(Reply::ok("nothing was found")),
            false => Ok(Reply::ok(as_data("findings", &lines.join("\n")))),
        }
    },
};

/// A finding in one line.
pub(crate) fn line(finding: &Finding) -> String {
    let severity = finding.severity.word();
    format!("{}:{}: {severity} {}: {}", finding.file, finding.span.start_line, finding.rule, finding.message)
}

/// What is wrong in these files, the worst first.
pub(crate) fn findings(tree: &Tree, paths: &[&str]) -> Vec<Finding> {
    let sources = tree.reviewed(paths.iter().copied());
    let analysis = NativeAnalyzer::new(None).analyze(&sources, &AnalysisOptions::default(), Watch::NOBODY);
    let mut findings = analysis.findings;
    findings.retain(|finding| finding.severity >= Severity::Low);
    findings.sort_by(|a, b| {
        (b.severity, &a.file, a.span.start_byte).cmp(&(a.severity, &b.file, b.span.start_byte))
    });
    findings
}
