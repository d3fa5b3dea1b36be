//! `rewrite_pattern`: code changed by its shape.

use super::Spec;
use crate::answer::Answer;
use crate::call::Call;
use formicary_model::Failure;
use formicary_model::patterns::FileChange;
use formicary_platform::patterns::Rewrite;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

pub(super) const TOOL: Spec = Spec::of::<Rewrite>(
    "rewrite_pattern",
    "Rewrite code by structure: pattern as in search_pattern, `to` with the same metavariables, or rules that have \
            fixes. Returns diffs; writes only if `write` is set and the server allows it, and then names the change for undo_change.",
    Some(changes),
    run,
);

/// The shape of what changes files.
pub(super) fn changes() -> Value {
    json!({"type": "object", "properties": {"changes": {"type": "array", "items": {"type": "object"}}, "written": {"type": "boolean"}, "undo": {"type": "string"}}, "required": ["changes", "written"]})
}

fn run(call: &Call, arguments: Map<String, Value>) -> Result<Answer, Failure> {
    let report = call.perform::<Rewrite>(arguments, &[("replacement", "to"), ("apply", "write")])?;
    let mut text = shown(&report.changes, report.written, report.undo.as_deref());
    for left in &report.left {
        let _ = writeln!(text, "left alone: {}: {}", left.file, left.why);
    }
    Answer::new(call, &report, text)
}

/// Changes of files in words.
pub(super) fn shown(changes: &[FileChange], written: bool, undo: Option<&str>) -> String {
    let places: usize = changes.iter().map(|change| change.places).sum();
    let how = if written { "written" } else { "not written" };
    let mut text = format!("{places} places in {} files, {how}\n", changes.len());
    if let Some(undo) = undo {
        let _ = writeln!(text, "undo: {undo}");
    }
    changes.iter().for_each(|change| text.push_str(&change.diff));
    text
}
