//! `session_list`.

use crate::answer::Answer;
use crate::call::Call;
use crate::tools::Spec;
use formicary_model::Failure;
use formicary_platform::sessions::ListSessions;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

pub(in crate::tools) const TOOL: Spec =
    Spec::of::<ListSessions>("session_list", "List the sessions with language, state and age.", None, run);

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
