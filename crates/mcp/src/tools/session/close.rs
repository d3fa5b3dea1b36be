//! `session_close`.

use crate::answer::Answer;
use crate::call::Call;
use crate::tools::Spec;
use formicary_model::{Failure, SessionId};
use formicary_platform::sessions::CloseSession;
use serde_json::{Map, Value, json};

pub(in crate::tools) const TOOL: Spec =
    Spec::of::<CloseSession>("session_close", "End a session; its variables and files are gone.", None, run);

fn run(call: &Call, arguments: Map<String, Value>) -> Result<Answer, Failure> {
    let input: SessionId = call.read::<CloseSession>(arguments)?;
    call.perform_read::<CloseSession>(input.clone())?;
    Answer::new(call, &json!({ "closed": [input.id] }), format!("session {} is closed\n", input.id))
}
