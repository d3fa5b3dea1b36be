//! `judge`: programs against test cases.

use super::Spec;
use crate::abridge::said;
use crate::answer::{Answer, value};
use crate::call::Call;
use formicary_model::{CaseResult, Failure, JudgeReport, JudgeResult, Status, Verdict};
use formicary_platform::judge::Judge;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

pub(super) const TOOL: Spec = Spec::of::<Judge>(
    "judge",
    "Judge programs against test cases in the sandbox: verdict per program and case (accepted, wrong_answer, time_limit, \
            memory_limit, runtime_error, compile_error). For checking solutions, or many candidates at once.",
    Some(
        || json!({"type": "object", "properties": {"summary": {"type": "object"}, "results": {"type": "array", "items": {"type": "object"}}}, "required": ["summary", "results"]}),
    ),
    run,
);

fn run(call: &Call, arguments: Map<String, Value>) -> Result<Answer, Failure> {
    let judged = call.perform::<Judge>(arguments, &[])?;
    let mut told = String::new();
    for result in &judged.results {
        let verdict = match (&result.verdict, &result.error) {
            (Some(verdict), _) => verdict.word().to_owned(),
            (None, Some(error)) => format!("not judged: {error}"),
            (None, None) => "not judged".to_owned(),
        };
        let _ = writeln!(told, "{}: {verdict} ({}/{} cases)", result.id, result.passed, result.total);
        for case in result
            .cases
            .iter()
            .filter_map(|case| Some((&case.name, case.verdict, case.message.as_ref()?)))
            .take(5)
        {
            let _ = writeln!(told, "  {}: {}: {}", case.0, case.1, case.2);
        }
    }
    Answer::digest(call, &slim(&judged)?, &judged, "judged.json", told)
}

/// Verdicts, and of the cases those that are not accepted.
fn slim(judged: &JudgeReport) -> Result<Value, Failure> {
    let case = |case: &CaseResult| {
        said([
            ("name", json!(case.name)),
            ("verdict", json!(case.verdict)),
            ("message", json!(case.message)),
            ("error_type", json!(case.error_type)),
        ])
    };
    let result = |result: &JudgeResult| {
        let failed = result.cases.iter().filter(|case| case.verdict != Verdict::Accepted);
        let compiler = result.compile.as_ref().filter(|compile| compile.status != Status::Success);
        said([
            ("id", json!(result.id)),
            ("group", json!(result.group)),
            ("verdict", json!(result.verdict)),
            ("passed", json!(result.passed)),
            ("total", json!(result.total)),
            ("failed", failed.map(case).collect()),
            ("compiler", json!(compiler.map(|compile| &compile.stderr))),
            ("error", json!(result.error.as_ref().map(ToString::to_string))),
        ])
    };
    let summary = &judged.summary;
    let counts = said([
        ("items", json!(summary.items)),
        ("verdicts", value(&summary.verdicts)?),
        ("not_judged", value(&summary.not_judged)?),
        ("cases", json!(summary.cases)),
        ("groups", json!((summary.groups > 0).then_some(summary.groups))),
        ("pass_at", value(&summary.pass_at)?),
    ]);
    let results: Vec<Value> = judged.results.iter().map(result).collect();
    Ok(json!({ "summary": counts, "results": results }))
}
