//! Python: tracebacks, chained and grouped, the syntax family, warnings. pytest's reports have a reader of their own.

use super::pytest;
use super::raw::{RawError, RawPlace, Weight, frame, pattern};
use super::text::Log;
use formicary_model::StackFrame;
use formicary_model::review::Confidence;
use regex::Regex;
use std::sync::LazyLock;

pub(super) static FRAME: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"^\s*File "([^"]*)", line (\d+)(?:, in (.*))?$"#));
pub(super) static ERROR: LazyLock<Regex> = LazyLock::new(|| pattern(r"^([A-Za-z_][\w.]*)(?:: (.*)|:?)$"));
static WARNING: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(\S[^:]*\.pyw?):(\d+): (\w*Warning): (.*)$"));
static GROUP: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(\s*)(?:\+ |\| |\+-)"));
static HINT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"Did you mean:? '?([\w.]+)'?\??|Did you forget to import '([\w.]+)'|Maybe you meant '([^']+)'")
});
/// What the interpreter itself says before anything runs.
static LAUNCHER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^\S*python[\d.]*: (?:No module named '?([\w.]+)'?|can't open file '([^']+)': .*)$")
});
static FATAL: LazyLock<Regex> = LazyLock::new(|| pattern(r"^Fatal Python error: (.*)$"));

/// What stands between two tracebacks of one chain.
pub(super) const LINKS: [&str; 2] = [
    "During handling of the above exception, another exception occurred:",
    "The above exception was the direct cause of the following exception:",
];

/// All errors of a log, the one that ended the program first.
pub fn read(log: &Log) -> Vec<RawError> {
    let lines: Vec<String> = log.lines.iter().map(|line| ungrouped(line)).collect();
    let mut reading = Reading { lines: &lines, at: 0 };
    let mut found: Vec<RawError> = Vec::new();
    let mut tests: Vec<RawError> = Vec::new();
    let mut chained = false;
    while reading.at < lines.len() {
        let line = lines[reading.at].as_str();
        if LINKS.contains(&line.trim()) {
            chained = true;
            reading.at += 1;
        } else if let Some(parts) = WARNING.captures(line) {
            let mut warning = RawError::new(&parts[3], &parts[4]).at(&parts[1], &parts[2], None);
            warning.weight = Weight::Warning;
            found.push(warning);
            reading.at += 1;
        } else if let Some(parts) = FATAL.captures(line) {
            found.push(reading.fatal(&parts[1]));
        } else if let Some(parts) = LAUNCHER.captures(line) {
            found.push(match (parts.get(1), parts.get(2)) {
                (Some(module), _) => {
                    RawError::new("ModuleNotFoundError", format!("No module named '{}'", module.as_str()))
                }
                (_, file) => RawError::new(
                    "FileNotFoundError",
                    format!("No such file or directory: '{}'", file.map_or("", |file| file.as_str())),
                ),
            });
            reading.at += 1;
        } else if line.trim_start().starts_with("Traceback (most recent call last)") || FRAME.is_match(line) {
            if let Some(mut error) = reading.traceback() {
                if std::mem::take(&mut chained) {
                    link(&mut error, found.pop());
                }
                found.push(error);
            }
        } else if pytest::begins(line) {
            if let Some(mut error) = pytest::read(&mut reading) {
                if std::mem::take(&mut chained) {
                    link(&mut error, tests.pop());
                }
                tests.push(error);
            }
        } else {
            // A chain goes on after its words or not at all.
            chained &= !line.starts_with("___");
            reading.at += 1;
        }
    }
    if tests.is_empty() && found.is_empty() {
        tests = pytest::of_summary(&lines);
    }
    // The last traceback is the one that ended it; of failing tests the first is looked at first, before what they wrote.
    found.reverse();
    found.splice(0..0, tests);
    for error in &mut found {
        hint(error);
    }
    found
}

/// Puts the error before it in its chain behind an error.
fn link(error: &mut RawError, earlier: Option<RawError>) {
    let Some(mut earlier) = earlier else { return };
    let older = std::mem::take(&mut earlier.causes);
    error.causes.push(earlier);
    error.causes.extend(older);
}

/// A line of an exception group without the bars that show its depth.
fn ungrouped(line: &str) -> String {
    // pytest marks each line of a traceback of its own.
    let line = line.strip_prefix("INTERNALERROR> ").unwrap_or(line);
    if !GROUP.is_match(line) {
        return line.to_owned();
    }
    let rest = line.trim_start();
    if rest.starts_with("+-") {
        return String::new();
    }
    let rest = rest
        .strip_prefix("+ Exception Group ")
        .or_else(|| rest.strip_prefix("| "))
        .or_else(|| rest.strip_prefix("+ "))
        .unwrap_or(rest);
    rest.strip_prefix("Exception Group ").unwrap_or(rest).to_owned()
}

/// The lines of a log, read from one place to the next.
pub(super) struct Reading<'a> {
    pub(super) lines: &'a [String],
    pub(super) at: usize,
}

impl Reading<'_> {
    fn line(&self) -> &str {
        self.lines.get(self.at).map_or("", String::as_str)
    }

    /// From the header or a first frame to the end of the message.
    pub(super) fn traceback(&mut self) -> Option<RawError> {
        if !FRAME.is_match(self.line()) {
            self.at += 1;
        }
        let mut frames: Vec<StackFrame> = Vec::new();
        let mut columns = None;
        while self.at < self.lines.len() {
            if let Some(parts) = FRAME.captures(self.line()) {
                frames.push(frame(parts.get(3).map(|name| name.as_str()), &parts[1], &parts[2], None));
                columns = None;
                self.at += 1;
                continue;
            }
            let line = self.line();
            if line.starts_with([' ', '\t']) {
                if line.trim_start().starts_with(['^', '~']) {
                    columns = self.marked();
                }
                self.at += 1;
                continue;
            }
            break;
        }
        let parts = ERROR.captures(self.line())?;
        let (kind, first) = (parts[1].to_owned(), parts.get(2).map_or("", |text| text.as_str()).to_owned());
        self.at += 1;
        let message = self.more(first);
        frames.reverse();
        let mut error = RawError::new(kind, message);
        if let Some(inner) = frames.first_mut() {
            inner.column = columns.map(|(start, _)| start);
            let syntax = inner.function.is_none();
            if let (Some(file), Some(line)) = (inner.file.clone(), inner.line)
                && (syntax || !super::place::is_foreign(&file))
            {
                let (column, end_column) = columns.unzip();
                error.place = Some(RawPlace { file, line, column, end_column });
            }
            if syntax {
                frames.remove(0);
            }
        }
        error.frames = frames;
        Some(error)
    }

    /// The columns that carets mark: the shown line is cut at its left, the source is known only later, so that the
    /// columns count from the first character that is not a space.
    fn marked(&self) -> Option<(u32, u32)> {
        let shown = self.lines.get(self.at.checked_sub(1)?)?;
        let caret = self.line();
        let left = |text: &str| text.chars().take_while(|c| c.is_whitespace()).count() as u32;
        let start = left(caret).checked_sub(left(shown))? + 1;
        Some((start, start + caret.trim().chars().count() as u32))
    }

    /// The lines that a message has besides its first.
    fn more(&mut self, first: String) -> String {
        let mut message = first;
        let mut count = 0;
        while self.at < self.lines.len() && count < 20 {
            let line = self.line();
            let ends = line.is_empty()
                || line.trim_start().starts_with("Traceback (most")
                || line.starts_with("=====")
                || line.starts_with("-----")
                || line.starts_with("Exception ")
                || FRAME.is_match(line)
                || WARNING.is_match(line);
            if ends {
                break;
            }
            message.push('\n');
            message.push_str(line);
            self.at += 1;
            count += 1;
        }
        message
    }

    /// The fault handler's form: innermost frame first, for each thread.
    fn fatal(&mut self, what: &str) -> RawError {
        self.at += 1;
        let kind = match what {
            "Segmentation fault" => "SIGSEGV",
            "Aborted" => "SIGABRT",
            "Floating point exception" => "SIGFPE",
            "Bus error" => "SIGBUS",
            _ => "Fatal Python error",
        };
        let mut frames = Vec::new();
        while self.at < self.lines.len() && frames.len() < 100 {
            let line = self.line().replace("\", line ", "\"\u{0}line ");
            if let Some((file, rest)) =
                line.trim_start().strip_prefix("File \"").and_then(|rest| rest.split_once("\"\u{0}line "))
            {
                let (number, function) = rest.split_once(" in ").unwrap_or((rest, ""));
                frames.push(frame(Some(function), file, number, None));
            } else if !self.line().is_empty() && !frames.is_empty() {
                break;
            }
            self.at += 1;
        }
        RawError { frames, ..RawError::new(kind, what) }
    }
}

/// Python's own guess at what was meant.
fn hint(error: &mut RawError) {
    let message = error.message.clone();
    if let Some(parts) = HINT.captures(&message)
        && let Some(meant) = parts.iter().skip(1).flatten().next()
    {
        let import = message.contains("forget to import");
        let text =
            if import { format!("Import {}", meant.as_str()) } else { format!("Write {}", meant.as_str()) };
        error.suggest(text, "python", Confidence::High);
    }
}
