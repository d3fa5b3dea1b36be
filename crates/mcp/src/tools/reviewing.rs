//! What the tools that review share: findings in few words.

use crate::answer::Answer;
use crate::call::Call;
use formicary_model::Failure;
use formicary_model::review::{Finding, ReviewInput, Severity};
use formicary_platform::review::{Display, ReviewCode};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Findings shown if the caller does not say how many.
const USUAL: usize = 50;

/// Reviews, and answers with what a model needs of it.
pub(super) fn answer(call: &Call, mut input: ReviewInput) -> Result<Answer, Failure> {
    // What does not fit here stands in the whole report.
    let most = input.limit.take().unwrap_or(USUAL);
    let done = call.perform_read::<ReviewCode>(input)?;
    let report = &done.review.report;
    let display = Display { only_new: report.change.is_some(), ..done.display.clone() };
    let mut found: Vec<&Finding> =
        report.findings.iter().filter(|finding| finding.is_open() && display.shows(finding)).collect();
    found.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let shown = &found[..found.len().min(most)];
    let (digest, text) = (digest(&found, shown), text(&found, shown));
    let mut digest = json!({
        "score": report.score.total,
        "grade": report.score.grade,
        "findings_total": found.len(),
        "counts": digest.counts,
        "findings": digest.findings,
        "suggestions": digest.suggestions,
    });
    if let Some(change) = &report.change {
        digest["change"] = json!(change);
    }
    if !report.notes.is_empty() {
        digest["notes"] = json!(report.notes);
    }
    if let Some(text) = &done.text {
        digest["text"] = json!(text);
    }
    let text = format!("score {:.0} ({}), {text}", report.score.total, report.score.grade);
    Answer::digest(call, &digest, &done, "review.json", text)
}

/// What the structured answer holds of findings: each once, and what to do about a rule's findings once for all of them.
struct Digest {
    counts: BTreeMap<&'static str, usize>,
    findings: Vec<Value>,
    suggestions: Map<String, Value>,
}

fn digest(found: &[&Finding], shown: &[&Finding]) -> Digest {
    let mut digest = Digest { counts: BTreeMap::new(), findings: Vec::new(), suggestions: Map::new() };
    for finding in found {
        *digest.counts.entry(Severity::word(finding.severity)).or_default() += 1;
    }
    for finding in shown {
        let mut short = json!({
            "file": finding.file,
            "line": finding.span.start_line,
            "severity": finding.severity,
            "rule": finding.rule,
            "message": finding.message,
        });
        let suggestion = finding.suggestion.to_string();
        if !suggestion.is_empty() {
            let usual = digest
                .suggestions
                .entry(finding.rule.clone().into_owned())
                .or_insert_with(|| json!(suggestion));
            if *usual != suggestion {
                short["suggestion"] = json!(suggestion);
            }
        }
        if finding.fix.is_some() {
            short["fixable"] = json!(true);
        }
        digest.findings.push(short);
    }
    digest
}

fn text(found: &[&Finding], shown: &[&Finding]) -> String {
    let mut text = format!("{} findings\n", found.len());
    for finding in shown {
        let _ = writeln!(
            text,
            "{}:{} {} [{}] {}",
            finding.file, finding.span.start_line, finding.severity, finding.rule, finding.message
        );
    }
    if shown.len() < found.len() {
        let _ = writeln!(text, "… {} more", found.len() - shown.len());
    }
    text
}

/// The shape of a digest.
pub(super) fn output() -> Value {
    json!({
        "type": "object",
        "properties": {
            "score": {"type": "number"},
            "grade": {"type": "string"},
            "counts": {"type": "object"},
            "findings": {"type": "array", "items": {"type": "object"}},
            "findings_total": {"type": "integer"},
            "suggestions": {"type": "object"},
            "full": {"type": "string"},
        },
        "required": ["score", "grade", "findings", "findings_total"],
    })
}
