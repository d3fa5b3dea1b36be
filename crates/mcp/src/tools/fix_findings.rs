//! `fix_findings`: what a review can fix by itself.

use super::Spec;
use crate::answer::Answer;
use crate::call::Call;
use formicary_model::Failure;
use formicary_platform::review::FixFindings;
use serde_json::{Map, Value, json};

pub(super) const TOOL: Spec = Spec::of::<FixFindings>(
    "fix_findings",
    "Fix what a review can fix by itself, such as unused imports. Returns the diff; write changes the files.",
    Some(
        || json!({"type": "object", "properties": {"applied": {"type": "integer"}, "left": {"type": "integer"}, "changes": {"type": "array", "items": {"type": "object"}}, "written": {"type": "boolean"}}, "required": ["applied", "changes"]}),
    ),
    run,
);

fn run(call: &Call, arguments: Map<String, Value>) -> Result<Answer, Failure> {
    let fixed = call.perform::<FixFindings>(arguments, &[])?;
    let mut text = format!("{} fixed, {} left\n", fixed.applied, fixed.left);
    fixed.changes.iter().for_each(|change| text.push_str(&change.diff));
    Answer::new(call, &fixed, text)
}
