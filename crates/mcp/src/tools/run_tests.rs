//! `run_tests`: a project's tests, whatever the framework.

use super::Spec;
use crate::answer::{Answer, value};
use crate::call::Call;
use crate::inputs::path_alone;
use formicary_model::{Failure, TestReport, TestResult, TestStatus};
use formicary_platform::testing::RunTests;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// Tests that the text names; the structured answer has more.
const MOST_NAMED: usize = 20;
/// Lines of a failure's message in the text.
const MOST_LINES: usize = 15;

pub(super) const TOOL: Spec = Spec::of::<RunTests>(
    "run_tests",
    "Run a project's tests in the sandbox (pytest, unittest, node, jest, vitest, go, cargo, junit, ctest; recognised by \
            itself). Returns counts and each test that did not pass with message, place and output; passed tests are only \
            counted, all are under full. Failing tests are a result, not an error.",
    Some(
        || json!({"type": "object", "properties": {"passed": {"type": "boolean"}, "framework": {"type": "string"}, "totals": {"type": "object"}, "tests": {"type": "array", "items": {"type": "object"}}, "full": {"type": "string"}}, "required": ["passed", "framework", "totals", "tests"]}),
    ),
    run,
);

fn run(call: &Call, mut arguments: Map<String, Value>) -> Result<Answer, Failure> {
    path_alone(&mut arguments);
    let report = call.perform::<RunTests>(
        arguments,
        &[("test_timeout_seconds", "test_seconds"), ("timeout_seconds", "seconds")],
    )?;
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
