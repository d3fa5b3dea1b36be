//! `node --test`, jest and vitest. The first two tell us by reporters of ours, vitest by its JSON.

use super::{Before, Framework, Plan, Start};
use crate::events::{self, Told};
use crate::project::{OURS, Project, our_file, quoted, shortened};
use crate::run::Wanted;
use formicary_model::{ExecutionResult, TestPlace, TestResult, TestStatus};
use serde::Deserialize;
use serde_json::Value;

const NODE_REPORTER: &str = include_str!("runners/node_reporter.mjs");
const JEST_REPORTER: &str = include_str!("runners/jest_reporter.cjs");

/// `node --test`.
pub const NODE: Framework = Framework {
    name: "node",
    language: "javascript",
    recognise: recognise_node,
    plan: plan_node,
    read,
    goes_on: false,
};

/// jest.
pub const JEST: Framework = Framework {
    name: "jest",
    language: "javascript",
    recognise: |project| recognise_package(project, "jest"),
    plan: plan_jest,
    read,
    goes_on: false,
};

/// vitest.
pub const VITEST: Framework = Framework {
    name: "vitest",
    language: "javascript",
    recognise: |project| recognise_package(project, "vitest"),
    plan: plan_vitest,
    read: read_vitest,
    goes_on: false,
};

const ENDINGS: [&str; 6] = [".js", ".mjs", ".cjs", ".ts", ".jsx", ".tsx"];

fn is_script(path: &str) -> bool {
    ENDINGS.iter().any(|ending| path.ends_with(ending))
}

fn recognise_package(project: &Project, name: &str) -> Option<String> {
    if let Some(path) = project.paths.iter().find(|path| path.starts_with(&format!("{name}.config."))) {
        return Some(format!("{path} is there"));
    }
    let manifest: Value = serde_json::from_str(project.text("package.json")).ok()?;
    let asks = |group: &str| manifest.get(group).and_then(|group| group.get(name)).is_some();
    if asks("devDependencies") || asks("dependencies") || manifest.get(name).is_some() {
        return Some(format!("package.json asks for {name}"));
    }
    let script = manifest.get("scripts")?.get("test")?.as_str()?;
    script
        .split_whitespace()
        .any(|word| word == name)
        .then(|| format!("package.json's test script runs {name}"))
}

fn recognise_node(project: &Project) -> Option<String> {
    if project.text("package.json").contains("node --test") {
        return Some("package.json's test script runs node --test".into());
    }
    node_files(project).first().map(|path| format!("{path} uses node:test"))
}

fn node_files(project: &Project) -> Vec<String> {
    let own = |path: &&String| {
        is_script(path) && ["node:test'", "node:test\""].iter().any(|word| project.text(path).contains(word))
    };
    project.paths.iter().filter(own).cloned().collect()
}

fn words(list: &[String]) -> String {
    list.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

fn plan_node(project: &Project, wanted: &Wanted, before: &Before<'_>) -> Plan {
    let files = if wanted.select.is_empty() { node_files(project) } else { wanted.select.clone() };
    let mut line = format!(
        "node --test --test-reporter=/work/{OURS}/reporter.mjs --test-reporter-destination=/work/{OURS}/events.jsonl"
    );
    if let Some(seconds) = before.test_seconds {
        line.push_str(&format!(" --test-timeout={}", (seconds * 1000.0) as u64));
    }
    if let Some(filter) = &wanted.filter {
        line.push_str(&format!(" --test-name-pattern={}", quoted(filter)));
    }
    if wanted.coverage {
        line.push_str(" --experimental-test-coverage");
    }
    Plan {
        start: Start::Shell(format!("exec {line} {} {}", words(&wanted.arguments), words(&files))),
        files: vec![our_file("reporter.mjs", NODE_REPORTER)],
        env: Vec::new(),
        collect: vec![format!("{OURS}/events.jsonl")],
    }
}

/// The words that say that a package is missing, where it is.
fn needs(name: &str, program: &str) -> String {
    let line = format!("{{\"event\":\"missing\",\"what\":\"{name}\"}}");
    format!("[ -e {program} ] || {{ echo '{line}' > {OURS}/events.jsonl; exit 127; }}; ")
}

fn plan_jest(_: &Project, wanted: &Wanted, before: &Before<'_>) -> Plan {
    let program = "node_modules/jest/bin/jest.js";
    let mut line = format!(
        "exec node {program} --ci --watchman=false --rootDir=/work --testLocationInResults --maxWorkers=2 \
         --cacheDirectory=/tmp/jest --reporters=/work/{OURS}/reporter.cjs"
    );
    if let Some(seconds) = before.test_seconds {
        line.push_str(&format!(" --testTimeout={}", (seconds * 1000.0) as u64));
    }
    if let Some(filter) = &wanted.filter {
        line.push_str(&format!(" --testNamePattern={}", quoted(filter)));
    }
    if wanted.coverage {
        line.push_str(" --coverage --coverageReporters=json --coverageDirectory=/tmp/jest-coverage");
    }
    let line =
        format!("{}{line} {} {}", needs("jest", program), words(&wanted.arguments), words(&wanted.select));
    Plan {
        start: Start::Shell(line),
        files: vec![our_file("reporter.cjs", JEST_REPORTER)],
        env: vec![("CI", "1".into())],
        collect: vec![format!("{OURS}/events.jsonl")],
    }
}

fn plan_vitest(_: &Project, wanted: &Wanted, before: &Before<'_>) -> Plan {
    let program = "node_modules/vitest/vitest.mjs";
    let mut line =
        format!("exec node {program} run --pool=forks --reporter=json --outputFile=/work/{OURS}/vitest.json");
    if let Some(seconds) = before.test_seconds {
        line.push_str(&format!(" --testTimeout={}", (seconds * 1000.0) as u64));
    }
    if let Some(filter) = &wanted.filter {
        line.push_str(&format!(" --testNamePattern={}", quoted(filter)));
    }
    let line =
        format!("{}{line} {} {}", needs("vitest", program), words(&wanted.arguments), words(&wanted.select));
    Plan {
        start: Start::Shell(line),
        files: vec![our_file("keep", "")],
        env: vec![("CI", "1".into())],
        collect: vec![format!("{OURS}/*.json*")],
    }
}

fn read(_: &Project, result: &ExecutionResult) -> Told {
    events::read(result, split)
}

fn split(id: &str) -> (String, String) {
    match id.split_once("::") {
        Some((suite, "")) => (suite.to_owned(), "(the whole file)".to_owned()),
        Some((suite, name)) => (suite.to_owned(), name.to_owned()),
        None => (String::new(), id.to_owned()),
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct VitestReport {
    test_results: Vec<VitestFile>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct VitestFile {
    name: String,
    #[serde(default)]
    status: String,
    #[serde(default)]
    message: String,
    #[serde(default)]
    assertion_results: Vec<VitestTest>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct VitestTest {
    #[serde(default)]
    ancestor_titles: Vec<String>,
    title: String,
    status: String,
    duration: Option<f64>,
    #[serde(default)]
    failure_messages: Vec<String>,
    location: Option<Location>,
}

#[derive(Deserialize)]
struct Location {
    line: u32,
}

fn read_vitest(_: &Project, result: &ExecutionResult) -> Told {
    let mut told = events::read(result, split);
    let path = format!("{OURS}/vitest.json");
    let report = result.artifacts.iter().find(|file| file.path == path);
    let report: Option<VitestReport> = report.and_then(|file| serde_json::from_slice(&file.content).ok());
    told.finished = report.is_some();
    for file in report.into_iter().flat_map(|report| report.test_results) {
        let suite = file.name.strip_prefix("/work/").unwrap_or(&file.name).to_owned();
        if file.assertion_results.is_empty() && file.status == "failed" {
            told.tests.push(whole_file(&suite, &file.message, result));
        }
        told.tests.extend(file.assertion_results.into_iter().map(|test| vitest_test(&suite, test)));
    }
    let died = result.stderr.contains("Worker exited unexpectedly")
        || result.stderr.contains("Worker forks emitted error")
        || result.stderr.contains("process.exit unexpectedly called");
    let told_so = told.tests.iter().any(|test| test.status == TestStatus::Crashed);
    if died && !told_so {
        told.tests.push(whole_file("", "a worker of vitest ended unexpectedly", result));
    }
    told
}

fn whole_file(suite: &str, message: &str, result: &ExecutionResult) -> TestResult {
    let died = message.contains("ended unexpectedly") || message.contains("Worker exited unexpectedly");
    TestResult {
        name: "(the whole file)".into(),
        suite: suite.to_owned(),
        status: if died { TestStatus::Crashed } else { TestStatus::Errored },
        seconds: None,
        message: Some(message.to_owned()).filter(|message| !message.is_empty()),
        place: (!suite.is_empty()).then(|| TestPlace { file: suite.to_owned(), line: 1 }),
        output: shortened(&result.stderr, events::MOST_OUTPUT),
    }
}

fn vitest_test(suite: &str, test: VitestTest) -> TestResult {
    let message = test.failure_messages.join("\n");
    let status = match test.status.as_str() {
        "passed" => TestStatus::Passed,
        "failed" if message.contains("Test timed out in") => TestStatus::TimedOut,
        "failed"
            if ["TypeError", "ReferenceError", "RangeError"].iter().any(|name| message.starts_with(name)) =>
        {
            TestStatus::Errored
        }
        "failed" => TestStatus::Failed,
        // It began and never ended: its process is gone.
        "pending" => TestStatus::Crashed,
        _ => TestStatus::Skipped,
    };
    let mut titles = test.ancestor_titles;
    titles.retain(|title| !title.is_empty());
    titles.push(test.title);
    let line = failing_line(&message, suite).or(test.location.map(|location| location.line));
    TestResult {
        name: titles.join(" > "),
        suite: suite.to_owned(),
        status,
        seconds: test.duration.map(|milliseconds| milliseconds / 1000.0),
        message: match status {
            TestStatus::Crashed => Some("its process ended in the middle of it".to_owned()),
            _ => message.split("\n    at ").next().filter(|first| !first.is_empty()).map(str::to_owned),
        },
        place: Some(TestPlace { file: suite.to_owned(), line: line.unwrap_or(1).max(1) }),
        output: shortened(&message, events::MOST_OUTPUT),
    }
}

/// The line of the test's own file in a stack.
fn failing_line(message: &str, suite: &str) -> Option<u32> {
    let (_, rest) = message.split_once(&format!("/work/{suite}:"))?;
    rest.split(|letter: char| !letter.is_ascii_digit()).next()?.parse().ok()
}
