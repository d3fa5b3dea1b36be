//! pytest's reports: its long, short and line styles, errors while tests are collected, and the summary where that is all.

use super::place;
use super::python::{ERROR, FRAME, LINKS, Reading};
use super::raw::{RawError, RawPlace, frame, pattern};
use formicary_model::StackFrame;
use regex::Regex;
use std::sync::LazyLock;

/// What was raised: behind an E, indented as deep as the source above it.
static RAISED: LazyLock<Regex> = LazyLock::new(|| pattern(r"^E {3,}\S"));
/// `file.py:3: in name` (short), `file.py:3:` and `file.py:3: Kind` (long), `file.py:3: Kind: message` (line).
static PLACE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(\S[^:]*\.pyw?):(\d+)(:?)(?: in (.+)| (.+))?$"));
/// The line that opens the report of one test or what it printed, or ends all of them.
static HEADING: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:_{3,} .+ _{3,}|-{3,} .+ -{3,}|={3,}.*)$"));
static SUMMARY: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:FAILED|ERROR) (\S[^:]*\.py)(?:::(\S.*?))?(?: - (.*))?$"));
static FIXTURE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^fixture '.*' not found$"));

/// Lines between what was raised and the line that names its place: other lines of a long message.
const MOST_BETWEEN: usize = 30;

/// Whether a line begins what a failing test raised.
pub fn begins(line: &str) -> bool {
    RAISED.is_match(line)
}

/// The error whose first line is here.
pub fn read(reading: &mut Reading<'_>) -> Option<RawError> {
    let mut frames = frames_above(reading.lines, reading.at);
    let block = block(reading);
    if block.first().is_some_and(|line| FRAME.is_match(line)) {
        // A syntax error has a traceback of its own behind the marks.
        return Reading { lines: &block, at: 0 }.traceback();
    }
    let below = place_below(reading);
    let kind_below = below.as_ref().and_then(|(_, kind)| kind.clone());
    let first = block.first().cloned().unwrap_or_default();
    let parts = ERROR.captures(&first).filter(|parts| {
        let short = parts[1].rsplit('.').next().unwrap_or(&parts[1]);
        parts.get(2).is_some() || short.ends_with("Error") || kind_below.as_deref() == Some(short)
    });
    let named = parts.is_some();
    let (kind, message) = match (parts, kind_below) {
        (Some(parts), _) => (parts[1].to_owned(), parts.get(2).map_or("", |text| text.as_str()).to_owned()),
        (None, _) if FIXTURE.is_match(&first) => ("FixtureLookupError".to_owned(), first),
        (None, Some(kind)) => (kind, first),
        (None, None) => ("AssertionError".to_owned(), first),
    };
    let rest = block.into_iter().skip(1).filter(|line| !line.trim().is_empty());
    let lines: Vec<String> = std::iter::once(message).chain(rest).collect();
    if let Some((place, _)) = below {
        frames.insert(0, place);
    }
    if frames.is_empty() && !named {
        return None;
    }
    let own = frames.iter().find(|frame| frame.file.as_deref().is_some_and(|file| !place::is_foreign(file)));
    let place = own.and_then(|frame| {
        let (file, line) = (frame.file.clone()?, frame.line?);
        Some(RawPlace { file, line, column: None, end_column: None })
    });
    Some(RawError { frames, place, ..RawError::new(kind, lines.join("\n")) })
}

/// What the summary names, for reports that show nothing else (`--tb=no`).
pub fn of_summary(lines: &[String]) -> Vec<RawError> {
    let failed = lines.iter().filter_map(|line| SUMMARY.captures(line)).map(|parts| {
        let said = parts.get(3).map_or("", |said| said.as_str());
        let (kind, message) = match ERROR.captures(said) {
            Some(error) => (error[1].to_owned(), error.get(2).map_or("", |text| text.as_str()).to_owned()),
            None if said.is_empty() => {
                ("error".to_owned(), "the test failed; the report does not say why".to_owned())
            }
            None => ("AssertionError".to_owned(), said.to_owned()),
        };
        let test = frame(parts.get(2).map(|name| name.as_str()), &parts[1], "", None);
        RawError { frames: vec![test], ..RawError::new(kind, message) }
    });
    failed.collect()
}

/// The frames that a report shows above what was raised, innermost first.
fn frames_above(lines: &[String], at: usize) -> Vec<StackFrame> {
    let own = lines[..at].iter().rev().take_while(|line| !ends_report(line));
    own.filter_map(|line| PLACE.captures(line))
        .map(|parts| frame(parts.get(4).map(|name| name.as_str()), &parts[1], &parts[2], None))
        .collect()
}

/// Whether a line belongs to another report than the lines below it.
fn ends_report(line: &str) -> bool {
    let last = |parts: regex::Captures<'_>| parts[3].is_empty() || parts.get(5).is_some();
    HEADING.is_match(line)
        || begins(line)
        || LINKS.contains(&line.trim())
        || PLACE.captures(line).is_some_and(last)
}

/// The lines behind the marks, without the indentation that they share.
fn block(reading: &mut Reading<'_>) -> Vec<String> {
    let rest = &reading.lines[reading.at..];
    let marked = rest.iter().map_while(|line| match line.strip_prefix('E') {
        Some(text) if text.is_empty() || text.starts_with("   ") => Some(text),
        _ => None,
    });
    let marked: Vec<&str> = marked.collect();
    reading.at += marked.len();
    let shared = marked.iter().filter(|text| !text.is_empty()).map(|text| indentation(text)).min();
    let shared = shared.unwrap_or_default();
    marked.into_iter().map(|text| text.get(shared..).unwrap_or_default().to_owned()).collect()
}

fn indentation(text: &str) -> usize {
    text.len() - text.trim_start_matches(' ').len()
}

/// The place that a report names below what was raised, with the kind of the error where it says so.
fn place_below(reading: &mut Reading<'_>) -> Option<(StackFrame, Option<String>)> {
    let below = reading.lines.iter().enumerate().skip(reading.at).take(MOST_BETWEEN);
    let own = below
        .take_while(|(_, line)| !HEADING.is_match(line) && !begins(line) && !LINKS.contains(&line.trim()));
    let (at, parts) = own.filter_map(|(at, line)| Some((at, PLACE.captures(line)?))).next()?;
    // A frame that names its function opens the next report of the short style.
    if parts.get(4).is_some() {
        return None;
    }
    let kind = parts.get(5).and_then(|said| ERROR.captures(said.as_str())).map(|error| error[1].to_owned());
    reading.at = at + 1;
    Some((frame(None, &parts[1], &parts[2], None), kind))
}
