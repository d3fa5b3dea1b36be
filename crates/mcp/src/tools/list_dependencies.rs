//! `list_dependencies`: which file needs which.

use super::Spec;
use crate::abridge::said;
use crate::answer::Answer;
use crate::call::Call;
use formicary_model::Failure;
use formicary_model::patterns::Dependency;
use formicary_platform::patterns::Dependencies;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// Entries that the text names; the structured answer has more.
const MOST_NAMED: usize = 50;

pub(super) const TOOL: Spec = Spec::of::<Dependencies>(
    "list_dependencies",
    "Which file imports which, of the whole project or of one file or folder; reverse tells who needs it.",
    Some(
        || json!({"type": "object", "properties": {"items": {"type": "array", "items": {"type": "object"}}}, "required": ["items"]}),
    ),
    run,
);

fn run(call: &Call, arguments: Map<String, Value>) -> Result<Answer, Failure> {
    let found = call.perform::<Dependencies>(arguments, &[])?;
    let mut text = format!("{} dependencies\n", found.items.len());
    for one in found.items.iter().take(MOST_NAMED) {
        let _ = writeln!(text, "{}:{} needs {}", one.from, one.line, one.to);
    }
    let slim = |one: &Dependency| {
        said([
            ("from", json!(one.from)),
            ("line", json!(one.line)),
            ("to", json!(one.to)),
            ("external", json!(!one.internal)),
        ])
    };
    let items: Vec<Value> = found.items.iter().take(MOST_NAMED).map(slim).collect();
    let digest = json!({ "items": items, "total": found.items.len() });
    Answer::digest(call, &digest, &found, "dependencies.json", text)
}
