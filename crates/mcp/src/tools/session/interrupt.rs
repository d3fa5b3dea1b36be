//! `session_interrupt`.

use super::Which;
use crate::answer::Answer;
use crate::call::Call;
use crate::inputs::read;
use crate::schema;
use crate::tools::{Nature, Spec};
use formicary_model::Failure;
use serde_json::json;

pub(in crate::tools) const TOOL: Spec = Spec {
    name: "session_interrupt",
    about: "Interrupt the cell that runs in a session; variables are kept.",
    nature: Nature::Settles,
    input: schema::of::<Which>,
    output: None,
    run: |call, arguments| run(call, &read(arguments)?),
};

fn run(call: &Call, input: &Which) -> Result<Answer, Failure> {
    let running = call.session(&input.id)?.interrupt();
    let text = if running { "interrupted\n" } else { "nothing runs there\n" };
    Answer::new(call, &json!({ "interrupted": running }), text.to_owned())
}
