//! `session_run`.

use crate::answer::{Answer, value};
use crate::call::Call;
use crate::tools::Spec;
use crate::tools::execute_code::section;
use formicary_model::{CellResult, Failure, FailureKind};
use formicary_platform::sessions::RunCell;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

pub(in crate::tools) const TOOL: Spec = Spec::of::<RunCell>(
    "session_run",
    "Run a cell in a session, as in a notebook: returns stdout, stderr, the last expression's value, displayed figures \
            (as images) and any exception.",
    Some(
        || json!({"type": "object", "properties": {"status": {"type": "string"}, "stdout": {"type": "string"}, "stderr": {"type": "string"}, "value": {"type": "object"}, "exception": {"type": "object"}, "state_lost": {"type": "boolean"}}, "required": ["status", "stdout", "stderr"]}),
    ),
    run,
);

fn run(call: &Call, arguments: Map<String, Value>) -> Result<Answer, Failure> {
    call.progress.step("running");
    let result = call.perform::<RunCell>(arguments, &[("timeout_seconds", "wall_seconds")])?;
    if call.cancel.is_cancelled() {
        return Err(Failure::new(FailureKind::Cancelled, "cancelled"));
    }
    told(call, result)
}

fn told(call: &Call, mut result: CellResult) -> Result<Answer, Failure> {
    let (mut displays, mut shown) = (std::mem::take(&mut result.displays), result.value.take());
    let mut slim = value(&result)?;
    slim["enforcement"] = json!({"provider": result.enforcement.provider, "level": result.enforcement.level});
    let mut answer =
        Answer::new(call, &slim, text(&result, shown.as_ref().and_then(|value| value.get("text/plain"))))?;
    answer.keep_text(call, "stdout.txt", &result.stdout);
    answer.keep_text(call, "stderr.txt", &result.stderr);
    if let Some(bundle) = &mut shown {
        answer.display(call, "value", bundle);
        answer.set("value", bounded(bundle)?);
    }
    for (index, bundle) in displays.iter_mut().enumerate() {
        answer.display(call, &format!("display-{}", index + 1), bundle);
    }
    if !displays.is_empty() {
        answer.set("displays", bounded(&displays)?);
    }
    Ok(answer)
}

fn bounded(told: &impl serde::Serialize) -> Result<Value, Failure> {
    Ok(crate::abridge::value(&value(told)?).0)
}

fn text(result: &CellResult, value: Option<&String>) -> String {
    let mut text = format!("[{}] {}, {:.2} s\n", result.execution_count, result.status, result.duration);
    if let Some(message) = &result.error_message {
        let _ = writeln!(text, "{message}");
    }
    if result.state_lost {
        text.push_str("variables are lost, files are kept\n");
    }
    section(&mut text, "stdout", &result.stdout);
    section(&mut text, "stderr", &result.stderr);
    if let Some(value) = value {
        section(&mut text, "value", value);
    }
    if let Some(exception) = &result.exception {
        section(&mut text, "exception", &exception.traceback);
    }
    text
}
