//! `session_remove`.

use crate::answer::Answer;
use crate::call::Call;
use crate::inputs::read;
use crate::schema;
use crate::tools::{Nature, Spec};
use formicary_model::Failure;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

pub(in crate::tools) const TOOL: Spec = Spec {
    name: "session_remove",
    about: "Remove files of a session's working folder.",
    nature: Nature::Discards,
    input: schema::of::<Input>,
    output: None,
    run: |call, arguments| run(call, &read(arguments)?),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    id: String,
    paths: Vec<String>,
}

fn run(call: &Call, input: &Input) -> Result<Answer, Failure> {
    let session = call.session(&input.id)?;
    input.paths.iter().try_for_each(|path| session.remove(path))?;
    let text = format!("{} files removed\n", input.paths.len());
    Answer::new(call, &json!({ "removed": input.paths }), text)
}
