//! Test results for people: what failed first, then the counts.

use crate::terminal::{BAD, CAUTION, FAINT, GOOD, HEADING, printable};
use formicary_model::{TestReport, TestResult, TestStatus};
use std::fmt::Write as _;

const MOST_LINES: usize = 25;

/// A run of tests.
pub fn run(report: &TestReport) -> String {
    let mut text = String::new();
    for test in report.tests.iter().filter(|test| test.status.is_bad()) {
        bad(&mut text, test);
    }
    for test in report.tests.iter().filter(|test| test.status == TestStatus::Skipped) {
        let why = test.message.as_deref().unwrap_or("no reason given");
        let _ = writeln!(text, "{CAUTION}skipped{CAUTION:#} {} {FAINT}{}{FAINT:#}", shown(test), printable(why));
    }
    if report.tests.is_empty() || (!report.passed && report.totals.tests == report.totals.passed) {
        for line in last_lines(&report.output) {
            let _ = writeln!(text, "{FAINT}{}{FAINT:#}", printable(line));
        }
    }
    for file in &report.coverage {
        let share = 100.0 * file.covered as f64 / file.lines.max(1) as f64;
        let _ = writeln!(text, "{share:>5.1} % of {} lines  {}", file.lines, printable(&file.file));
    }
    for note in &report.notes {
        let _ = writeln!(text, "{CAUTION}note:{CAUTION:#} {}", printable(note));
    }
    let style = if report.passed { GOOD } else { BAD };
    let totals = &report.totals;
    let mut counts = vec![format!("{} passed", totals.passed)];
    for (count, word) in [
        (totals.failed, "failed"),
        (totals.errored, "errored"),
        (totals.timed_out, "timed out"),
        (totals.crashed, "crashed"),
        (totals.skipped, "skipped"),
    ] {
        if count > 0 {
            counts.push(format!("{count} {word}"));
        }
    }
    let _ = writeln!(
        text,
        "{style}{}{style:#} {FAINT}by {} ({}), {:.2} s{FAINT:#}",
        counts.join(", "),
        printable(&report.framework),
        printable(&report.chosen_because),
        report.seconds
    );
    text
}

fn shown(test: &TestResult) -> String {
    match test.suite.as_str() {
        "" => printable(&test.name),
        suite => format!("{} {}", printable(suite), printable(&test.name)),
    }
}

fn bad(text: &mut String, test: &TestResult) {
    let word = test.status.word().replace('_', " ");
    let _ = write!(text, "{BAD}{word}{BAD:#} {HEADING}{}{HEADING:#}", shown(test));
    if let Some(place) = &test.place {
        let _ = write!(text, " {FAINT}{}:{}{FAINT:#}", printable(&place.file), place.line);
    }
    text.push('\n');
    for line in test.message.iter().flat_map(|message| message.lines()).take(MOST_LINES) {
        let _ = writeln!(text, "  {}", printable(line));
    }
}

fn last_lines(output: &str) -> Vec<&str> {
    let lines: Vec<&str> = output.lines().collect();
    lines[lines.len().saturating_sub(MOST_LINES)..].to_vec()
}
