//! `mutate_tests`: how well Python tests notice changes.

use super::Spec;
use crate::answer::{Answer, value};
use crate::call::Call;
use crate::inputs::path_alone;
use formicary_model::{Failure, MutationReport};
use formicary_platform::testing::MutateTests;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// Survivors that the text names; the structured answer has more.
const MOST_NAMED: usize = 20;

pub(super) const TOOL: Spec = Spec::of::<MutateTests>(
    "mutate_tests",
    "Judge Python tests: changes the code in small ways in the sandbox and tells which changes no test notices. Returns \
            the score and each survivor with its place and diff.",
    Some(
        || json!({"type": "object", "properties": {"score": {"type": "number"}, "mutants": {"type": "integer"}, "survivors": {"type": "array", "items": {"type": "object"}}}, "required": ["score", "mutants", "survivors"]}),
    ),
    run,
);

fn run(call: &Call, mut arguments: Map<String, Value>) -> Result<Answer, Failure> {
    path_alone(&mut arguments);
    let report = call.perform::<MutateTests>(arguments, &[])?;
    let mut whole = value(&report)?;
    whole["enforcement"] =
        json!({"provider": report.enforcement.provider, "level": report.enforcement.level});
    Answer::new(call, &whole, text(&report))
}

fn text(report: &MutationReport) -> String {
    let mut text = format!(
        "score {:.0} %: {} of {} mutants noticed by {} tests, {} survived, {} reached by no test\n",
        report.score * 100.0,
        report.killed + report.timed_out,
        report.mutants,
        report.tests,
        report.survived,
        report.not_covered
    );
    for mutant in report.survivors.iter().take(MOST_NAMED) {
        let _ = writeln!(text, "{}:{} {}\n{}", mutant.file, mutant.line, mutant.kind, mutant.diff);
    }
    for note in &report.notes {
        let _ = writeln!(text, "note: {note}");
    }
    text
}
