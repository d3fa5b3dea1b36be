//! `detect_refactorings`: what a change consists of.

use super::{Nature, Spec};
use crate::answer::Answer;
use crate::call::Call;
use crate::inputs::{Code, files_schema, invalid, read};
use crate::schema;
use formicary_model::Failure;
use formicary_platform::patterns::refactorings::RefactoringRequest;
use formicary_platform::uploads::UploadedFile;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::fmt::Write as _;

pub(super) const TOOL: Spec = Spec {
    name: "detect_refactorings",
    about: "Tell which refactorings a change consists of (renames, moves, extractions, …) and which lines none explains: those \
            change behaviour. Give two git revisions, folders or files of the project, or both versions as files.",
    nature: Nature::Reads,
    input: schema::of::<Input>,
    output: Some(
        || json!({"type": "object", "properties": {"refactorings": {"type": "array", "items": {"type": "object"}}, "unexplained": {"type": "array", "items": {"type": "object"}}}, "required": ["refactorings", "unexplained"]}),
    ),
    run: |call, arguments| run(call, read(arguments)?),
};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct Input {
    before: Option<String>,
    /// Default: the project as it is
    after: Option<String>,
    #[schemars(schema_with = "files_schema")]
    files_before: Vec<UploadedFile>,
    #[schemars(schema_with = "files_schema")]
    files_after: Vec<UploadedFile>,
}

fn run(call: &Call, input: Input) -> Result<Answer, Failure> {
    let files = !(input.files_before.is_empty() && input.files_after.is_empty());
    let report = match (&input.before, files) {
        (Some(_), true) => return Err(invalid("before and files are given together", "give one of them")),
        (None, false) => {
            return Err(invalid(
                "the version before is not said",
                "give before, or files_before and files_after",
            ));
        }
        (None, true) => {
            let versions = call.versions(&input.files_before, &input.files_after)?;
            let request = RefactoringRequest {
                working_folder: versions.folder().to_owned(),
                before: "before".into(),
                after: Some("after".into()),
            };
            call.watched(|watch| call.platform().refactorings(&request, watch))?
        }
        (Some(before), false) => {
            let place = call.workplace(&Code::default())?;
            let request = RefactoringRequest {
                before: place.root.revision(before)?,
                after: input.after.as_deref().map(|after| place.root.revision(after)).transpose()?,
                working_folder: place.folder.clone(),
            };
            call.watched(|watch| call.platform().refactorings(&request, watch))?
        }
    };
    let mut text = format!(
        "{} refactorings explain {} of {} changed lines\n",
        report.refactorings.len(),
        report.explained_lines,
        report.changed_lines
    );
    for one in &report.refactorings {
        let _ = writeln!(text, "{} ({}:{})", one.description, one.after.file, one.after.first_line);
    }
    for lines in &report.unexplained {
        let _ =
            writeln!(text, "to read: {}: added {:?}, removed {:?}", lines.file, lines.added, lines.removed);
    }
    Answer::new(call, &report, text)
}
