//! A diagnosis for people: the error, its place with the code around it, why, what to try, the stack.

use crate::terminal::{BAD, CAUTION, FAINT, GOOD, HEADING};
use formicary_model::visible::one_line;
use formicary_model::{Diagnosis, ErrorDiagnosis, ErrorPlace, Hang};
use std::fmt::Write as _;

/// Frames of a stack that are shown.
const FRAMES: usize = 12;
/// Variables of a frame that are shown.
const VARIABLES: usize = 12;

/// The whole diagnosis.
pub fn text(diagnosis: &Diagnosis) -> String {
    let mut out = String::new();
    for (index, error) in diagnosis.errors.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        one(&mut out, error);
    }
    if diagnosis.errors.is_empty() {
        // In a log nothing was found; that is not good by itself.
        let style = if diagnosis.status.is_some() { GOOD } else { CAUTION };
        let _ = writeln!(out, "{style}no error was found{style:#}");
    }
    for warning in &diagnosis.warnings {
        let place = warning.place.as_ref().map(where_it_is).unwrap_or_default();
        let _ = writeln!(out, "{CAUTION}warning:{CAUTION:#} {place}{}", one_line(&warning.message));
    }
    for note in &diagnosis.notes {
        let _ = writeln!(out, "{FAINT}note: {}{FAINT:#}", one_line(note));
    }
    out
}

fn one(out: &mut String, error: &ErrorDiagnosis) {
    let category = error.category;
    let _ = write!(out, "{BAD}{}{BAD:#} {FAINT}({category}){FAINT:#}", one_line(&error.error_type));
    for (index, line) in error.message.lines().take(8).enumerate() {
        let _ = match index {
            0 => write!(out, ": {}", one_line(line)),
            _ => write!(out, "\n    {}", one_line(line)),
        };
    }
    out.push('\n');
    if let Some(place) = &error.place {
        frame(out, place);
    }
    let _ = writeln!(out, "{HEADING}cause:{HEADING:#} {}", one_line(&error.root_cause));
    chain(out, error);
    error.hang.iter().for_each(|hang| threads(out, hang));
    for suggestion in &error.suggestions {
        let origin = match suggestion.origin.as_str() {
            "rule" => String::new(),
            tool => format!(" {FAINT}[{}]{FAINT:#}", one_line(tool)),
        };
        let _ = writeln!(out, "{HEADING}try:{HEADING:#} {}{origin}", one_line(&suggestion.text));
    }
    stack(out, error);
    for cause in &error.causes {
        let place = cause.place.as_ref().map(where_it_is).unwrap_or_default();
        let message = cause.message.lines().next().unwrap_or_default();
        let kind = one_line(&cause.error_type);
        let _ = writeln!(out, "{HEADING}began with:{HEADING:#} {place}{kind}: {}", one_line(message));
    }
}

/// From the failing value to where it came from, a line a step.
fn chain(out: &mut String, error: &ErrorDiagnosis) {
    if error.chain.len() < 2 {
        return;
    }
    let _ = writeln!(out, "{HEADING}why:{HEADING:#}");
    for step in &error.chain {
        if step.gap {
            let _ = writeln!(out, "  {FAINT}…{FAINT:#}");
        }
        let (expression, file) = (one_line(&step.expression), one_line(&step.file));
        let _ = write!(out, "  {FAINT}{file}:{}{FAINT:#}  {expression}", step.line);
        if step.shows_value() {
            let _ = write!(out, " = {}", one_line(&step.value));
        }
        let _ = match step.role.remark() {
            "" => writeln!(out),
            remark => writeln!(out, "  {FAINT}{remark}{FAINT:#}"),
        };
    }
}

/// What the threads of a program wait for that does not end.
fn threads(out: &mut String, hang: &Hang) {
    if hang.threads.len() < 2 {
        return;
    }
    let _ = writeln!(out, "{HEADING}waiting:{HEADING:#}");
    for thread in &hang.threads {
        let (name, file) = (one_line(&thread.thread), one_line(&thread.file));
        let _ =
            write!(out, "  {name} {FAINT}{file}:{}{FAINT:#}  {}", thread.line, one_line(&thread.waits_for));
        if let Some(holder) = &thread.held_by {
            let _ = write!(out, "  {FAINT}held by {}{FAINT:#}", one_line(holder));
        }
        out.push('\n');
    }
}

fn where_it_is(place: &ErrorPlace) -> String {
    format!("{}:{}: ", one_line(&place.file), place.line)
}

fn frame(out: &mut String, place: &ErrorPlace) {
    let column = place.column.map(|column| format!(":{column}")).unwrap_or_default();
    let function = place.function.as_ref().map(|name| format!(" in {}", one_line(name))).unwrap_or_default();
    let _ = writeln!(out, "  {FAINT}-->{FAINT:#} {}:{}{column}{function}", one_line(&place.file), place.line);
    let width = place.frame.last().map_or(1, |line| line.number.to_string().len());
    for line in &place.frame {
        let here = line.number == place.line;
        let shown = one_line(&line.text.replace('\t', "    "));
        if !here {
            let _ = writeln!(out, "  {FAINT}  {:>width$} |{FAINT:#} {shown}", line.number);
            continue;
        }
        let _ = writeln!(out, "  {BAD}>{BAD:#} {:>width$} {FAINT}|{FAINT:#} {shown}", line.number);
        if let Some(column) = place.column {
            let before = line.text.chars().take(column as usize - 1);
            let left: usize = before.map(|c| if c == '\t' { 4 } else { 1 }).sum();
            let marks = place.end_column.map_or(1, |end| end.saturating_sub(column).clamp(1, 200)) as usize;
            let _ = writeln!(
                out,
                "  {:>width$}   {FAINT}|{FAINT:#} {}{BAD}{}{BAD:#}",
                "",
                " ".repeat(left.min(400)),
                "^".repeat(marks)
            );
        }
    }
}

fn stack(out: &mut String, error: &ErrorDiagnosis) {
    let told = error.stack.iter().any(|frame| !frame.variables.is_empty());
    if error.stack.len() < 2 && !told {
        return;
    }
    let _ = writeln!(out, "{HEADING}stack:{HEADING:#}");
    for frame in error.stack.iter().take(FRAMES) {
        let file = frame.file.as_deref().map(one_line).unwrap_or_default();
        let line = frame.line.map(|line| format!(":{line}")).unwrap_or_default();
        let name = frame.function.as_deref().map_or_else(|| "?".to_owned(), one_line);
        let style = if frame.own { HEADING } else { FAINT };
        let _ = writeln!(out, "  {style}{name}{style:#} {FAINT}{file}{line}{FAINT:#}");
        for variable in frame.variables.iter().take(VARIABLES) {
            let (name, value) = (one_line(&variable.name), one_line(&variable.value));
            let _ = writeln!(out, "      {name} = {value}");
        }
    }
    if error.stack.len() > FRAMES {
        let _ = writeln!(out, "  {FAINT}… {} more{FAINT:#}", error.stack.len() - FRAMES);
    }
}
