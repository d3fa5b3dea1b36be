//! nextest: every test in a process of its own, read from JUnit's XML; what the XML leaves out, its own lines tell.

use super::cargo::{self, build_failure, panicked};
use super::{Before, Framework, Plan, Start};
use crate::events::{self, Told};
use crate::junit_xml;
use crate::project::{NEXTEST_AT, OURS, Project, our_file, quoted};
use crate::run::Wanted;
use formicary_model::{ExecutionResult, TestResult, TestStatus};

/// The faster runner of Rust's tests.
pub const NEXTEST: Framework =
    Framework { name: "nextest", language: "rust", recognise, plan, read, goes_on: false };

fn recognise(project: &Project) -> Option<String> {
    let configured = project.has("Cargo.toml") && project.has(".config/nextest.toml");
    configured.then(|| ".config/nextest.toml is there".to_owned())
}

/// Given beside the project's own configuration, which stays in force.
fn configuration(before: &Before<'_>) -> String {
    let timeout = before.test_seconds.map_or_else(String::new, |seconds| {
        let period = (seconds * 1e3).round().max(1.0);
        format!("slow-timeout = {{ period = \"{period}ms\", terminate-after = 1, grace-period = \"0s\" }}\n")
    });
    format!("[profile.default]\n{timeout}[profile.default.junit]\npath = \"/work/{OURS}/nextest.xml\"\n")
}

fn plan(_: &Project, wanted: &Wanted, before: &Before<'_>) -> Plan {
    let missing = "{\"event\":\"missing\",\"what\":\"cargo-nextest\"}";
    let mut line = format!(
        "PATH=$PATH:{NEXTEST_AT}; command -v cargo-nextest >/dev/null || {{ echo '{missing}' > {OURS}/events.jsonl; exit 127; }}; \
         exec 2>&1; exec cargo nextest run --offline --no-fail-fast --color never --status-level all \
         --final-status-level none --no-tests pass --target-dir /tmp/target \
         --tool-config-file formicary:/work/{OURS}/nextest.toml"
    );
    for word in wanted.arguments.iter().chain(&wanted.select).chain(&wanted.filter) {
        line.push_str(&format!(" {}", quoted(word)));
    }
    Plan {
        start: Start::Shell(line),
        files: vec![our_file("nextest.toml", configuration(before))],
        env: cargo::environment(),
        collect: vec![format!("{OURS}/nextest.xml"), format!("{OURS}/events.jsonl")],
    }
}

fn read(_: &Project, result: &ExecutionResult) -> Told {
    let mut told = events::read(result, |id| (String::new(), id.to_owned()));
    let path = format!("{OURS}/nextest.xml");
    if let Some(xml) = result.artifacts.iter().find(|file| file.path == path) {
        told.finished = true;
        told.tests = junit_xml::read(&String::from_utf8_lossy(&xml.content));
    }
    for (status, suite, name) in result.stdout.lines().filter_map(status_line) {
        match told.tests.iter_mut().find(|test| test.suite == suite && test.name == name) {
            Some(test) => test.status = status,
            None => told.tests.push(named(suite, name, status)),
        }
    }
    for test in told.tests.iter_mut().filter(|test| test.status.is_bad()) {
        if test.status == TestStatus::Failed {
            panicked(test);
        }
        let usual = if test.status == TestStatus::TimedOut { "it did not end in time" } else { "it failed" };
        test.message.get_or_insert_with(|| usual.to_owned());
    }
    if told.tests.is_empty()
        && let Some(error) = result.stdout.lines().find(|line| line.starts_with("error"))
    {
        told.tests.push(build_failure(error, &result.stdout));
    }
    told
}

fn named(suite: &str, name: &str, status: TestStatus) -> TestResult {
    TestResult {
        name: name.to_owned(),
        suite: suite.to_owned(),
        status,
        seconds: None,
        message: None,
        place: None,
        output: String::new(),
    }
}

/// `     SIGABRT [   0.012s] (2/5) calc tests::aborts`; the count is not always there.
fn status_line(line: &str) -> Option<(TestStatus, &str, &str)> {
    let (word, rest) = line.trim_start().split_once(" [")?;
    let status = match word {
        "PASS" | "LEAK" => TestStatus::Passed,
        "FAIL" | "LEAK-FAIL" => TestStatus::Failed,
        "SKIP" => TestStatus::Skipped,
        "TIMEOUT" => TestStatus::TimedOut,
        "XFAIL" | "EXECFAIL" => TestStatus::Errored,
        word if word.starts_with("SIG") || word == "ABORT" => TestStatus::Crashed,
        _ => return None,
    };
    let rest = rest.split_once(']')?.1.trim_start();
    let rest = match rest.strip_prefix('(') {
        Some(counted) => counted.split_once(')')?.1.trim_start(),
        None => rest,
    };
    let (suite, name) = rest.split_once(' ')?;
    Some((status, suite, name.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_status_are_read() {
        for (line, expected) in [
            (
                "        PASS [   0.225s] (3/5) calc tests::panics",
                Some((TestStatus::Passed, "calc", "tests::panics")),
            ),
            (
                "     SIGABRT [   0.012s] (2/5) calc tests::aborts",
                Some((TestStatus::Crashed, "calc", "tests::aborts")),
            ),
            ("        SKIP [         ] ( 5/ 5) a::b x", Some((TestStatus::Skipped, "a::b", "x"))),
            (
                "     TIMEOUT [   1.011s] calc tests::slow",
                Some((TestStatus::TimedOut, "calc", "tests::slow")),
            ),
            ("        SLOW [>  1.000s] calc tests::slow", None),
            ("     Summary [   1.025s] 5 tests run: 2 passed", None),
        ] {
            assert_eq!(status_line(line), expected, "{line}");
        }
    }
}
