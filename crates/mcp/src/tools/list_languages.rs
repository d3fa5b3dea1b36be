//! `list_languages`: what can run here.

use super::{Nature, Spec};
use crate::answer::Answer;
use crate::call::Call;
use crate::inputs::read;
use crate::schema;
use formicary_model::Failure;
use formicary_platform::Availability;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::fmt::Write as _;

pub(super) const TOOL: Spec = Spec {
    name: "list_languages",
    about: "List languages with their aliases, file endings and whether they can run here.",
    nature: Nature::Reads,
    input: schema::of::<Nothing>,
    output: Some(
        || json!({"type": "object", "properties": {"languages": {"type": "array", "items": {"type": "object"}}}, "required": ["languages"]}),
    ),
    run: |call, arguments| run(call, &read(arguments)?),
};

/// No input at all.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

fn run(call: &Call, _: &Nothing) -> Result<Answer, Failure> {
    let languages = call.platform().languages();
    let mut text = String::new();
    for language in &languages {
        let here = match &language.availability {
            Availability::Available { .. } => "yes".to_owned(),
            Availability::Missing { why, remedy } => format!("no: {why}; {remedy}"),
        };
        let _ = writeln!(text, "{}: {here}", language.id);
    }
    Answer::new(call, &json!({ "languages": languages }), text)
}
