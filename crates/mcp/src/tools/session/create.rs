//! `session_create`.

use crate::answer::Answer;
use crate::call::Call;
use crate::tools::Spec;
use formicary_model::Failure;
use formicary_platform::sessions::CreateSession;
use serde_json::{Map, Value, json};

pub(in crate::tools) const TOOL: Spec = Spec::of::<CreateSession>(
    "session_create",
    "Start a sandbox that keeps variables and files between session_run calls (Python, JavaScript, Bash keep variables; \
            other languages files only). Returns its id.",
    Some(
        || json!({"type": "object", "properties": {"id": {"type": "string"}, "language": {"type": "string"}, "keeps_state": {"type": "boolean"}}, "required": ["id", "language"]}),
    ),
    run,
);

fn run(call: &Call, arguments: Map<String, Value>) -> Result<Answer, Failure> {
    let info = call.perform::<CreateSession>(arguments, &[])?;
    let state = if info.keeps_state { "variables and files" } else { "files" };
    let text = format!("session {} ({}) keeps {state}\n", info.id, info.language);
    Answer::new(call, &info, text)
}
