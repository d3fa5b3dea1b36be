//! `session_files`.

use crate::answer::Answer;
use crate::call::Call;
use crate::tools::Spec;
use formicary_model::Failure;
use formicary_platform::sessions::ListFiles;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

pub(in crate::tools) const TOOL: Spec =
    Spec::of::<ListFiles>("session_files", "List the files of a session's working folder.", None, run);

fn run(call: &Call, arguments: Map<String, Value>) -> Result<Answer, Failure> {
    let files = call.perform::<ListFiles>(arguments, &[])?.items;
    let mut text = String::new();
    for file in &files {
        let _ = writeln!(text, "{} ({} bytes)", file.path, file.size);
    }
    Answer::new(call, &json!({ "files": files }), text)
}
