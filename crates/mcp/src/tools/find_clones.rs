//! `find_clones`: copies of code.

use super::{Effect, Spec};
use crate::answer::Answer;
use crate::call::Call;
use formicary_model::Failure;
use formicary_platform::patterns::Clones;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

pub(super) const TOOL: Spec = Spec::of::<Clones>(
    "find_clones",
    "Find duplicated code: exact, renamed, edited and functionally equal copies, as groups of places. With new also copies \
            that a change edited in one place and not in another.",
    Some(
        || json!({"type": "object", "properties": {"groups": {"type": "array", "items": {"type": "object"}}, "duplication_percent": {"type": "number"}}, "required": ["groups"]}),
    ),
    run,
)
.with(Effect::Reads);

fn run(call: &Call, arguments: Map<String, Value>) -> Result<Answer, Failure> {
    let report = call.perform::<Clones>(arguments, &[("min_lines", "lines"), ("min_tokens", "tokens")])?;
    let mut text =
        format!("{} groups, {:.1} % duplicated\n", report.groups.len(), report.duplication_percent);
    for group in report.groups.iter().take(50) {
        let places: Vec<String> = group
            .places
            .iter()
            .map(|place| format!("{}:{}-{}", place.file, place.first_line, place.last_line))
            .collect();
        let _ = writeln!(text, "{} {}: {}", group.kind.word(), group.level.word(), places.join(", "));
    }
    Answer::new(call, &report, text)
}
