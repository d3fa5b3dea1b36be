//! `inspect`: what is in a program while it runs.

use super::{Effect, Spec, execute_code};
use crate::answer::{Answer, value};
use crate::call::Call;
use formicary_model::{Failure, InspectReport, StackFrame, Stop, StopReason};
use formicary_platform::debugging::Inspect;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// Variables of a stop, and callers, that the text names.
const MOST_NAMED: usize = 20;

pub(super) const TOOL: Spec = Spec::of::<Inspect>(
    "inspect",
    "Run a program under a debugger in the sandbox and look into it: at each breakpoint, and where it fails, the stack, \
            the variables and the values of expressions; then it goes on. Without breakpoints: the moment of the failure.",
    Some(
        || json!({"type": "object", "properties": {"stops": {"type": "array", "items": {"type": "object"}}, "logs": {"type": "array", "items": {"type": "string"}}, "exit_code": {"type": "integer"}, "output": {"type": "string"}, "run": {"type": "object"}}, "required": ["stops", "output", "run"]}),
    ),
    run,
)
.with(Effect::Runs);

fn run(call: &Call, mut arguments: Map<String, Value>) -> Result<Answer, Failure> {
    execute_code::former_timeout(&mut arguments);
    let report = call.perform::<Inspect>(arguments, &[])?;
    let mut answer = Answer::new(call, &slim(&report)?, text(&report))?;
    answer.keep_text(call, "output.txt", &report.output);
    Ok(answer)
}

/// The report without saying twice what the program wrote.
fn slim(report: &InspectReport) -> Result<Value, Failure> {
    let mut slim = value(report)?;
    slim["run"] = execute_code::slim(&report.run)?;
    if let Value::Object(fields) = &mut slim["run"] {
        for said in ["stdout", "stderr", "artifacts"] {
            fields.remove(said);
        }
    }
    Ok(slim)
}

fn text(report: &InspectReport) -> String {
    let mut text = String::new();
    for stop in &report.stops {
        stopped(&mut text, stop);
    }
    for log in &report.logs {
        let _ = writeln!(text, "log: {log}");
    }
    execute_code::section(&mut text, "output", &report.output);
    let stops = report.stops.len();
    let _ = match report.exit_code {
        Some(code) => writeln!(text, "exit code {code} after {stops} stops"),
        None => writeln!(text, "ended after {stops} stops: {}", report.run.status),
    };
    if let Some(message) = &report.run.error_message {
        let _ = writeln!(text, "{message}");
    }
    text
}

fn stopped(text: &mut String, stop: &Stop) {
    let why = match stop.reason {
        StopReason::Breakpoint | StopReason::Step => "stopped".to_owned(),
        StopReason::Exception => format!("exception {}", stop.text),
        StopReason::Signal => format!("signal {}", stop.text),
    };
    let at = stop.frames.first().map(|frame| format!(" at {}", shown(frame))).unwrap_or_default();
    let _ = writeln!(text, "{why}{at}");
    let own = stop.frames.iter().find(|frame| frame.own).or(stop.frames.first());
    for variable in own.iter().flat_map(|frame| &frame.variables).take(MOST_NAMED) {
        let _ = writeln!(text, "  {} = {}", variable.name, variable.value);
    }
    for asked in &stop.values {
        let _ = match &asked.error {
            Some(error) => writeln!(text, "  {} cannot be evaluated: {error}", asked.expression),
            None => writeln!(text, "  {} = {}", asked.expression, asked.value),
        };
    }
    let callers: Vec<String> = stop.callers(MOST_NAMED).map(shown).collect();
    if !callers.is_empty() {
        let _ = writeln!(text, "  called from {}", callers.join(", "));
    }
}

fn shown(frame: &StackFrame) -> String {
    let line = frame.line.map(|line| format!(":{line}")).unwrap_or_default();
    let (file, function) = (frame.file.as_deref().unwrap_or("?"), frame.function.as_deref().unwrap_or("?"));
    format!("{file}{line} in {function}")
}
