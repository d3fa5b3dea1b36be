//! `session_list`.

use crate::answer::Answer;
use crate::call::Call;
use crate::inputs::read;
use crate::schema;
use crate::tools::list_languages::Nothing;
use crate::tools::{Nature, Spec};
use formicary_model::{Failure, SessionInfo};
use serde_json::json;
use std::fmt::Write as _;

pub(in crate::tools) const TOOL: Spec = Spec {
    name: "session_list",
    about: "List the sessions with language, state and age.",
    nature: Nature::Reads,
    input: schema::of::<Nothing>,
    output: None,
    run: |call, arguments| run(call, &read(arguments)?),
};

fn run(call: &Call, _: &Nothing) -> Result<Answer, Failure> {
    let all = call.platform().sessions()?.list().into_iter();
    let sessions: Vec<SessionInfo> = all.filter_map(|info| call.outside(info)).collect();
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
