//! `search_pattern`: code by its shape.

use super::Spec;
use crate::abridge::said;
use crate::answer::{Answer, value};
use crate::call::Call;
use formicary_model::Failure;
use formicary_model::patterns::SearchReport;
use formicary_platform::patterns::Search;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// Characters of a match, or of what a metavariable took.
const MOST: usize = 120;

pub(super) const TOOL: Spec = Spec::of::<Search>(
    "search_pattern",
    "Search code by structure. The pattern is code in which $X stands for any expression and $$$ for any number of them: \
            `requests.get($URL, $$$)`. Layout does not matter. Or use rules: shipped ones, `all`, or YAML files of the project. If \
            nothing matches, nearest tells where it came close.",
    Some(
        || json!({"type": "object", "properties": {"matches": {"type": "array", "items": {"type": "object"}}, "files": {"type": "integer"}}, "required": ["matches"]}),
    ),
    run,
);

fn run(call: &Call, arguments: Map<String, Value>) -> Result<Answer, Failure> {
    let report = call.perform::<Search>(arguments, &[])?;
    let mut text = format!("{} matches in {} files\n", report.matches.len(), report.files);
    for found in report.matches.iter().take(100) {
        let line = found.text.lines().next().unwrap_or_default();
        let line: String = line.chars().take(160).collect();
        let _ = writeln!(text, "{}:{}: {line}", found.file, found.span.start_line);
    }
    for near in &report.nearest {
        let _ = writeln!(text, "nearest in {}: {}", near.language.id(), near.why);
    }
    Answer::digest(call, &slim(&report)?, &report, "matches.json", text)
}

/// The beginning of a long text; the whole is under full.
fn short(text: &str) -> String {
    let mut short: String = text.chars().take(MOST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// Each match with its place and what the metavariables took, without what the pattern says already.
fn slim(report: &SearchReport) -> Result<Value, Failure> {
    let matches = report.matches.iter().map(|found| {
        let captures: Map<String, Value> = found
            .captures
            .iter()
            .map(|(name, captured)| (name.clone(), json!(short(&captured.text))))
            .collect();
        said([
            ("rule", json!(found.rule)),
            ("message", json!(found.message)),
            ("file", json!(found.file)),
            ("line", json!(found.span.start_line)),
            ("column", json!(found.span.start_column)),
            ("text", json!(short(&found.text))),
            ("captures", Value::Object(captures)),
        ])
    });
    let matches: Vec<Value> = matches.collect();
    let mut slim = said([
        ("files", json!(report.files)),
        ("skipped", value(&report.skipped)?),
        ("nearest", value(&report.nearest)?),
    ]);
    slim["matches"] = json!(matches);
    Ok(slim)
}
