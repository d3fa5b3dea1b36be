//! `check_quality_gates`: whether a project, or a change of it, may pass.

use super::{Nature, Spec, reviewing};
use crate::answer::Answer;
use crate::call::Call;
use crate::inputs::{Code, files_schema, read};
use crate::schema;
use formicary_model::Failure;
use formicary_model::review::Comparator;
use formicary_platform::uploads::UploadedFile;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::fmt::Write as _;

pub(super) const TOOL: Spec = Spec {
    name: "check_quality_gates",
    about: "Tell whether a project, or a change of it (new), meets its quality gates: each condition with threshold, actual value \
            and worst place.",
    nature: Nature::Reads,
    input: schema::of::<Input>,
    output: Some(
        || json!({"type": "object", "properties": {"gate": {"type": "object", "properties": {"passed": {"type": "boolean"}, "checks": {"type": "array", "items": {"type": "object"}}}}, "score": {"type": "number"}}, "required": ["gate", "score"]}),
    ),
    run: |call, arguments| run(call, read(arguments)?),
};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct Input {
    paths: Vec<String>,
    #[schemars(schema_with = "files_schema")]
    files: Vec<UploadedFile>,
    /// Git range or revision (main...HEAD), folder or diff file
    new: Option<String>,
}

fn run(call: &Call, input: Input) -> Result<Answer, Failure> {
    let place = call.workplace(&Code { paths: input.paths, files: input.files })?;
    let done = reviewing::review(call, &place, input.new.as_deref(), Vec::new())?;
    let report = &done.review.report;
    let gate = report.gate.clone().unwrap_or_default();
    let mut text = if gate.passed { "passed\n".to_owned() } else { "not passed\n".to_owned() };
    for check in &gate.checks {
        let met = if check.passed { "met" } else { "NOT met" };
        let side = match check.comparator {
            Comparator::AtMost => "at most",
            Comparator::AtLeast => "at least",
        };
        let _ = write!(text, "{met}: {} is {}, {side} {}", check.metric, check.actual, check.threshold);
        let _ =
            writeln!(text, "{}", check.place.as_ref().map(|place| format!(" ({place})")).unwrap_or_default());
    }
    Answer::new(call, &json!({"gate": gate, "change": report.change, "score": report.score.total}), text)
}
