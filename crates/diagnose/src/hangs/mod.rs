//! Where a program is that does not end.
//!
//! The program runs once more for a short time beside a thread of ours, which takes several samples of all stacks with their
//! variables and judges them: a loop with what changes in it and what does not, threads that wait for each other's locks, or
//! what is waited for. One language has one file here.

mod sentence;

use crate::failures::SourceText;
use crate::failures::place::Files;
use crate::failures::raw::RawPlace;
use crate::watched;
use crate::watched::cut;
use formicary_model::{
    Artifact, Diagnosis, ExecutionRequest, ExecutionResult, Hang, HangKind, Language, SampledVariable,
    Status, Variable, WaitingThread,
};
use regex::Regex;
use std::sync::LazyLock;

/// The program that samples, inside.
const PYTHON: &str = concat!(include_str!("../snapshot/values.py"), "\n\n", include_str!("python.py"));
const WATCHER_PATH: &str = "formicary-hangs.py";
const REPORT: &str = "formicary-hang.json";
/// What the interpreter itself writes where one call keeps every other thread from running.
const STACKS: &str = "formicary-stacks.txt";

/// Bounds of what is read of a report: the program could have written it itself.
const REPORT_BYTES: u64 = 1024 * 1024;
const VARIABLES: usize = 8;
const WIDTH: usize = 300;

/// The program is watched for this share of the time that it had, and no longer than that many seconds.
const SHARE: f64 = 0.4;
const MOST_SECONDS: f64 = 3.0;
const LEAST_SECONDS: f64 = 0.2;

static FRAME: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"^\s*File "([^"]*)", line (\d+) in (.*)$"#).ok());

/// What standard input is in the watched run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// What the request gives, and its end.
    Given,
    /// It stays open and nothing comes: the input of the first run came live and cannot be given again.
    Open,
}

/// The run that samples; none if the program did not run out of time, or the language has no way to.
pub fn request(
    original: &ExecutionRequest,
    language: Language,
    entry: &str,
    first: &ExecutionResult,
    input: Input,
) -> Option<ExecutionRequest> {
    let out_of_time = matches!(first.status, Status::Timeout | Status::CpuLimit);
    if language != Language::Python || original.command.is_some() || !out_of_time {
        return None;
    }
    let seconds = (first.duration * SHARE).clamp(LEAST_SECONDS, MOST_SECONDS).to_string();
    let input = match input {
        Input::Given => "given",
        Input::Open => "open",
    };
    let mut request = watched::request(original, entry, WATCHER_PATH, PYTHON, &[&seconds, input])?;
    request.collect.globs = vec![REPORT.into(), STACKS.into()];
    request.collect.max_files = 2;
    request.collect.max_bytes = REPORT_BYTES;
    Some(request)
}

/// Gives the main error the place where the program hangs, and says so in its cause line.
pub fn attach(diagnosis: &mut Diagnosis, watched: &ExecutionResult, sources: &[SourceText]) {
    let files = Files { sources };
    let Some(hang) = hang(&watched.artifacts, &files) else { return };
    let Some(error) = diagnosis.errors.first_mut() else { return };
    error.root_cause = sentence::of(&hang);
    // The advice of the table is for a program of which nothing is known but that its time was up.
    for suggestion in error.suggestions.iter_mut().filter(|suggestion| suggestion.origin == "rule") {
        sentence::advice(hang.kind).clone_into(&mut suggestion.text);
    }
    if error.place.is_none() {
        let place = RawPlace { file: hang.file.clone(), line: hang.line, column: None, end_column: None };
        error.place = Some(files.shown(&place, hang.function.clone()));
    }
    error.hang = Some(hang);
}

fn hang(artifacts: &[Artifact], files: &Files<'_>) -> Option<Hang> {
    let named = |path| artifacts.iter().find(|artifact| artifact.path == path);
    let report = named(REPORT).and_then(|report| serde_json::from_slice::<Hang>(&report.content).ok());
    if let Some(report) = report {
        return bounded(report, files);
    }
    stuck(&String::from_utf8_lossy(&named(STACKS)?.content), files)
}

/// A program whose one call keeps the interpreter to itself: the innermost own line of the interpreter's own report.
fn stuck(stacks: &str, files: &Files<'_>) -> Option<Hang> {
    let frame = FRAME.as_ref()?;
    stacks.lines().filter_map(|line| frame.captures(line)).find_map(|parts| {
        let source = files.find(&parts[1])?;
        let line: u32 = parts[2].parse().ok()?;
        let text = source.text.lines().nth(line.checked_sub(1)? as usize)?;
        Some(Hang {
            kind: HangKind::Loop,
            file: source.path.clone(),
            line,
            end_line: None,
            function: Some(cut(&parts[3], WIDTH)),
            expression: cut(text.trim(), WIDTH),
            changing: Vec::new(),
            unchanged: Vec::new(),
            threads: Vec::new(),
        })
    })
}

/// A report within its bounds, which speaks of the program's own files only.
fn bounded(hang: Hang, files: &Files<'_>) -> Option<Hang> {
    let variables = |list: Vec<SampledVariable>| {
        list.into_iter()
            .take(VARIABLES)
            .map(|SampledVariable { variable, before }| SampledVariable {
                variable: Variable {
                    name: cut(&variable.name, WIDTH),
                    kind: cut(&variable.kind, WIDTH),
                    value: cut(&variable.value, WIDTH),
                },
                before: before.map(|before| cut(&before, WIDTH)),
            })
            .collect()
    };
    let threads = hang.threads.into_iter().take(VARIABLES).filter_map(|thread| {
        Some(WaitingThread {
            thread: cut(&thread.thread, WIDTH),
            file: files.find(&thread.file)?.path.clone(),
            line: thread.line,
            waits_for: cut(&thread.waits_for, WIDTH),
            held_by: thread.held_by.map(|name| cut(&name, WIDTH)),
            taken_at: thread.taken_at.map(|place| cut(&place, WIDTH)),
        })
    });
    Some(Hang {
        kind: hang.kind,
        file: files.find(&hang.file)?.path.clone(),
        line: hang.line,
        end_line: hang.end_line.filter(|end| *end >= hang.line),
        function: hang.function.map(|function| cut(&function, WIDTH)),
        expression: cut(&hang.expression, WIDTH),
        changing: variables(hang.changing),
        unchanged: variables(hang.unchanged),
        threads: threads.collect(),
    })
}
