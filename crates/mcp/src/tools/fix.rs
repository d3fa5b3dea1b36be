//! `fix`: a program fixed by its tests.

use super::{Spec, execute_code};
use crate::answer::{Answer, value};
use crate::call::Call;
use crate::inputs::path_alone;
use formicary_model::{Failure, FixReport};
use formicary_platform::debugging::Fix;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

pub(super) const TOOL: Spec = Spec::of::<Fix>(
    "fix",
    "Repair a program by its tests, without a language model: searches for patches and verifies each with the tests in \
            the sandbox. Give paths (one file or directory), files or code. Returns verified patches as diffs, best first, each \
            with its evidence and caveats. Without tests the status is suggested: candidates by rule, nothing verified. Writes only \
            a verified patch, if write is set and the server allows it.",
    Some(
        || json!({"type": "object", "properties": {"status": {"enum": ["fixed", "suggested", "not_fixed", "nothing_wrong"]}, "patches": {"type": "array", "items": {"type": "object"}}, "written": {"type": "array", "items": {"type": "string"}}}, "required": ["status", "patches"]}),
    ),
    run,
);

/// Former names of arguments.
const FORMER: [(&str, &str); 3] =
    [("max_attempts", "candidates"), ("apply", "write"), ("timeout_seconds", "seconds")];

fn run(call: &Call, mut arguments: Map<String, Value>) -> Result<Answer, Failure> {
    if let Some(target) = arguments.remove("target") {
        arguments.entry("path").or_insert(target);
    }
    path_alone(&mut arguments);
    let report = call.perform::<Fix>(arguments, &FORMER)?;
    Answer::digest(call, &slim(&report)?, &report, "fix.json", text(&report))
}

/// The report without whole files and protections: the diffs say the same.
fn slim(report: &FixReport) -> Result<Value, Failure> {
    let mut slim = value(report)?;
    for patch in slim["patches"].as_array_mut().into_iter().flatten() {
        if let Value::Object(fields) = patch {
            fields.remove("files");
            let verified = fields.remove("verification").map(|verification| verification["verified"].clone());
            fields.insert("verified".into(), verified.unwrap_or(Value::Bool(false)));
        }
    }
    slim["written"] = json!(report.written);
    if let Some(suspects) = slim["suspects"].as_array_mut() {
        suspects.truncate(10);
    }
    Ok(slim)
}

fn text(report: &FixReport) -> String {
    let mut text =
        format!("{}: {} candidates in {:.1} s\n", report.status.word(), report.candidates, report.seconds);
    for patch in report.patches.iter().take(3) {
        let _ = writeln!(
            text,
            "{}. {} ({})\n{}",
            patch.rank,
            patch.explanation,
            patch.evidence.word(),
            patch.diff
        );
        for caveat in &patch.caveats {
            let _ = writeln!(text, "caveat: {caveat}");
        }
    }
    if report.patches.is_empty() {
        execute_code::section(&mut text, "tests", &report.baseline.output);
    }
    for note in &report.notes {
        let _ = writeln!(text, "note: {note}");
    }
    if !report.written.is_empty() {
        let _ = writeln!(text, "written: {}", report.written.join(", "));
    }
    text
}
