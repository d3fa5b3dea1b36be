//! `session_remove`.

use crate::answer::Answer;
use crate::call::Call;
use crate::tools::Spec;
use formicary_model::{Failure, RemoveFilesInput};
use formicary_platform::sessions::RemoveFiles;
use serde_json::{Map, Value, json};

pub(in crate::tools) const TOOL: Spec =
    Spec::of::<RemoveFiles>("session_remove", "Remove files of a session's working folder.", None, run);

fn run(call: &Call, arguments: Map<String, Value>) -> Result<Answer, Failure> {
    let input: RemoveFilesInput = call.read::<RemoveFiles>(arguments)?;
    let paths = input.paths.clone();
    call.perform_read::<RemoveFiles>(input)?;
    Answer::new(call, &json!({ "removed": paths }), format!("{} files removed\n", paths.len()))
}
