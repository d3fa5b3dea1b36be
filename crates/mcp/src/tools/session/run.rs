//! `session_run`.

use crate::answer::{Answer, value};
use crate::call::Call;
use crate::inputs::read;
use crate::schema;
use crate::tools::execute_code::section;
use crate::tools::{Nature, Spec};
use formicary_model::{CellRequest, CellResult, Failure, FailureKind};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Between two looks at whether the client has cancelled.
const PAUSE: Duration = Duration::from_millis(30);

pub(in crate::tools) const TOOL: Spec = Spec {
    name: "session_run",
    about: "Run a cell in a session, as in a notebook: returns stdout, stderr, the last expression's value, displayed figures \
            (as images) and any exception.",
    nature: Nature::Runs,
    input: schema::of::<Input>,
    output: Some(
        || json!({"type": "object", "properties": {"status": {"type": "string"}, "stdout": {"type": "string"}, "stderr": {"type": "string"}, "value": {"type": "object"}, "exception": {"type": "object"}, "state_lost": {"type": "boolean"}}, "required": ["status", "stdout", "stderr"]}),
    ),
    run: |call, arguments| run(call, read(arguments)?),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    id: String,
    code: String,
    #[serde(default)]
    timeout_seconds: Option<f64>,
    /// Only for languages without live variables
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    stdin: String,
}

fn run(call: &Call, input: Input) -> Result<Answer, Failure> {
    let cell = CellRequest {
        code: input.code.into_bytes(),
        wall_seconds: input.timeout_seconds,
        args: input.args,
        stdin: input.stdin.into_bytes(),
    };
    let session = call.session(&input.id)?;
    let ended = AtomicBool::new(false);
    call.progress.step("running");
    let result = std::thread::scope(|scope| {
        scope.spawn(|| {
            // The cell may wait for its turn when the client cancels: it is interrupted when it has come.
            while !ended.load(Ordering::Acquire) {
                if call.cancel.is_cancelled() {
                    session.interrupt();
                }
                std::thread::sleep(PAUSE);
            }
        });
        let mut tell = |_, bytes: &[u8]| call.progress.wrote(bytes.len());
        let result = call.platform().run_cell_as(&call.caller(), &call.inside(&input.id), &cell, &mut tell);
        ended.store(true, Ordering::Release);
        result
    })?;
    call.charge(result.usage.cpu_user + result.usage.cpu_system);
    if call.cancel.is_cancelled() {
        return Err(Failure::new(FailureKind::Cancelled, "cancelled"));
    }
    told(call, CellResult { session_id: input.id, ..result })
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
