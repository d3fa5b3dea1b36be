//! `session_close`.

use super::Which;
use crate::answer::Answer;
use crate::call::Call;
use crate::inputs::read;
use crate::schema;
use crate::tools::{Nature, Spec};
use formicary_model::Failure;
use serde_json::json;

pub(in crate::tools) const TOOL: Spec = Spec {
    name: "session_close",
    about: "End a session; its variables and files are gone.",
    nature: Nature::Discards,
    input: schema::of::<Which>,
    output: None,
    run: |call, arguments| run(call, &read(arguments)?),
};

fn run(call: &Call, input: &Which) -> Result<Answer, Failure> {
    // Found first: what is not the caller's is not there.
    drop(call.session(&input.id)?);
    call.platform().sessions()?.close(&call.inside(&input.id))?;
    Answer::new(call, &json!({ "closed": [input.id] }), format!("session {} is closed\n", input.id))
}
