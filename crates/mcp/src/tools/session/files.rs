//! `session_files`.

use crate::answer::Answer;
use crate::call::Call;
use crate::schema;
use crate::tools::{Nature, Spec};
use formicary_model::{Failure, SessionId};
use formicary_platform::sessions::ListFiles;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

pub(in crate::tools) const TOOL: Spec = Spec {
    name: "session_files",
    about: "List the files of a session's working folder.",
    nature: Nature::Reads,
    input: schema::of::<SessionId>,
    output: None,
    run,
};

fn run(call: &Call, arguments: Map<String, Value>) -> Result<Answer, Failure> {
    let files = call.perform::<ListFiles>(arguments, &[])?.items;
    let mut text = String::new();
    for file in &files {
        let _ = writeln!(text, "{} ({} bytes)", file.path, file.size);
    }
    Answer::new(call, &json!({ "files": files }), text)
}
