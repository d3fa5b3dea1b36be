//! Test results for people: what failed first, then the counts.

use crate::terminal::{BAD, CAUTION, FAINT, GOOD, HEADING};
use formicary_model::visible::one_line;
use formicary_model::{GenerationReport, MutationReport, TestReport, TestResult, TestStatus};
use std::fmt::Write as _;
use std::path::PathBuf;

const MOST_LINES: usize = 25;

/// A run of tests.
pub fn run(report: &TestReport) -> String {
    let mut text = String::new();
    for test in report.tests.iter().filter(|test| test.status.is_bad()) {
        bad(&mut text, test);
    }
    for test in report.tests.iter().filter(|test| test.status == TestStatus::Skipped) {
        let why = test.message.as_deref().unwrap_or("no reason given");
        let _ =
            writeln!(text, "{CAUTION}skipped{CAUTION:#} {} {FAINT}{}{FAINT:#}", shown(test), one_line(why));
    }
    if report.tests.is_empty() || (!report.passed && report.totals.tests == report.totals.passed) {
        for line in last_lines(&report.output) {
            let _ = writeln!(text, "{FAINT}{}{FAINT:#}", one_line(line));
        }
    }
    for file in &report.coverage {
        let share = 100.0 * file.covered as f64 / file.lines.max(1) as f64;
        let _ = writeln!(text, "{share:>5.1} % of {} lines  {}", file.lines, one_line(&file.file));
    }
    for note in &report.notes {
        let _ = writeln!(text, "{CAUTION}note:{CAUTION:#} {}", one_line(note));
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
        one_line(&report.framework),
        one_line(&report.chosen_because),
        report.seconds
    );
    text
}

fn shown(test: &TestResult) -> String {
    match test.suite.as_str() {
        "" => one_line(&test.name),
        suite => format!("{} {}", one_line(suite), one_line(&test.name)),
    }
}

fn bad(text: &mut String, test: &TestResult) {
    let word = test.status.word().replace('_', " ");
    let _ = write!(text, "{BAD}{word}{BAD:#} {HEADING}{}{HEADING:#}", shown(test));
    if let Some(place) = &test.place {
        let _ = write!(text, " {FAINT}{}:{}{FAINT:#}", one_line(&place.file), place.line);
    }
    text.push('\n');
    for line in test.message.iter().flat_map(|message| message.lines()).take(MOST_LINES) {
        let _ = writeln!(text, "  {}", one_line(line));
    }
}

fn last_lines(output: &str) -> Vec<&str> {
    let lines: Vec<&str> = output.lines().collect();
    lines[lines.len().saturating_sub(MOST_LINES)..].to_vec()
}

/// Tests that were written: their text where no file was asked for.
pub fn generation(report: &GenerationReport, written: &[PathBuf]) -> String {
    let mut text = String::new();
    for file in &report.files {
        if written.is_empty() && file.tests > 0 {
            for line in file.text.lines() {
                let _ = writeln!(text, "{}", one_line(line));
            }
            text.push('\n');
        }
        let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        let _ = writeln!(
            text,
            "{HEADING}{}{HEADING:#}: {} tests, {} of them properties; {:.0} % of {} lines, {:.0} % of {} mutants",
            one_line(&file.module),
            file.tests,
            file.properties,
            share(file.covered, file.lines),
            file.lines,
            share(file.killed, file.mutants),
            file.mutants
        );
        if file.flaky > 0 {
            let _ = writeln!(text, "{FAINT}{} that did not always pass were dropped{FAINT:#}", file.flaky);
        }
        for note in &file.notes {
            let _ = writeln!(text, "{CAUTION}note:{CAUTION:#} {}", one_line(note));
        }
    }
    for path in written {
        let _ = writeln!(text, "written: {}", one_line(&path.display().to_string()));
    }
    text
}

/// How well tests notice changes.
pub fn mutation(report: &MutationReport) -> String {
    let mut text = String::new();
    for mutant in &report.survivors {
        let status = mutant.status.word().replace('_', " ");
        let _ = writeln!(
            text,
            "{BAD}{status}{BAD:#} {HEADING}{}:{}{HEADING:#} {FAINT}{}{FAINT:#}",
            one_line(&mutant.file),
            mutant.line,
            one_line(&mutant.kind)
        );
        for line in mutant.diff.lines() {
            let style = if line.starts_with('+') { GOOD } else { BAD };
            let _ = writeln!(text, "  {style}{}{style:#}", one_line(line));
        }
    }
    for note in &report.notes {
        let _ = writeln!(text, "{CAUTION}note:{CAUTION:#} {}", one_line(note));
    }
    let _ = writeln!(
        text,
        "score {HEADING}{:.1} %{HEADING:#}: {} of {} mutants noticed by {} test{}, {} of them by time; {} survived, {} not covered {FAINT}{:.1} s{FAINT:#}",
        100.0 * report.score,
        report.killed + report.timed_out,
        report.mutants,
        report.tests,
        if report.tests == 1 { "" } else { "s" },
        report.timed_out,
        report.survived,
        report.not_covered,
        report.seconds
    );
    if report.not_judged > 0 {
        let _ = writeln!(
            text,
            "{CAUTION}{} mutants were not judged: give more --time{CAUTION:#}",
            report.not_judged
        );
    }
    text
}
