//! `session_create`.

use crate::answer::Answer;
use crate::call::Call;
use crate::schema;
use crate::tools::{Nature, Spec};
use formicary_model::{Failure, SessionRequest};
use formicary_platform::sessions::CreateSession;
use serde_json::{Map, Value, json};

pub(in crate::tools) const TOOL: Spec = Spec {
    name: "session_create",
    about: "Start a sandbox that keeps variables and files between session_run calls (Python, JavaScript, Bash keep variables; \
            other languages files only). Returns its id.",
    nature: Nature::Fetches,
    input: schema::of::<SessionRequest>,
    output: Some(
        || json!({"type": "object", "properties": {"id": {"type": "string"}, "language": {"type": "string"}, "keeps_state": {"type": "boolean"}}, "required": ["id", "language"]}),
    ),
    run,
};

fn run(call: &Call, arguments: Map<String, Value>) -> Result<Answer, Failure> {
    let info = call.perform::<CreateSession>(arguments, &[])?;
    let state = if info.keeps_state { "variables and files" } else { "files" };
    let text = format!("session {} ({}) keeps {state}\n", info.id, info.language);
    Answer::new(call, &info, text)
}
