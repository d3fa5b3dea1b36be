//! `find_calls`: who calls a function, or whom it calls.

use super::Spec;
use crate::abridge::said;
use crate::answer::Answer;
use crate::call::Call;
use formicary_model::Failure;
use formicary_platform::patterns::Calls;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// Entries that the text names; the structured answer has more.
const MOST_NAMED: usize = 50;

pub(super) const TOOL: Spec = Spec::of::<Calls>(
    "find_calls",
    "Who calls a function (side: callers), or whom it calls (callees), with each call's place and whether scopes and \
            imports prove it.",
    Some(
        || json!({"type": "object", "properties": {"items": {"type": "array", "items": {"type": "object"}}}, "required": ["items"]}),
    ),
    run,
);

fn run(call: &Call, arguments: Map<String, Value>) -> Result<Answer, Failure> {
    let found = call.perform::<Calls>(arguments, &[])?;
    let mut text = format!("{} calls\n", found.items.len());
    for one in found.items.iter().take(MOST_NAMED) {
        let sure = if one.certain { "" } else { " (by name alone)" };
        let caller = if one.caller.is_empty() { "the file itself" } else { &one.caller };
        let line = one.span.start_line;
        let _ = writeln!(text, "{}:{line} {caller} calls {}{sure}", one.file, one.callee);
    }
    let slim = |one: &formicary_model::patterns::Call| {
        said([
            ("caller", json!(one.caller)),
            ("callee", json!(one.callee)),
            ("file", json!(one.file)),
            ("line", json!(one.span.start_line)),
            ("by_name_alone", json!(!one.certain)),
        ])
    };
    let items: Vec<Value> = found.items.iter().take(MOST_NAMED).map(slim).collect();
    let digest = json!({ "items": items, "total": found.items.len() });
    Answer::digest(call, &digest, &found, "calls.json", text)
}
