//! `undo_change`: takes back what `rewrite_pattern` or `refactor` wrote.

use super::Spec;
use crate::answer::Answer;
use crate::call::Call;
use formicary_model::Failure;
use formicary_platform::patterns::Undo;
use serde_json::{Map, Value, json};

pub(super) const TOOL: Spec = Spec::of::<Undo>(
    "undo_change",
    "Take back a change that rewrite_pattern or refactor wrote, by its name, or the last one.",
    Some(
        || json!({"type": "object", "properties": {"change": {"type": "string"}, "restored": {"type": "array", "items": {"type": "string"}}}, "required": ["change", "restored"]}),
    ),
    run,
);

fn run(call: &Call, arguments: Map<String, Value>) -> Result<Answer, Failure> {
    let undone = call.perform::<Undo>(arguments, &[])?;
    Answer::new(call, &undone, format!("taken back: {}\n", undone.restored.join(", ")))
}
