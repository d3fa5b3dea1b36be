//! `run_tests`: a project's tests, whatever the framework.

use super::{Nature, Spec, testing};
use crate::answer::{Answer, value};
use crate::call::Call;
use crate::inputs::{files_schema, read};
use crate::schema;
use formicary_model::{Failure, TestReport, TestResult, TestStatus};
use formicary_platform::uploads::UploadedFile;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Tests that the text names; the structured answer has more.
const MOST_NAMED: usize = 20;
/// Lines of a failure's message in the text.
const MOST_LINES: usize = 15;

pub(super) const TOOL: Spec = Spec {
    name: "run_tests",
    about: "Run a project's tests in the sandbox (pytest, unittest, node, jest, vitest, go, cargo, junit, ctest; recognised by \
            itself). Returns counts and each test that did not pass with message, place and output; passed tests are only \
            counted, all are under full. Failing tests are a result, not an error.",
    nature: Nature::Fetches,
    input: schema::of::<Input>,
    output: Some(
        || json!({"type": "object", "properties": {"passed": {"type": "boolean"}, "framework": {"type": "string"}, "totals": {"type": "object"}, "tests": {"type": "array", "items": {"type": "object"}}, "full": {"type": "string"}}, "required": ["passed", "framework", "totals", "tests"]}),
    ),
    run: |call, arguments| run(call, read(arguments)?),
};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct Input {
    /// Folder of the project, or a file of tests. Default: the whole project
    path: Option<String>,
    #[schemars(schema_with = "files_schema")]
    files: Vec<UploadedFile>,
    framework: Option<String>,
    /// Files, packages or tests as the framework names them
    only: Vec<String>,
    /// Only tests whose names hold this
    filter: Option<String>,
    /// Python: which lines are reached
    coverage: bool,
    /// More arguments for the framework
    args: Vec<String>,
    /// Python packages to install first, e.g. pytest
    packages: Vec<String>,
    /// Of one test
    test_timeout_seconds: Option<f64>,
    /// Of all, default 280
    timeout_seconds: Option<f64>,
}

fn run(call: &Call, input: Input) -> Result<Answer, Failure> {
    let mut options = testing::options(call, input.path.as_deref(), &input.files, input.packages)?;
    let within = |name, asked: Option<f64>| asked.map(|asked| testing::seconds(name, asked, 0.1, 300.0));
    let wanted = &mut options.wanted;
    wanted.framework = input.framework;
    wanted.select.extend(input.only);
    wanted.filter = input.filter;
    wanted.arguments = input.args;
    wanted.coverage = input.coverage;
    wanted.test_seconds = within("test_timeout_seconds", input.test_timeout_seconds).transpose()?;
    wanted.seconds = within("timeout_seconds", input.timeout_seconds).transpose()?;
    call.progress.step("running the tests");
    let report = call.quiet(|live| call.platform().run_tests_as(&call.caller(), &options, live))?;
    Answer::digest(call, &slim(&report)?, &report, "tests.json", text(&report))
}

/// What did not pass, the worst first.
fn notable(report: &TestReport) -> Vec<&TestResult> {
    let mut tests: Vec<&TestResult> =
        report.tests.iter().filter(|test| test.status != TestStatus::Passed).collect();
    tests.sort_by_key(|test| !test.status.is_bad());
    tests
}

/// Whether the framework's own words tell what the tests do not.
fn says_more(report: &TestReport) -> bool {
    !report.passed && report.tests.iter().all(|test| !test.status.is_bad())
}

/// The report without what a model has no use for.
fn slim(report: &TestReport) -> Result<Value, Failure> {
    let mut slim = value(&TestReport { tests: Vec::new(), ..report.clone() })?;
    slim["tests"] = value(&notable(report))?;
    slim["enforcement"] = json!({"provider": report.enforcement.provider, "level": report.enforcement.level});
    if !says_more(report)
        && let Value::Object(fields) = &mut slim
    {
        fields.remove("output");
    }
    Ok(slim)
}

fn text(report: &TestReport) -> String {
    let totals = &report.totals;
    let mut text = format!("{}: ", if report.passed { "passed" } else { "not passed" });
    let _ = write!(text, "{} of {} tests passed", totals.passed, totals.tests);
    for (count, word) in [
        (totals.failed, "failed"),
        (totals.errored, "errored"),
        (totals.timed_out, "timed out"),
        (totals.crashed, "crashed"),
        (totals.skipped, "skipped"),
    ] {
        if count > 0 {
            let _ = write!(text, ", {count} {word}");
        }
    }
    let _ = writeln!(text, "; {} ({}), {:.2} s", report.framework, report.chosen_because, report.seconds);
    let notable = notable(report);
    for test in notable.iter().take(MOST_NAMED) {
        let _ = write!(text, "{} {} {}", test.status.word(), test.suite, test.name);
        if let Some(place) = &test.place {
            let _ = write!(text, " at {}:{}", place.file, place.line);
        }
        text.push('\n');
        for line in test.message.iter().flat_map(|message| message.lines()).take(MOST_LINES) {
            let _ = writeln!(text, "  {line}");
        }
    }
    if notable.len() > MOST_NAMED {
        let _ = writeln!(text, "… {} more", notable.len() - MOST_NAMED);
    }
    for file in report.coverage.iter().take(MOST_NAMED) {
        let _ = writeln!(text, "{}: {} of {} lines reached", file.file, file.covered, file.lines);
    }
    for note in &report.notes {
        let _ = writeln!(text, "note: {note}");
    }
    if says_more(report) {
        super::execute_code::section(&mut text, "output", &report.output);
    }
    text
}
