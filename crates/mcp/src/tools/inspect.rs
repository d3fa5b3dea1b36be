//! `inspect`: what is in a program while it runs.

use super::{Nature, Spec, execute_code};
use crate::answer::{Answer, value};
use crate::call::Call;
use crate::inputs::{Program, files_schema, invalid, read};
use crate::schema;
use formicary_model::{Breakpoint, Failure, InspectReport, InspectRequest, StackFrame, Stop, StopReason};
use formicary_platform::uploads::UploadedFile;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Stops that one call may ask for.
const MOST_STOPS: u32 = 1_000;
/// Variables of a stop, and callers, that the text names.
const MOST_NAMED: usize = 20;

pub(super) const TOOL: Spec = Spec {
    name: "inspect",
    about: "Run a program under a debugger in the sandbox and look into it: at each breakpoint, and where it fails, the stack, \
            the variables and the values of expressions; then it goes on. Without breakpoints: the moment of the failure.",
    nature: Nature::Runs,
    input: schema::of::<Input>,
    output: Some(
        || json!({"type": "object", "properties": {"stops": {"type": "array", "items": {"type": "object"}}, "logs": {"type": "array", "items": {"type": "string"}}, "exit_code": {"type": "integer"}, "output": {"type": "string"}, "run": {"type": "object"}}, "required": ["stops", "output", "run"]}),
    ),
    run: |call, arguments| run(call, read(arguments)?),
};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct Input {
    code: Option<String>,
    language: Option<String>,
    #[schemars(schema_with = "files_schema")]
    files: Vec<UploadedFile>,
    entry: Option<String>,
    path: Option<String>,
    stdin: String,
    args: Vec<String>,
    timeout_seconds: Option<f64>,
    /// FILE:LINE, LINE or FUNCTION, each also with " if CONDITION"
    breakpoints: Vec<String>,
    /// PLACE=TEXT: notes TEXT without stopping; {expression} stands for its value
    logs: Vec<String>,
    /// Expressions to evaluate at every stop
    print: Vec<String>,
    /// Stop at caught exceptions too
    every_exception: bool,
    /// End after so many, default 20
    stops: Option<u32>,
    /// Debugger: bdb, debugpy, gdb, lldb, delve
    adapter: Option<String>,
}

fn run(call: &Call, input: Input) -> Result<Answer, Failure> {
    let looked_for = looked_for(&input)?;
    let program = Program {
        code: input.code,
        language: input.language,
        files: input.files,
        entry: input.entry,
        path: input.path,
        stdin: input.stdin,
        args: input.args,
        timeout_seconds: input.timeout_seconds,
        ..Program::default()
    };
    let request = program.request(call)?;
    call.progress.step("starting the program");
    let mut seen = 0;
    let mut told = || {
        seen += 1;
        call.progress.count("stops seen:", seen, 0);
    };
    let report =
        call.platform().inspect_as(&call.caller(), &request, &looked_for, &call.cancel, |_| told())?;
    // The debugger hears the run's events itself.
    call.charge(report.run.usage.cpu_user + report.run.usage.cpu_system);
    let mut answer = Answer::new(call, &slim(&report)?, text(&report))?;
    answer.keep_text(call, "output.txt", &report.output);
    Ok(answer)
}

fn looked_for(input: &Input) -> Result<InspectRequest, Failure> {
    let mut breakpoints = Vec::new();
    for text in &input.breakpoints {
        breakpoints.push(place(text)?);
    }
    for text in &input.logs {
        let Some((at, log)) = text.split_once('=') else {
            return Err(invalid(format!("log {text:?} has no text"), "write it as FILE:LINE=TEXT"));
        };
        breakpoints.push(Breakpoint { log: Some(log.to_owned()), ..place(at)? });
    }
    let most_stops = input.stops.unwrap_or(20);
    if !(1..=MOST_STOPS).contains(&most_stops) {
        return Err(invalid(
            format!("{most_stops} stops are not possible"),
            format!("give 1 to {MOST_STOPS}"),
        ));
    }
    Ok(InspectRequest {
        breakpoints,
        every_exception: input.every_exception,
        print: input.print.clone(),
        most_stops,
        adapter: input.adapter.clone(),
    })
}

fn place(text: &str) -> Result<Breakpoint, Failure> {
    let point = Breakpoint::read(text);
    let names_nothing = point.function.as_deref().is_some_and(str::is_empty) || point.line == Some(0);
    if names_nothing {
        return Err(invalid(
            format!("breakpoint {text:?} names no place"),
            "write FILE:LINE, a line from 1, or a function; behind it, if need be, \" if CONDITION\"",
        ));
    }
    Ok(point)
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
    let callers: Vec<String> =
        stop.frames.iter().skip(1).filter(|frame| frame.own).take(MOST_NAMED).map(shown).collect();
    if !callers.is_empty() {
        let _ = writeln!(text, "  called from {}", callers.join(", "));
    }
}

fn shown(frame: &StackFrame) -> String {
    let line = frame.line.map(|line| format!(":{line}")).unwrap_or_default();
    let (file, function) = (frame.file.as_deref().unwrap_or("?"), frame.function.as_deref().unwrap_or("?"));
    format!("{file}{line} in {function}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_and_refused() {
        let input = |breakpoints: &[&str], logs: &[&str], stops| Input {
            breakpoints: breakpoints.iter().map(|text| (*text).to_owned()).collect(),
            logs: logs.iter().map(|text| (*text).to_owned()).collect(),
            stops,
            ..Input::default()
        };
        let read = looked_for(&input(&["a.py:3 if x == 1"], &["f=n is {n == 1}"], None)).unwrap();
        let [stop, log] = read.breakpoints.as_slice() else { panic!("{read:?}") };
        assert_eq!((stop.line, stop.condition.as_deref()), (Some(3), Some("x == 1")));
        assert_eq!((log.function.as_deref(), log.log.as_deref()), (Some("f"), Some("n is {n == 1}")));
        assert_eq!(read.most_stops, 20);
        for (wrong, expected) in [
            (input(&[""], &[], None), "names no place"),
            (input(&["a.py:0"], &[], None), "names no place"),
            (input(&[" if x"], &[], None), "names no place"),
            (input(&[], &["a.py:3"], None), "has no text"),
            (input(&[], &["=text"], None), "names no place"),
            (input(&[], &[], Some(0)), "0 stops"),
            (input(&[], &[], Some(1_001)), "1001 stops"),
        ] {
            let failure = looked_for(&wrong).unwrap_err();
            assert!(failure.message.contains(expected) && failure.hint.is_some(), "{failure:?}");
        }
    }
}
