//! What the tools that review share: one call of the platform, findings in few words.

use crate::call::{Call, Workplace};
use crate::inputs::invalid;
use formicary_model::Failure;
use formicary_model::review::{Category, Finding, ReviewReport, Severity};
use formicary_platform::review::{ReviewDone, ReviewOptions};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Findings told where nobody says how many.
pub(super) const USUAL: usize = 50;

/// Reviews what the workplace holds.
pub(super) fn review(
    call: &Call,
    place: &Workplace,
    new: Option<&str>,
    tools: Vec<String>,
) -> Result<ReviewDone, Failure> {
    let options = ReviewOptions {
        working_folder: place.folder.clone(),
        paths: place.paths.clone(),
        new: new.map(|new| place.root.revision(new)).transpose()?,
        tools,
        // Folders of requests are never seen again: what is known of their files is not worth keeping.
        cache: call.settings().review_cache.clone().filter(|_| place.is_project()),
        ..ReviewOptions::default()
    };
    call.watched(|watch| call.platform().review(&options, watch))
}

/// Which findings are told.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    pub(super) types: Vec<Category>,
    pub(super) severity: Option<Severity>,
    pub(super) only_new: bool,
    pub(super) most: usize,
}

impl Wanted {
    /// From the words of an input.
    pub(super) fn read(
        types: &[String],
        severity: Option<&str>,
        only_new: bool,
        most: Option<usize>,
    ) -> Result<Self, Failure> {
        let category = |word: &String| {
            Category::from_word(word).ok_or_else(|| {
                let known = Category::ALL.map(Category::word).join(", ");
                invalid(format!("unknown type {word}"), format!("types: {known}"))
            })
        };
        let severity = severity.map(|word| {
            Severity::from_word(word).ok_or_else(|| {
                let known = Severity::ALL.map(Severity::word).join(", ");
                invalid(format!("unknown severity {word}"), format!("severities: {known}"))
            })
        });
        let types = types.iter().map(category).collect::<Result<_, _>>()?;
        Ok(Self { types, severity: severity.transpose()?, only_new, most: most.unwrap_or(USUAL) })
    }

    fn wants(&self, finding: &Finding) -> bool {
        finding.is_open()
            && (self.types.is_empty() || self.types.contains(&finding.category))
            && self.severity.is_none_or(|least| finding.severity >= least)
            && (!self.only_new || finding.standing.is_blamed())
    }
}

/// A review in few words: the score, what was found, worst first, and what a change did.
pub(super) fn digest(report: &ReviewReport, wanted: &Wanted) -> (Value, String) {
    let mut found: Vec<&Finding> = report.findings.iter().filter(|finding| wanted.wants(finding)).collect();
    found.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let count = |severity: Severity| found.iter().filter(|finding| finding.severity == severity).count();
    let counts: serde_json::Map<String, Value> = Severity::ALL
        .iter()
        .rev()
        .map(|severity| (severity.word().to_owned(), count(*severity).into()))
        .collect();
    let shown = &found[..found.len().min(wanted.most)];
    let mut digest = json!({
        "score": report.score.total,
        "grade": report.score.grade,
        "counts": counts,
        "findings": shown.iter().map(|finding| short(finding)).collect::<Vec<_>>(),
        "findings_total": found.len(),
    });
    if let Some(change) = &report.change {
        digest["change"] = json!(change);
    }
    if !report.notes.is_empty() {
        digest["notes"] = json!(report.notes);
    }
    let mut text =
        format!("score {:.0} ({}), {} findings\n", report.score.total, report.score.grade, found.len());
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
    (digest, text)
}

fn short(finding: &Finding) -> Value {
    let mut short = json!({
        "file": finding.file,
        "line": finding.span.start_line,
        "severity": finding.severity,
        "category": finding.category,
        "rule": finding.rule,
        "message": finding.message,
    });
    let further = [
        ("suggestion", Some(finding.suggestion.to_string()).filter(|text| !text.is_empty())),
        ("symbol", finding.symbol.clone()),
        ("fix", finding.fix.as_ref().map(|fix| fix.description.clone())),
    ];
    for (key, value) in further {
        if let Some(value) = value {
            short[key] = value.into();
        }
    }
    if !finding.standing.is_unknown() {
        short["standing"] = json!(finding.standing);
    }
    short
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
            "full": {"type": "string"},
        },
        "required": ["score", "grade", "findings", "findings_total"],
    })
}
