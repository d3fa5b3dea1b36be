//! `detect_refactorings`: what a change consists of.

use super::Spec;
use crate::answer::Answer;
use crate::call::Call;
use formicary_model::Failure;
use formicary_platform::patterns::Refactorings;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

pub(super) const TOOL: Spec = Spec::of::<Refactorings>(
    "detect_refactorings",
    "Tell which refactorings a change consists of (renames, moves, extractions, …) and which lines none explains: those \
            change behaviour. Give two git revisions, folders or files of the project, or both versions as lists of files.",
    Some(
        || json!({"type": "object", "properties": {"refactorings": {"type": "array", "items": {"type": "object"}}, "unexplained": {"type": "array", "items": {"type": "object"}}}, "required": ["refactorings", "unexplained"]}),
    ),
    run,
);

fn run(call: &Call, arguments: Map<String, Value>) -> Result<Answer, Failure> {
    let renamed = [("files_before", "before"), ("files_after", "after")];
    let report = call.perform::<Refactorings>(arguments, &renamed)?;
    let mut text = format!(
        "{} refactorings explain {} of {} changed lines\n",
        report.refactorings.len(),
        report.explained_lines,
        report.changed_lines
    );
    for one in &report.refactorings {
        let _ = writeln!(text, "{} ({}:{})", one.description, one.after.file, one.after.first_line);
    }
    for lines in &report.unexplained {
        let _ =
            writeln!(text, "to read: {}: added {:?}, removed {:?}", lines.file, lines.added, lines.removed);
    }
    for note in &report.notes {
        let line = note.line.map(|line| format!(":{line}")).unwrap_or_default();
        let _ = writeln!(text, "note: {}{line}: {}", note.file.as_deref().unwrap_or_default(), note.message);
    }
    Answer::new(call, &report, text)
}
