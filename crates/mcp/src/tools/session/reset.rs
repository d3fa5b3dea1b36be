//! `session_reset`.

use crate::answer::Answer;
use crate::call::Call;
use crate::tools::Spec;
use formicary_model::{Failure, SessionId};
use formicary_platform::sessions::ResetSession;
use serde_json::{Map, Value, json};

pub(in crate::tools) const TOOL: Spec = Spec::of::<ResetSession>(
    "session_reset",
    "Forget the variables of a session; its files are kept.",
    None,
    run,
);

fn run(call: &Call, arguments: Map<String, Value>) -> Result<Answer, Failure> {
    let input: SessionId = call.read::<ResetSession>(arguments)?;
    call.perform_read::<ResetSession>(input.clone())?;
    Answer::new(call, &json!({ "reset": input.id }), format!("session {} is reset\n", input.id))
}
