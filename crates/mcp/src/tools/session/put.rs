//! `session_put`.

use crate::answer::Answer;
use crate::call::Call;
use crate::inputs::{files_schema, read, source_files};
use crate::schema;
use crate::tools::{Nature, Spec};
use formicary_model::Failure;
use formicary_platform::uploads::UploadedFile;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

pub(in crate::tools) const TOOL: Spec = Spec {
    name: "session_put",
    about: "Write files into a session's working folder.",
    nature: Nature::Settles,
    input: schema::of::<Input>,
    output: None,
    run: |call, arguments| run(call, &read(arguments)?),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    id: String,
    #[schemars(schema_with = "files_schema")]
    files: Vec<UploadedFile>,
}

fn run(call: &Call, input: &Input) -> Result<Answer, Failure> {
    call.session(&input.id)?.put(&source_files(&input.files)?)?;
    let paths: Vec<&str> = input.files.iter().map(|file| file.path.as_str()).collect();
    Answer::new(call, &json!({ "put": paths }), format!("{} files written\n", paths.len()))
}
