//! `find_calls`: who calls a function, or whom it calls.

use super::{Nature, Spec, index};
use crate::answer::Answer;
use crate::call::Call;
use crate::inputs::{Code, files_schema, invalid, read};
use crate::schema;
use formicary_model::Failure;
use formicary_platform::uploads::UploadedFile;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::fmt::Write as _;

/// Calls of calls that may be asked for.
const DEEPEST: usize = 32;

pub(super) const TOOL: Spec = Spec {
    name: "find_calls",
    about: "Who calls a function (side: callers), or whom it calls (callees), with each call's place and whether scopes and \
            imports prove it.",
    nature: Nature::Reads,
    input: schema::of::<Input>,
    output: Some(
        || json!({"type": "object", "properties": {"calls": {"type": "array", "items": {"type": "object"}}}, "required": ["calls"]}),
    ),
    run: |call, arguments| run(call, read(arguments)?),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    name: String,
    /// callers or callees
    side: String,
    #[serde(default)]
    paths: Vec<String>,
    #[serde(default)]
    #[schemars(schema_with = "files_schema")]
    files: Vec<UploadedFile>,
    /// Calls of calls, default 1
    #[serde(default)]
    depth: Option<usize>,
    /// Only proven ones
    #[serde(default)]
    certain: bool,
}

fn run(call: &Call, input: Input) -> Result<Answer, Failure> {
    let depth = input.depth.unwrap_or(1);
    if !(1..=DEEPEST).contains(&depth) {
        return Err(invalid(format!("depth {depth} is not possible"), format!("give 1 to {DEEPEST}")));
    }
    let callers = match input.side.as_str() {
        "callers" => true,
        "callees" => false,
        other => return Err(invalid(format!("unknown side {other}"), "sides: callers, callees")),
    };
    let (_place, _, index) = index::of(call, &Code { paths: input.paths, files: input.files })?;
    let found = if callers {
        call.platform().callers(&index, &input.name, depth, input.certain)?
    } else {
        call.platform().callees(&index, &input.name, depth, input.certain)?
    };
    let mut text = format!("{} calls\n", found.len());
    for one in found.iter().take(index::MOST_NAMED) {
        let sure = if one.certain { "" } else { " (by name alone)" };
        let caller = if one.caller.is_empty() { "the file itself" } else { &one.caller };
        let line = one.span.start_line;
        let _ = writeln!(text, "{}:{line} {caller} calls {}{sure}", one.file, one.callee);
    }
    Answer::new(call, &json!({ "calls": found }), text)
}
