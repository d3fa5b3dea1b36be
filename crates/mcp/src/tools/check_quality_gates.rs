//! `check_quality_gates`: whether a project, or a change of it, may pass.

use super::{Effect, Spec};
use crate::answer::Answer;
use crate::call::Call;
use formicary_model::Failure;
use formicary_model::review::Comparator;
use formicary_platform::review::CheckGates;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

pub(super) const TOOL: Spec = Spec::of::<CheckGates>(
    "check_quality_gates",
    "Tell whether a project, or a change of it (new), meets its quality gates: each condition with threshold, actual value \
            and worst place.",
    Some(
        || json!({"type": "object", "properties": {"gate": {"type": "object", "properties": {"passed": {"type": "boolean"}, "checks": {"type": "array", "items": {"type": "object"}}}}, "score": {"type": "number"}}, "required": ["gate", "score"]}),
    ),
    run,
)
.with(Effect::Reads);

fn run(call: &Call, arguments: Map<String, Value>) -> Result<Answer, Failure> {
    let report = call.perform::<CheckGates>(arguments, &[])?.report;
    let mut text = if report.gate.passed { "passed\n".to_owned() } else { "not passed\n".to_owned() };
    for check in &report.gate.checks {
        let met = if check.passed { "met" } else { "NOT met" };
        let side = match check.comparator {
            Comparator::AtMost => "at most",
            Comparator::AtLeast => "at least",
        };
        let _ = write!(text, "{met}: {} is {}, {side} {}", check.metric, check.actual, check.threshold);
        let _ =
            writeln!(text, "{}", check.place.as_ref().map(|place| format!(" ({place})")).unwrap_or_default());
    }
    Answer::new(call, &report, text)
}
