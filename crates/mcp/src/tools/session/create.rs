//! `session_create`.

use crate::answer::Answer;
use crate::call::Call;
use crate::inputs::{files_schema, limits, read, source_files};
use crate::schema;
use crate::tools::{Nature, Spec};
use formicary_model::Failure;
use formicary_platform::uploads::UploadedFile;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

pub(in crate::tools) const TOOL: Spec = Spec {
    name: "session_create",
    about: "Start a sandbox that keeps variables and files between session_run calls (Python, JavaScript, Bash keep variables; \
            other languages files only). Returns its id.",
    nature: Nature::Fetches,
    input: schema::of::<Input>,
    output: Some(
        || json!({"type": "object", "properties": {"id": {"type": "string"}, "language": {"type": "string"}, "keeps_state": {"type": "boolean"}}, "required": ["id", "language"]}),
    ),
    run: |call, arguments| run(call, read(arguments)?),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    language: String,
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    #[schemars(schema_with = "files_schema")]
    files: Vec<UploadedFile>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    #[serde(default)]
    packages: Vec<String>,
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, f64>")]
    limits: Map<String, Value>,
    /// Ends it when idle so long
    #[serde(default)]
    idle_seconds: Option<f64>,
}

fn run(call: &Call, input: Input) -> Result<Answer, Failure> {
    let mut request = call.platform().new_session(&input.language);
    let mut limits = limits(&input.limits)?;
    call.bound(&mut limits)?;
    request.limits = request.limits.with(&limits);
    request.id = call.new_session_name(input.id)?;
    request.files = source_files(&input.files)?;
    request.env = input.env;
    request.packages.requirements = input.packages;
    request.idle_seconds = input.idle_seconds;
    if !request.packages.is_empty() {
        let (packages, assurance) = (request.packages.clone(), request.assurance);
        call.live(|live| call.platform().install(&packages, assurance, &live))?;
    }
    let made = call.platform().sessions()?.create(request)?;
    let info = call.outside(made.clone()).unwrap_or(made);
    let state = if info.keeps_state { "variables and files" } else { "files" };
    let text = format!("session {} ({}) keeps {state}\n", info.id, info.language);
    Answer::new(call, &info, text)
}
