//! `session_put`.

use crate::answer::Answer;
use crate::call::Call;
use crate::tools::Spec;
use formicary_model::{Failure, PutFilesInput};
use formicary_platform::sessions::PutFiles;
use serde_json::{Map, Value, json};

pub(in crate::tools) const TOOL: Spec =
    Spec::of::<PutFiles>("session_put", "Write files into a session's working folder.", None, run);

fn run(call: &Call, arguments: Map<String, Value>) -> Result<Answer, Failure> {
    let input: PutFilesInput = call.read::<PutFiles>(arguments)?;
    let paths: Vec<String> = input.files.iter().map(|file| file.path.clone()).collect();
    call.perform_read::<PutFiles>(input)?;
    Answer::new(call, &json!({ "put": paths }), format!("{} files written\n", paths.len()))
}
