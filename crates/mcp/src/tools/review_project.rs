//! `review_project`: a project, a part of it, or what a change made of it.

use super::reviewing::{self, Wanted};
use super::{Nature, Spec};
use crate::answer::Answer;
use crate::call::Call;
use crate::inputs::{Code, files_schema, read};
use crate::schema;
use formicary_model::Failure;
use formicary_platform::uploads::UploadedFile;
use schemars::JsonSchema;
use serde::Deserialize;

pub(super) const TOOL: Spec = Spec {
    name: "review_project",
    about: "Review a project or parts of it: score, findings worst first, and with new only what a change brought. Default: the \
            whole project folder. The full report (metrics, modules, dependencies) is under full.",
    nature: Nature::Reads,
    input: schema::of::<Input>,
    output: Some(reviewing::output),
    run: |call, arguments| run(call, read(arguments)?),
};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct Input {
    paths: Vec<String>,
    #[schemars(schema_with = "files_schema")]
    files: Vec<UploadedFile>,
    /// Judge a change only: git range or revision (main...HEAD), or a folder or diff file
    new: Option<String>,
    types: Vec<String>,
    severity: Option<String>,
    limit: Option<usize>,
    /// External linters to run too, in the sandbox
    tools: Vec<String>,
}

fn run(call: &Call, input: Input) -> Result<Answer, Failure> {
    let wanted = Wanted::read(&input.types, input.severity.as_deref(), input.new.is_some(), input.limit)?;
    let place = call.workplace(&Code { paths: input.paths, files: input.files })?;
    let done = reviewing::review(call, &place, input.new.as_deref(), input.tools)?;
    let (digest, text) = reviewing::digest(&done.review.report, &wanted);
    Answer::digest(call, &digest, &done.review.report, "review.json", text)
}
