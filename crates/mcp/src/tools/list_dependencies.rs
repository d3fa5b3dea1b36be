//! `list_dependencies`: which file needs which.

use super::{Nature, Spec, index};
use crate::answer::Answer;
use crate::call::Call;
use crate::inputs::{Code, files_schema, read};
use crate::schema;
use formicary_model::Failure;
use formicary_platform::uploads::UploadedFile;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::fmt::Write as _;

pub(super) const TOOL: Spec = Spec {
    name: "list_dependencies",
    about: "Which file imports which, of the whole project or of one file or folder; reverse tells who needs it.",
    nature: Nature::Reads,
    input: schema::of::<Input>,
    output: Some(
        || json!({"type": "object", "properties": {"dependencies": {"type": "array", "items": {"type": "object"}}}, "required": ["dependencies"]}),
    ),
    run: |call, arguments| run(call, read(arguments)?),
};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct Input {
    #[schemars(schema_with = "files_schema")]
    files: Vec<UploadedFile>,
    /// Only of this file or folder
    file: Option<String>,
    reverse: bool,
    /// Also modules from elsewhere
    external: bool,
}

fn run(call: &Call, input: Input) -> Result<Answer, Failure> {
    let (place, options, index) = index::of(call, &Code { paths: Vec::new(), files: input.files })?;
    let file = input.file.as_deref().map(|file| place.root.beneath(file)).transpose()?;
    let file = file.as_deref().map(|file| (file, input.reverse));
    let found = call.platform().dependencies(&index, &options, file, input.external)?;
    let mut text = format!("{} dependencies\n", found.len());
    for one in found.iter().take(index::MOST_NAMED) {
        let _ = writeln!(text, "{}:{} needs {}", one.from, one.line, one.to);
    }
    Answer::new(call, &json!({ "dependencies": found }), text)
}
