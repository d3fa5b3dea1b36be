//! `review_file`: one file, of the project or sent along.

use super::reviewing::{self, Wanted};
use super::{Nature, Spec};
use crate::answer::Answer;
use crate::call::Call;
use crate::inputs::{Code, invalid, read};
use crate::schema;
use formicary_model::Failure;
use formicary_platform::uploads::UploadedFile;
use schemars::JsonSchema;
use serde::Deserialize;

pub(super) const TOOL: Spec = Spec {
    name: "review_file",
    about: "Review one file: bugs, security holes, dead code, complexity, smells, with line, severity and suggestion. Give path, \
            or code with a path that names its language (snippet.py).",
    nature: Nature::Reads,
    input: schema::of::<Input>,
    output: Some(reviewing::output),
    run: |call, arguments| run(call, read(arguments)?),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    path: String,
    /// The text, if it is not a file of the project
    #[serde(default)]
    code: Option<String>,
    /// security, malicious, lint, dead_code, performance, complexity, smell, architecture, duplication, documentation
    #[serde(default)]
    types: Vec<String>,
    /// At least: info, low, medium, high, critical
    #[serde(default)]
    severity: Option<String>,
    /// Findings at most; default 50
    #[serde(default)]
    limit: Option<usize>,
}

fn run(call: &Call, input: Input) -> Result<Answer, Failure> {
    let wanted = Wanted::read(&input.types, input.severity.as_deref(), false, input.limit)?;
    let files = input.code.map(|code| UploadedFile::text(input.path.clone(), code)).into_iter().collect();
    let place = call.workplace(&Code { paths: vec![input.path.clone()], files })?;
    if place.paths.iter().any(|path| place.folder.join(path).is_dir()) {
        return Err(invalid(format!("{} is a folder", input.path), "review_project reviews folders"));
    }
    let done = reviewing::review(call, &place, None, Vec::new())?;
    let (digest, text) = reviewing::digest(&done.review.report, &wanted);
    Answer::digest(call, &digest, &done.review.report, "review.json", text)
}
