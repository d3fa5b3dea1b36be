//! CTest: the project is configured and built, then its tests are run and read from JUnit's XML.

use super::{Before, Framework, Plan, Start};
use crate::events::{self, MOST_OUTPUT, Told};
use crate::junit_xml;
use crate::project::{OURS, Project, our_file, quoted, shortened};
use crate::run::Wanted;
use formicary_model::{ExecutionResult, TestPlace, TestResult, TestStatus};

/// CMake's own.
pub const CTEST: Framework =
    Framework { name: "ctest", language: "cpp", recognise, plan, read, goes_on: false };

fn recognise(project: &Project) -> Option<String> {
    let text = project.text("CMakeLists.txt");
    let tests = ["enable_testing", "add_test", "include(CTest)"].iter().any(|word| text.contains(word));
    tests.then(|| "CMakeLists.txt speaks of tests".to_owned())
}

fn plan(_: &Project, wanted: &Wanted, before: &Before<'_>) -> Plan {
    let missing = "{\"event\":\"missing\",\"what\":\"cmake\"}";
    let mut line = format!(
        "command -v cmake >/dev/null || {{ echo '{missing}' > {OURS}/events.jsonl; exit 127; }}; \
         {{ cmake -S /work -B /tmp/build && cmake --build /tmp/build -j2; }} > {OURS}/build.log 2>&1 \
         || {{ cat {OURS}/build.log >&2; exit 126; }}; \
         exec ctest --test-dir /tmp/build --output-junit /work/{OURS}/ctest.xml --output-on-failure"
    );
    if let Some(seconds) = before.test_seconds {
        line.push_str(&format!(" --timeout {}", seconds.ceil().max(1.0) as u64));
    }
    for word in wanted.select.iter().chain(&wanted.filter) {
        line.push_str(&format!(" -R {}", quoted(word)));
    }
    for word in &wanted.arguments {
        line.push_str(&format!(" {}", quoted(word)));
    }
    Plan {
        start: Start::Shell(line),
        files: vec![our_file("keep", "")],
        env: Vec::new(),
        collect: vec![format!("{OURS}/ctest.xml"), format!("{OURS}/events.jsonl")],
    }
}

fn read(_: &Project, result: &ExecutionResult) -> Told {
    let mut told = events::read(result, |id| (String::new(), id.to_owned()));
    let path = format!("{OURS}/ctest.xml");
    let xml = result.artifacts.iter().find(|file| file.path == path);
    if let Some(xml) = xml {
        told.finished = true;
        told.tests = junit_xml::read(&String::from_utf8_lossy(&xml.content));
        told.tests.iter_mut().for_each(|test| classify(test, &result.stdout));
    } else if result.exit_code == Some(126) {
        told.tests.push(build_failure(&result.stderr));
    }
    told
}

/// CTest says in words how a test's process ended.
fn classify(test: &mut TestResult, summary: &str) {
    if test.suite == test.name {
        test.suite = "ctest".into();
    }
    // `	  3 - crashes (SEGFAULT)`
    let told = summary.lines().find_map(|line| {
        let (name, why) = line.split_once(" - ")?.1.rsplit_once(" (")?;
        (name == test.name).then(|| why.trim_end_matches(')').to_owned())
    });
    let Some(told) = told.filter(|told| told != "Skipped" && told != "Disabled") else { return };
    test.status = match told.as_str() {
        "Failed" => TestStatus::Failed,
        "Timeout" => TestStatus::TimedOut,
        "Not Run" => TestStatus::Errored,
        _ => TestStatus::Crashed,
    };
    if test.message.is_none() {
        let said = test.output.lines().rev().find(|line| !line.trim().is_empty());
        test.message = Some(said.filter(|_| told == "Failed").map_or(told, str::to_owned));
    }
}

fn build_failure(output: &str) -> TestResult {
    let error = output.lines().find(|line| line.contains("error")).unwrap_or("it does not build");
    let place = error.split_once(": ").and_then(|(place, _)| {
        let mut parts = place.trim_start_matches("/work/").split(':');
        Some(TestPlace { file: parts.next()?.to_owned(), line: parts.next()?.parse().ok()? })
    });
    TestResult {
        name: "(build)".into(),
        suite: "ctest".into(),
        status: TestStatus::Errored,
        seconds: None,
        message: Some(error.to_owned()),
        place,
        output: shortened(output, MOST_OUTPUT),
    }
}
