//! `find_clones`: copies of code.

use super::{Nature, Spec};
use crate::answer::Answer;
use crate::call::Call;
use crate::inputs::{Code, files_schema, invalid, read};
use crate::schema;
use formicary_model::Failure;
use formicary_model::clones::CloneType;
use formicary_platform::patterns::clones::CloneRequest;
use formicary_platform::uploads::UploadedFile;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::fmt::Write as _;

pub(super) const TOOL: Spec = Spec {
    name: "find_clones",
    about: "Find duplicated code: exact, renamed, edited and functionally equal copies, as groups of places. With new also copies \
            that a change edited in one place and not in another.",
    nature: Nature::Reads,
    input: schema::of::<Input>,
    output: Some(
        || json!({"type": "object", "properties": {"groups": {"type": "array", "items": {"type": "object"}}, "duplication_percent": {"type": "number"}}, "required": ["groups"]}),
    ),
    run: |call, arguments| run(call, read(arguments)?),
};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct Input {
    paths: Vec<String>,
    #[schemars(schema_with = "files_schema")]
    files: Vec<UploadedFile>,
    /// exact, renamed, edited, functional; default all
    types: Vec<String>,
    min_lines: Option<u32>,
    min_tokens: Option<usize>,
    /// 0 to 1
    similarity: Option<f32>,
    without_tests: bool,
    new: Option<String>,
}

fn run(call: &Call, input: Input) -> Result<Answer, Failure> {
    let kind = |word: &String| {
        CloneType::from_word(word).ok_or_else(|| {
            invalid(format!("unknown type {word}"), "types: exact, renamed, edited, functional")
        })
    };
    if let Some(similarity) = input.similarity.filter(|likeness| !(0.0..=1.0).contains(likeness)) {
        return Err(invalid(format!("similarity {similarity} is not possible"), "give a number from 0 to 1"));
    }
    let place = call.workplace(&Code { paths: input.paths, files: input.files })?;
    let request = CloneRequest {
        types: input.types.iter().map(kind).collect::<Result<_, _>>()?,
        new: input.new.as_deref().map(|new| place.root.revision(new)).transpose()?,
        working_folder: place.folder.clone(),
        paths: place.paths.clone(),
        lines: input.min_lines,
        tokens: input.min_tokens,
        similarity: input.similarity,
        without_tests: input.without_tests,
        baseline: None,
    };
    let report = call.watched(|watch| call.platform().clones(&request, watch))?;
    let mut text =
        format!("{} groups, {:.1} % duplicated\n", report.groups.len(), report.duplication_percent);
    for group in report.groups.iter().take(50) {
        let places: Vec<String> = group
            .places
            .iter()
            .map(|place| format!("{}:{}-{}", place.file, place.first_line, place.last_line))
            .collect();
        let _ = writeln!(text, "{} {}: {}", group.kind.word(), group.level.word(), places.join(", "));
    }
    Answer::new(call, &report, text)
}
