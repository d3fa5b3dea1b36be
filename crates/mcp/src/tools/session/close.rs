//! `session_close`.

use crate::answer::Answer;
use crate::call::Call;
use crate::schema;
use crate::tools::{Nature, Spec};
use formicary_model::{Failure, SessionId};
use formicary_platform::sessions::CloseSession;
use serde_json::{Map, Value, json};

pub(in crate::tools) const TOOL: Spec = Spec {
    name: "session_close",
    about: "End a session; its variables and files are gone.",
    nature: Nature::Discards,
    input: schema::of::<SessionId>,
    output: None,
    run,
};

fn run(call: &Call, arguments: Map<String, Value>) -> Result<Answer, Failure> {
    let input: SessionId = call.read::<CloseSession>(arguments)?;
    call.perform_read::<CloseSession>(input.clone())?;
    Answer::new(call, &json!({ "closed": [input.id] }), format!("session {} is closed\n", input.id))
}
