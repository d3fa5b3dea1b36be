//! A program that stands still, for people: why, the stack, the variables.

use crate::terminal::{BAD, FAINT, GOOD, HEADING, printable};
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
        StopReason::Exception => format!("{BAD}exception{BAD:#} {}", printable(&stop.text)),
        StopReason::Signal => format!("{BAD}signal{BAD:#} {}", printable(&stop.text)),
    };
    let _ = writeln!(out, "{why} at {at}");
    let own = stop.frames.iter().position(|frame| frame.own).unwrap_or(0);
    variables(&mut out, stop.frames.get(own));
    for evaluated in &stop.values {
        out += &value(evaluated);
    }
    let callers: Vec<String> =
        stop.frames.iter().skip(1).filter(|frame| frame.own).take(FRAMES).map(place).collect();
    if !callers.is_empty() {
        let _ = writeln!(out, "  {FAINT}called from {}{FAINT:#}", callers.join(", "));
    }
    for other in stop.others.iter().take(FRAMES) {
        let (name, at) = (printable(&other.name), place(&other.at));
        let _ = writeln!(out, "  {FAINT}beside it {name} at {at}{FAINT:#}");
    }
    out
}

fn place(frame: &StackFrame) -> String {
    let function = frame.function.as_deref().unwrap_or("?");
    let file = frame.file.as_deref().unwrap_or("?");
    match frame.line {
        Some(line) => printable(&format!("{file}:{line} in {function}")),
        None => printable(&format!("{file} in {function}")),
    }
}

fn variables(out: &mut String, frame: Option<&StackFrame>) {
    let Some(frame) = frame else { return };
    for variable in frame.variables.iter().take(VARIABLES) {
        let kind = if variable.kind.is_empty() {
            String::new()
        } else {
            format!(" {FAINT}{}{FAINT:#}", printable(&variable.kind))
        };
        let _ = writeln!(
            out,
            "  {HEADING}{}{HEADING:#} = {}{kind}",
            printable(&variable.name),
            printable(&variable.value)
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
            printable(&evaluated.expression),
            printable(error)
        ),
        None => format!(
            "  {HEADING}{}{HEADING:#} = {}\n",
            printable(&evaluated.expression),
            printable(&evaluated.value)
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
    format!("{FAINT}log:{FAINT:#} {}\n", printable(text))
}

/// What the program wrote.
pub fn output(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    if lines.is_empty() {
        return String::new();
    }
    let mut out = format!("{HEADING}output:{HEADING:#}\n");
    for line in lines.iter().take(LINES) {
        let _ = writeln!(out, "  {}", printable(line));
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
        let _ = writeln!(out, "{FAINT}note:{FAINT:#} {}", printable(note));
    }
    let by = match report.debugger.as_str() {
        "" => String::new(),
        name => format!(", seen by {}", printable(name)),
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
