//! `cargo test`, by what it writes: one test at a time, so that a test that ends its program can be named.

use super::{Before, Framework, Plan, Start};
use crate::events::{MOST_OUTPUT, Told, unfinished};
use crate::project::{Project, quoted, shortened};
use crate::run::Wanted;
use formicary_model::{ExecutionResult, TestPlace, TestResult, TestStatus};

/// Rust's own.
pub const CARGO: Framework =
    Framework { name: "cargo", language: "rust", recognise, plan, read, goes_on: true };

fn recognise(project: &Project) -> Option<String> {
    project.has("Cargo.toml").then(|| "Cargo.toml is there".to_owned())
}

fn plan(_: &Project, wanted: &Wanted, before: &Before<'_>) -> Plan {
    let mut line =
        "exec 2>&1; exec cargo test --offline --no-fail-fast --color never --target-dir /tmp/target"
            .to_owned();
    for word in &wanted.arguments {
        line.push_str(&format!(" {}", quoted(word)));
    }
    line.push_str(" -- --test-threads=1");
    for word in wanted.select.iter().chain(&wanted.filter) {
        line.push_str(&format!(" {}", quoted(word)));
    }
    if !before.done.is_empty() {
        line.push_str(" --exact");
    }
    for name in before.done {
        line.push_str(&format!(" --skip {}", quoted(name)));
    }
    Plan { start: Start::Shell(line), env: environment(), ..Plan::default() }
}

/// What cargo needs where it may write nowhere else and reach nobody.
pub fn environment() -> Vec<(&'static str, String)> {
    [("CARGO_HOME", "/tmp/cargo"), ("CARGO_NET_OFFLINE", "true"), ("RUST_BACKTRACE", "0")]
        .map(|(name, value)| (name, value.to_owned()))
        .to_vec()
}

/// What has been read so far.
#[derive(Default)]
struct Reading {
    suite: String,
    tests: Vec<TestResult>,
    /// A test whose end has not been told, and what came since it began.
    open: Option<(String, String)>,
    /// The test whose output is being read.
    section: Option<usize>,
    crashed: bool,
}

fn read(_: &Project, result: &ExecutionResult) -> Told {
    let mut reading = Reading::default();
    for line in result.stdout.lines() {
        reading.line(line);
    }
    if let Some((name, output)) = reading.open.take() {
        let (status, why) = unfinished(result);
        reading.push(&name, status, Some(why), output);
        reading.crashed = true;
    }
    for test in &mut reading.tests {
        if test.status == TestStatus::Failed {
            panicked(test);
        }
    }
    let ids = reading.tests.iter().map(|test| test.name.clone()).collect();
    let finished = !reading.crashed;
    let mut told = Told { tests: reading.tests, ids, finished, ..Told::default() };
    if told.tests.is_empty()
        && let Some(error) = result.stdout.lines().find(|line| line.starts_with("error"))
    {
        told.tests.push(build_failure(error, &result.stdout));
    }
    told
}

impl Reading {
    fn line(&mut self, line: &str) {
        let running = line.trim_start();
        if let Some(target) = running.strip_prefix("Running ").or(running.strip_prefix("Doc-tests ")) {
            self.suite =
                target.split(" (").next().unwrap_or(target).trim_start_matches("unittests ").to_owned();
            self.section = None;
        } else if let Some((name, rest)) = test_line(line) {
            self.close_crashed("another test began");
            self.section = None;
            match ending(rest) {
                Some((status, why)) => self.push(name, status, why, String::new()),
                None => self.open = Some((name.to_owned(), format!("{rest}\n"))),
            }
        } else if let Some(name) =
            line.strip_prefix("---- ").and_then(|rest| rest.strip_suffix(" stdout ----"))
        {
            self.section = self.tests.iter().rposition(|test| test.name == name);
        } else if line == "failures:" || line.starts_with("test result: ") {
            self.section = None;
        } else if running.starts_with("process didn't exit successfully") {
            let why =
                line.rsplit_once('(').map(|(_, why)| why.trim_end_matches([')', '.'])).unwrap_or("it ended");
            self.close_crashed(&format!("the process ended: {why}"));
        } else if let Some(at) = self.section {
            self.tests[at].output.push_str(&format!("{line}\n"));
        } else if let Some((name, output)) = &mut self.open {
            // What a test writes past the harness stands before its end.
            if let Some((status, why)) = line.rsplit(' ').next().and_then(ending).filter(|_| is_word(line)) {
                let (name, output) = (name.clone(), std::mem::take(output));
                self.open = None;
                self.push(&name, status, why, output);
            } else {
                output.push_str(&format!("{line}\n"));
            }
        }
    }

    fn close_crashed(&mut self, why: &str) {
        if let Some((name, output)) = self.open.take() {
            self.push(&name, TestStatus::Crashed, Some(why.to_owned()), output);
            self.crashed = true;
        }
    }

    fn push(&mut self, name: &str, status: TestStatus, message: Option<String>, output: String) {
        self.tests.push(TestResult {
            name: name.to_owned(),
            suite: self.suite.clone(),
            status,
            seconds: None,
            message,
            place: None,
            output: shortened(&output, MOST_OUTPUT),
        });
    }
}

/// `test a::b ... rest`; `test src/lib.rs - f (line 3) ... rest`.
pub fn test_line(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.strip_prefix("test ")?.split_once(" ... ").or_else(|| {
        line.strip_prefix("test ").and_then(|rest| rest.strip_suffix(" ...")).map(|name| (name, ""))
    })?;
    Some((name.trim_end_matches(" - should panic"), rest))
}

fn is_word(line: &str) -> bool {
    matches!(line.trim(), "ok" | "FAILED") || line.starts_with("ignored")
}

/// How a test ended, by the word of the harness.
pub fn ending(word: &str) -> Option<(TestStatus, Option<String>)> {
    let word = word.trim();
    if let Some(rest) = word.strip_prefix("ignored") {
        let why = rest.trim_start_matches([',', ' ']);
        return Some((TestStatus::Skipped, Some(if why.is_empty() { "ignored" } else { why }.to_owned())));
    }
    match word.split_whitespace().next()? {
        "ok" => Some((TestStatus::Passed, None)),
        "FAILED" => Some((TestStatus::Failed, None)),
        _ => None,
    }
}

/// Where it panicked, and what it said.
pub fn panicked(test: &mut TestResult) {
    let Some((_, rest)) = test.output.split_once(" panicked at ") else { return };
    let (place, message) = rest.split_once(":\n").unwrap_or((rest, ""));
    let mut parts = place.rsplitn(3, ':');
    let (_, line, file) = (parts.next(), parts.next(), parts.next());
    if let (Some(Ok(line)), Some(file)) = (line.map(str::parse), file) {
        test.place = Some(TestPlace { file: file.to_owned(), line });
    }
    let said = message.split("\nnote: ").next().unwrap_or(message).trim_end();
    test.message = Some(said.to_owned()).filter(|said| !said.is_empty());
}

/// A build that failed, as a test of its own.
pub fn build_failure(error: &str, output: &str) -> TestResult {
    let place = output.lines().find_map(|line| line.trim_start().strip_prefix("--> "));
    let place = place.and_then(|place| {
        let mut parts = place.split(':');
        Some(TestPlace { file: parts.next()?.to_owned(), line: parts.next()?.parse().ok()? })
    });
    TestResult {
        name: "(build)".into(),
        suite: String::new(),
        status: TestStatus::Errored,
        seconds: None,
        message: Some(error.to_owned()),
        place,
        output: shortened(output, MOST_OUTPUT),
    }
}
