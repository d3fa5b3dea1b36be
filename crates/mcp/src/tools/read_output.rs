//! `read_output`: the rest of what an answer had to leave out, for models whose client reads no resources for them.

use super::{Effect, Spec};
use crate::answer::Answer;
use crate::call::Call;
use crate::inputs::{invalid, read};
use crate::schema;
use formicary_model::Failure;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// Characters in one answer.
const MOST: usize = 8_000;

pub(super) const TOOL: Spec = Spec {
    name: "read_output",
    about: "Read a part of a kept output or file by its formicary:// address (full, uri or a resource link of an earlier answer).",
    effect: Effect::Reads,
    scope: None,
    input: schema::of::<Input>,
    output: None,
    run: |call, arguments| run(call, &read(arguments)?),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    uri: String,
    /// First byte
    #[serde(default)]
    offset: usize,
    /// Bytes, at most 8000
    #[serde(default)]
    limit: Option<usize>,
}

fn run(call: &Call, input: &Input) -> Result<Answer, Failure> {
    let kept = call.store().find(&input.uri).ok_or_else(|| {
        invalid(
            format!("{} is not kept, or no longer", input.uri),
            "only the newest outputs are kept; run it again",
        )
    })?;
    let text = kept.text().ok_or_else(|| {
        invalid(format!("{} is not text ({})", kept.name, kept.mime), "read it as a resource")
    })?;
    let (start, end) = (
        boundary(text, input.offset),
        boundary(text, input.offset.saturating_add(input.limit.unwrap_or(MOST).min(MOST))),
    );
    let part = &text[start..end];
    let next = (end < text.len()).then_some(end);
    Answer::new(
        call,
        &json!({"text": part, "offset": start, "next_offset": next, "size": text.len()}),
        part.to_owned(),
    )
}

fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
