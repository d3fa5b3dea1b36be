//! A program that stands still, for people: why, the stack, the variables.

use crate::terminal::{BAD, FAINT, GOOD, HEADING};
use formicary_model::visible::one_line;
use formicary_model::{Evaluated, InspectReport, StackFrame, Stop, StopReason};
use std::fmt::Write as _;

/// Frames and variables that are shown.
const FRAMES: usize = 12;
const VARIABLES: usize = 20;
/// Lines of the program's output that are shown.
const LINES: usize = 40;

/// One stop with the variables of its innermost own frame.
pub fn stop(stop: &Stop) -> String {
    let mut out = String::new();
    let at = stop.frames.first().map(place).unwrap_or_default();
    let why = match stop.reason {
        StopReason::Breakpoint | StopReason::Step => format!("{GOOD}stopped{GOOD:#}"),
        StopReason::Exception => format!("{BAD}exception{BAD:#} {}", one_line(&stop.text)),
        StopReason::Signal => format!("{BAD}signal{BAD:#} {}", one_line(&stop.text)),
    };
    let _ = writeln!(out, "{why} at {at}");
    let own = stop.frames.iter().position(|frame| frame.own).unwrap_or(0);
    variables(&mut out, stop.frames.get(own));
    for evaluated in &stop.values {
        out += &value(evaluated);
    }
    let callers: Vec<String> = stop.callers(FRAMES).map(place).collect();
    if !callers.is_empty() {
        let _ = writeln!(out, "  {FAINT}called from {}{FAINT:#}", callers.join(", "));
    }
    for other in stop.others.iter().take(FRAMES) {
        let (name, at) = (one_line(&other.name), place(&other.at));
        let _ = writeln!(out, "  {FAINT}beside it {name} at {at}{FAINT:#}");
    }
    out
}

fn place(frame: &StackFrame) -> String {
    let function = frame.function.as_deref().unwrap_or("?");
    let file = frame.file.as_deref().unwrap_or("?");
    match frame.line {
        Some(line) => one_line(&format!("{file}:{line} in {function}")),
        None => one_line(&format!("{file} in {function}")),
    }
}

fn variables(out: &mut String, frame: Option<&StackFrame>) {
    let Some(frame) = frame else { return };
    for variable in frame.variables.iter().take(VARIABLES) {
        let kind = if variable.kind.is_empty() {
            String::new()
        } else {
            format!(" {FAINT}{}{FAINT:#}", one_line(&variable.kind))
        };
        let _ = writeln!(
            out,
            "  {HEADING}{}{HEADING:#} = {}{kind}",
            one_line(&variable.name),
            one_line(&variable.value)
        );
    }
    if frame.variables.len() > VARIABLES {
        let _ = writeln!(out, "  {FAINT}… {} more{FAINT:#}", frame.variables.len() - VARIABLES);
    }
}

/// What an expression gave.
pub fn value(evaluated: &Evaluated) -> String {
    match &evaluated.error {
        Some(error) => format!(
            "  {} {BAD}cannot be evaluated:{BAD:#} {}\n",
            one_line(&evaluated.expression),
            one_line(error)
        ),
        None => format!(
            "  {HEADING}{}{HEADING:#} = {}\n",
            one_line(&evaluated.expression),
            one_line(&evaluated.value)
        ),
    }
}

/// The stack, with numbers.
pub fn stack(stop: &Stop) -> String {
    let mut out = String::new();
    for (number, frame) in stop.frames.iter().enumerate() {
        let _ = writeln!(out, "  {FAINT}{number}{FAINT:#} {}", place(frame));
    }
    out
}

/// One frame with its variables.
pub fn frame(stop: &Stop, number: usize) -> String {
    let mut out = String::new();
    if let Some(frame) = stop.frames.get(number) {
        let _ = writeln!(out, "  {FAINT}{number}{FAINT:#} {}", place(frame));
        variables(&mut out, Some(frame));
    }
    out
}

/// What a log point noted.
pub fn log(text: &str) -> String {
    format!("{FAINT}log:{FAINT:#} {}\n", one_line(text))
}

/// What the program wrote.
pub fn output(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    if lines.is_empty() {
        return String::new();
    }
    let mut out = format!("{HEADING}output:{HEADING:#}\n");
    for line in lines.iter().take(LINES) {
        let _ = writeln!(out, "  {}", one_line(line));
    }
    if lines.len() > LINES {
        let _ = writeln!(out, "  {FAINT}… {} more lines{FAINT:#}", lines.len() - LINES);
    }
    out
}

/// How it ended.
pub fn end(report: &InspectReport) -> String {
    let mut out: String = report.logs.iter().map(|text| log(text)).collect();
    out += &output(&report.output);
    for note in &report.notes {
        let _ = writeln!(out, "{FAINT}note:{FAINT:#} {}", one_line(note));
    }
    let by = match report.debugger.as_str() {
        "" => String::new(),
        name => format!(", seen by {}", one_line(name)),
    };
    let _ = match report.exit_code {
        Some(code) => {
            writeln!(out, "{FAINT}exit code {code} after {} stops{by}{FAINT:#}", report.stops.len())
        }
        None => {
            writeln!(
                out,
                "{FAINT}ended after {} stops: {}{by}{FAINT:#}",
                report.stops.len(),
                report.run.status
            )
        }
    };
    out
}
