//! `session_reset`.

use super::Which;
use crate::answer::Answer;
use crate::call::Call;
use crate::inputs::read;
use crate::schema;
use crate::tools::{Nature, Spec};
use formicary_model::Failure;
use serde_json::json;

pub(in crate::tools) const TOOL: Spec = Spec {
    name: "session_reset",
    about: "Forget the variables of a session; its files are kept.",
    nature: Nature::Discards,
    input: schema::of::<Which>,
    output: None,
    run: |call, arguments| run(call, &read(arguments)?),
};

fn run(call: &Call, input: &Which) -> Result<Answer, Failure> {
    call.session(&input.id)?.reset()?;
    Answer::new(call, &json!({ "reset": input.id }), format!("session {} is reset\n", input.id))
}
