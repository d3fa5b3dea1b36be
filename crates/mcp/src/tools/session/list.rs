//! `session_list`.

use crate::answer::Answer;
use crate::call::Call;
use crate::schema;
use crate::tools::{Nature, Spec};
use formicary_model::{Failure, NoInput};
use formicary_platform::sessions::ListSessions;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

pub(in crate::tools) const TOOL: Spec = Spec {
    name: "session_list",
    about: "List the sessions with language, state and age.",
    nature: Nature::Reads,
    input: schema::of::<NoInput>,
    output: None,
    run,
};

fn run(call: &Call, arguments: Map<String, Value>) -> Result<Answer, Failure> {
    let sessions = call.perform::<ListSessions>(arguments, &[])?.items;
    let mut text = format!("{} sessions\n", sessions.len());
    for session in &sessions {
        let _ = writeln!(
            text,
            "{}: {}, {}, {} cells",
            session.id,
            session.language,
            session.state.word(),
            session.execution_count
        );
    }
    Answer::new(call, &json!({ "sessions": sessions }), text)
}
