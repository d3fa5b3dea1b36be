//! `session_files`.

use super::Which;
use crate::answer::Answer;
use crate::call::Call;
use crate::inputs::read;
use crate::schema;
use crate::tools::{Nature, Spec};
use formicary_model::Failure;
use serde_json::json;
use std::fmt::Write as _;

pub(in crate::tools) const TOOL: Spec = Spec {
    name: "session_files",
    about: "List the files of a session's working folder.",
    nature: Nature::Reads,
    input: schema::of::<Which>,
    output: None,
    run: |call, arguments| run(call, &read(arguments)?),
};

fn run(call: &Call, input: &Which) -> Result<Answer, Failure> {
    let files = call.session(&input.id)?.files()?;
    let mut text = String::new();
    for file in &files {
        let _ = writeln!(text, "{} ({} bytes)", file.path, file.size);
    }
    Answer::new(call, &json!({ "files": files }), text)
}
