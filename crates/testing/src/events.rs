//! What our runners inside the sandbox tell: one JSON object a line, when a test starts and when it ends.
//!
//! A test that started and never ended took its process with it, or its time was over when the process was ended.

use crate::project::{OURS, shortened};
use formicary_model::{ExecutionResult, FileCoverage, Status, TestPlace, TestResult, TestStatus};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Bytes kept of what one test wrote.
pub const MOST_OUTPUT: usize = 8_000;

/// What a runner told.
#[derive(Debug, Default)]
pub struct Told {
    /// The tests that ended, and the one that did not.
    pub tests: Vec<TestResult>,
    /// Their names as the framework knows them.
    pub ids: Vec<String>,
    /// Whether the runner came to its end.
    pub finished: bool,
    /// A tool that the framework needs and that is not there.
    pub missing: Option<String>,
    /// Covered lines.
    pub coverage: Vec<FileCoverage>,
}

#[derive(Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Line {
    Start(TestLine),
    End(TestLine),
    Close {
        id: String,
    },
    Missing {
        what: String,
    },
    Coverage {
        files: BTreeMap<String, (u64, u64, Vec<u32>)>,
    },
    Finished,
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct TestLine {
    id: String,
    #[serde(default)]
    status: Option<TestStatus>,
    #[serde(default)]
    seconds: Option<f64>,
    #[serde(default)]
    message: Option<String>,
    #[serde(default)]
    file: Option<String>,
    #[serde(default)]
    line: Option<u32>,
    #[serde(default)]
    output: String,
}

/// Reads what a runner left. `split` makes suite and name of the framework's own name.
pub fn read(result: &ExecutionResult, split: fn(&str) -> (String, String)) -> Told {
    let path = format!("{OURS}/events.jsonl");
    let content = result.artifacts.iter().find(|file| file.path == path).map(|file| &file.content[..]);
    let text = String::from_utf8_lossy(content.unwrap_or_default());
    let mut told = Told::default();
    let mut running: Vec<TestLine> = Vec::new();
    for line in text.lines().filter_map(|line| serde_json::from_str::<Line>(line).ok()) {
        match line {
            Line::Start(test) => running.push(test),
            Line::End(test) => {
                running.retain(|other| other.id != test.id);
                told.ids.push(test.id.clone());
                told.tests.push(test.result(split));
            }
            Line::Close { id } => running.retain(|other| other.id != id),
            Line::Missing { what } => told.missing = Some(what),
            Line::Coverage { files } => {
                let file = |(file, (lines, covered, missed))| FileCoverage { file, lines, covered, missed };
                told.coverage = files.into_iter().map(file).collect();
            }
            Line::Finished => told.finished = true,
            Line::Other => {}
        }
    }
    for test in running {
        let (status, why) = unfinished(result);
        told.ids.push(test.id.clone());
        let said = shortened(result.stderr.trim(), MOST_OUTPUT);
        told.tests.push(TestResult { status, message: Some(why), output: said, ..test.result(split) });
    }
    told
}

impl TestLine {
    fn result(self, split: fn(&str) -> (String, String)) -> TestResult {
        let (suite, name) = split(&self.id);
        TestResult {
            name,
            suite,
            status: self.status.unwrap_or(TestStatus::Errored),
            seconds: self.seconds,
            message: self.message.filter(|message| !message.is_empty()),
            place: self.file.map(|file| TestPlace { file, line: self.line.unwrap_or(1).max(1) }),
            output: shortened(&self.output, MOST_OUTPUT),
        }
    }
}

/// How a test ended that took its process with it, and why.
pub fn unfinished(result: &ExecutionResult) -> (TestStatus, String) {
    let late = matches!(result.status, Status::Timeout | Status::CpuLimit);
    if late || result.stderr.contains("Timeout (0:") {
        let why = result.error_message.clone().filter(|_| late);
        return (TestStatus::TimedOut, why.unwrap_or_else(|| "it did not end in time".into()));
    }
    let why = result.error_message.clone().unwrap_or_else(|| "the process ended in the middle of it".into());
    (TestStatus::Crashed, why.replace("the program", "the process of the test"))
}
