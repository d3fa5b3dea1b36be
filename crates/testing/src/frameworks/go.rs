//! `go test`, by its JSON.

use super::{Before, Framework, Plan, Start};
use crate::events::{MOST_OUTPUT, Told};
use crate::go_coverage::{self, PROFILE};
use crate::project::{Project, our_file, quoted, shortened};
use crate::run::Wanted;
use formicary_model::{ExecutionResult, Status, TestPlace, TestResult, TestStatus};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// Go's own.
pub const GO: Framework = Framework { name: "go", language: "go", recognise, plan, read, goes_on: false };

fn recognise(project: &Project) -> Option<String> {
    project.ending("_test.go").next().map(|path| format!("{path} is there"))
}

fn plan(project: &Project, wanted: &Wanted, before: &Before<'_>) -> Plan {
    let module = project.has("go.mod");
    let vendored = project.has("vendor/modules.txt");
    let mut line = "exec go test -json -count=1".to_owned();
    let seconds = before.test_seconds.or(wanted.seconds.map(|all| (all - 5.0).max(1.0)));
    if let Some(seconds) = seconds {
        line.push_str(&format!(" -timeout={seconds}s"));
    }
    if let Some(filter) = &wanted.filter {
        line.push_str(&format!(" -run={}", quoted(filter)));
    }
    let (mut files, mut collect) = (Vec::new(), Vec::new());
    if wanted.coverage {
        line.push_str(&format!(" -coverprofile=/work/{PROFILE}"));
        files.push(our_file("keep", ""));
        collect.push(PROFILE.to_owned());
    }
    for word in &wanted.arguments {
        line.push_str(&format!(" {}", quoted(word)));
    }
    let packages: BTreeSet<String> = wanted.select.iter().map(|name| package_of(name)).collect();
    if packages.is_empty() {
        line.push_str(if module { " ./..." } else { " ." });
    }
    for package in packages {
        line.push_str(&format!(" {}", quoted(&package)));
    }
    Plan {
        start: Start::Shell(line),
        env: [
            ("GOCACHE", "/tmp/go-build"),
            ("GOPATH", "/tmp/go"),
            ("GOTMPDIR", "/tmp"),
            ("GOPROXY", "off"),
            ("GOTOOLCHAIN", "local"),
            ("GOTELEMETRY", "off"),
            ("GOFLAGS", if module && !vendored { "-mod=mod" } else { "" }),
            ("GO111MODULE", if module { "on" } else { "off" }),
        ]
        .map(|(name, value)| (name, value.to_owned()))
        .to_vec(),
        files,
        collect,
    }
}

/// The package of a file; a package as it is.
fn package_of(name: &str) -> String {
    if !name.ends_with(".go") {
        return name.to_owned();
    }
    name.rsplit_once('/').map_or(".".to_owned(), |(folder, _)| format!("./{folder}"))
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Line {
    action: String,
    #[serde(default)]
    package: String,
    #[serde(default)]
    test: Option<String>,
    #[serde(default)]
    elapsed: Option<f64>,
    #[serde(default)]
    output: String,
}

#[derive(Default)]
struct Seen {
    output: String,
    ended: Option<(TestStatus, Option<f64>)>,
}

fn read(project: &Project, result: &ExecutionResult) -> Told {
    let mut order: Vec<(String, String)> = Vec::new();
    let mut tests: BTreeMap<(String, String), Seen> = BTreeMap::new();
    let mut packages: BTreeMap<String, Seen> = BTreeMap::new();
    for line in result.stdout.lines().filter_map(|line| serde_json::from_str::<Line>(line).ok()) {
        let seen = match &line.test {
            Some(test) => {
                let key = (line.package.clone(), test.clone());
                if !tests.contains_key(&key) {
                    order.push(key.clone());
                }
                tests.entry(key).or_default()
            }
            None => packages.entry(line.package.clone()).or_default(),
        };
        match line.action.as_str() {
            "output" => seen.output.push_str(&line.output),
            "pass" => seen.ended = Some((TestStatus::Passed, line.elapsed)),
            "fail" => seen.ended = Some((TestStatus::Failed, line.elapsed)),
            "skip" => seen.ended = Some((TestStatus::Skipped, line.elapsed)),
            _ => {}
        }
    }
    for line in result.stdout.lines().filter_map(|line| line.strip_prefix("FAIL\t")) {
        // What does not build is told in plain words by older versions.
        if let Some((package, why)) = line.split_once(" [") {
            let seen = packages.entry(package.to_owned()).or_default();
            seen.output.push_str(&format!("[{why}"));
            seen.ended = Some((TestStatus::Failed, None));
        }
    }
    let parents: BTreeSet<(String, String)> = order
        .iter()
        .filter_map(|(package, test)| Some((package.clone(), test.rsplit_once('/')?.0.to_owned())))
        .collect();
    let module = module_of(project.text("go.mod"));
    let coverage = result.artifacts.iter().find(|file| file.path == PROFILE).map(|profile| {
        go_coverage::read(&String::from_utf8_lossy(&profile.content), module, |path| project.text(path))
    });
    let mut told = Told { finished: true, coverage: coverage.unwrap_or_default(), ..Told::default() };
    for key in order.into_iter().filter(|key| !parents.contains(key)) {
        if let Some(seen) = tests.get(&key) {
            let panic = packages.get(&key.0).map_or("", |package| package.output.as_str());
            told.tests.push(test_of(&key.0, &key.1, seen, panic, module, result));
        }
    }
    for (package, seen) in &packages {
        let failed = matches!(seen.ended, Some((TestStatus::Failed, _)));
        let bad = told.tests.iter().any(|test| test.suite == *package && test.status.is_bad());
        if failed && !bad {
            told.tests.push(package_failure(package, seen, result));
        }
    }
    told
}

fn module_of(manifest: &str) -> &str {
    manifest.lines().find_map(|line| line.trim().strip_prefix("module ")).unwrap_or_default().trim()
}

fn test_of(
    package: &str,
    name: &str,
    seen: &Seen,
    panic: &str,
    module: &str,
    result: &ExecutionResult,
) -> TestResult {
    let lines = seen.output.lines().map(str::trim_end).filter(|line| {
        !["=== RUN", "=== PAUSE", "=== CONT", "=== NAME"].iter().any(|mark| line.starts_with(mark))
    });
    let output: String = lines.map(|line| format!("{line}\n")).collect();
    let (mut status, seconds) = seen.ended.unwrap_or_else(|| {
        let late = matches!(result.status, Status::Timeout | Status::CpuLimit);
        (if late { TestStatus::TimedOut } else { TestStatus::Crashed }, None)
    });
    if status.is_bad() {
        if output.contains("panic: test timed out after") {
            status = TestStatus::TimedOut;
        } else if output.contains("panic: ")
            || output.contains("fatal error: ")
            || output.contains("[signal ")
        {
            status = TestStatus::Crashed;
        }
    }
    if seen.ended.is_none() && panic.contains("panic: test timed out after") {
        status = TestStatus::TimedOut;
    }
    let folder = package.strip_prefix(module).unwrap_or(package).trim_start_matches('/');
    let told = output.lines().find_map(told_place);
    let first = output.lines().find(|line| line.contains("panic: ") || line.contains("fatal error: "));
    let said = told.as_ref().map(|(_, _, text)| text.clone()).or(first.map(|line| line.trim().to_owned()));
    let place = told.map(|(file, line, _)| TestPlace {
        file: if folder.is_empty() || folder == "command-line-arguments" {
            file
        } else {
            format!("{folder}/{file}")
        },
        line,
    });
    let message = match status {
        TestStatus::Passed => None,
        _ => Some(said.unwrap_or_else(|| "it did not end".into())),
    };
    TestResult {
        name: name.to_owned(),
        suite: package.to_owned(),
        status,
        seconds,
        message,
        place,
        output: shortened(&output, MOST_OUTPUT),
    }
}

/// `    calc_test.go:12: want 4, got 3`.
fn told_place(line: &str) -> Option<(String, u32, String)> {
    let (file, rest) = line.trim_start().split_once(".go:")?;
    let (number, text) = rest.split_once(": ")?;
    let plain = !file.is_empty() && !file.contains(' ') && !file.contains('/');
    Some((format!("{file}.go"), number.parse().ok().filter(|_| plain)?, text.to_owned()))
}

fn package_failure(package: &str, seen: &Seen, result: &ExecutionResult) -> TestResult {
    let build = seen.output.contains("[build failed]") || seen.output.contains("[setup failed]");
    let late = seen.output.contains("panic: test timed out after");
    let output = if build { result.stderr.clone() } else { seen.output.clone() };
    let first = output.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    TestResult {
        name: if build { "(build)" } else { "(the whole package)" }.into(),
        suite: package.to_owned(),
        status: match (build, late) {
            (true, _) => TestStatus::Errored,
            (_, true) => TestStatus::TimedOut,
            _ => TestStatus::Crashed,
        },
        seconds: None,
        message: first.map(str::to_owned),
        place: None,
        output: shortened(&output, MOST_OUTPUT),
    }
}
