//! Programs that really fail, run in the sandbox: each diagnosis names the type, the line and the category that the
//! first line of the program tells.

use crate::NATIVE;
use formicary_diagnose::failures::{self, SourceText};
use formicary_diagnose::snapshot;
use formicary_execution::Live;
use formicary_model::{Diagnosis, ExecutionRequest, ExecutionResult, Language, Source};
use std::path::Path;

/// One program with what its first line promises.
struct Failure {
    name: String,
    text: String,
    kind: String,
    line: Option<u32>,
    category: String,
    options: Vec<String>,
}

fn failures(language: &str) -> Vec<Failure> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/failures/programs").join(language);
    let mut found: Vec<Failure> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            let head = text.lines().next().unwrap().split_once("expect: ").unwrap().1;
            let mut words = head.split(" | ").map(str::to_owned);
            Failure {
                name: path.file_name().unwrap().to_string_lossy().into_owned(),
                kind: words.next().unwrap(),
                line: words.next().unwrap().parse().ok(),
                category: words.next().unwrap(),
                options: words.collect(),
                text,
            }
        })
        .collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(found.len() >= 30, "{language} has only {} failures", found.len());
    found
}

fn run(failure: &Failure) -> ExecutionResult {
    let ending = failure.name.rsplit_once('.').unwrap().1;
    let language = Language::from_extension(ending).unwrap();
    let number =
        |word: &str| failure.options.iter().find_map(|option| option.strip_prefix(word)?.parse::<f64>().ok());
    let flags = match failure.options.iter().any(|option| option == "sanitize") {
        true => failures::sanitizing_flags(language),
        false => failures::telling_flags(language),
    };
    let mut request = ExecutionRequest {
        language: Some(language.id().into()),
        source: Source::Code {
            code: failure.text.clone().into_bytes(),
            file_name: Some(format!("main.{ending}")),
        },
        compiler_flags: flags.iter().map(|flag| (*flag).to_owned()).collect(),
        ..ExecutionRequest::default()
    };
    for (name, value) in failures::telling_environment(language) {
        request.env.insert((*name).into(), (*value).into());
    }
    request.limits.wall_seconds = number("wall=").or(Some(20.0));
    request.limits.memory_bytes = number("memory=").map(|mebibytes| mebibytes as u64 * 1024 * 1024);
    NATIVE
        .execute(request, Live::default())
        .unwrap_or_else(|error| panic!("{}: {}", failure.name, error.message))
}

fn check(language: &str) {
    let mut wrong = Vec::new();
    for failure in failures(language) {
        let result = run(&failure);
        let source = SourceText {
            path: "given.".to_owned() + failure.name.rsplit_once('.').unwrap().1,
            text: failure.text.clone(),
        };
        let diagnosis = failures::of_result(&result, &[source]);
        let expected = (Some(failure.kind.as_str()), failure.line, Some(failure.category.as_str()));
        let main = diagnosis.main();
        let found = (
            main.map(|error| error.error_type.as_str()),
            main.and_then(|error| error.place.as_ref()).map(|place| place.line),
            main.map(|error| error.category.word()),
        );
        if found != expected {
            wrong.push(shown(&failure, &result, &diagnosis));
        } else if let Some(text) = incomplete(&diagnosis) {
            wrong.push(format!("{}: {text}", failure.name));
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n----\n"));
}

/// What every diagnosis must tell besides.
fn incomplete(diagnosis: &Diagnosis) -> Option<&'static str> {
    let error = diagnosis.main()?;
    let framed =
        error.place.as_ref().is_none_or(|place| place.frame.iter().any(|line| line.number == place.line));
    match () {
        () if error.root_cause.trim().len() < 10 => Some("no root cause"),
        () if error.fingerprint.len() != 16 => Some("no fingerprint"),
        () if !framed => Some("no code frame"),
        () => None,
    }
}

fn shown(failure: &Failure, result: &ExecutionResult, diagnosis: &Diagnosis) -> String {
    let compile = result.compile.as_ref().map(|c| format!("{}{}", c.stdout, c.stderr)).unwrap_or_default();
    let found: Vec<String> = diagnosis
        .errors
        .iter()
        .map(|error| {
            format!(
                "{} {:?} {} {}",
                error.error_type,
                error.place.as_ref().map(|place| place.line),
                error.category,
                error.message
            )
        })
        .collect();
    format!(
        "{}: expected {} {:?} {}\n  found {found:#?}\n  {} {:?}\n{}",
        failure.name,
        failure.kind,
        failure.line,
        failure.category,
        result.status,
        result.exit_code,
        [compile.as_str(), &result.stderr, &result.stdout]
            .concat()
            .lines()
            .take(14)
            .collect::<Vec<_>>()
            .join("\n")
    )
}

#[test]
fn python() {
    check("python");
}

#[test]
fn javascript_and_typescript() {
    check("javascript");
}

#[test]
fn java() {
    check("java");
}

#[test]
fn c() {
    check("c");
}

#[test]
fn cpp() {
    check("cpp");
}

#[test]
fn go() {
    check("go");
}

#[test]
fn rust() {
    check("rust");
}

#[test]
fn bash() {
    check("bash");
}

/// Hostile values, a million elements, a circle and thousands of frames: shown within bounds, and nothing of the program is
/// called to show them.
#[test]
fn variables_at_the_failure_are_shown_within_bounds() {
    let code = "import sys\nsys.setrecursionlimit(20000)\n\nclass Hostile:\n    def __init__(self):\n        self.kept = 7\n    def __repr__(self):\n        while True:\n            pass\n\ndef down(depth, many):\n    if depth == 0:\n        circle = []\n        circle.append(circle)\n        hostile = Hostile()\n        return many[0] / 0\n    return down(depth - 1, many)\n\ndown(9000, list(range(10 ** 6)))\n";
    let request = ExecutionRequest {
        language: Some("python".into()),
        source: Source::Code { code: code.into(), file_name: Some("main.py".into()) },
        ..ExecutionRequest::default()
    };
    let result = NATIVE.execute(request.clone(), Live::default()).unwrap();
    let sources = failures::sources_of(&request, "python");
    let mut diagnosis = failures::of_result(&result, &sources);
    let watched = snapshot::request(&request, Language::Python, "main.py").unwrap();
    let seen = NATIVE.execute(watched, Live::default()).unwrap();
    let frames = snapshot::frames(&seen.artifacts);
    assert!(frames.len() > 20 && frames.len() <= 100, "{}: {}", frames.len(), seen.stderr);
    snapshot::attach(&mut diagnosis, &frames);
    let error = diagnosis.main().unwrap();
    let variables = &error.stack.first().unwrap().variables;
    let value = |name: &str| {
        variables.iter().find(|variable| variable.name == name).map(|found| found.value.as_str())
    };
    assert_eq!(value("depth"), Some("0"));
    assert_eq!(value("hostile"), Some("Hostile(kept=7)"));
    assert_eq!(value("circle"), Some("[[[[...]]]]"));
    assert!(value("many").unwrap().ends_with("1000000 items]"));
    assert!(serde_json::to_vec(&diagnosis).unwrap().len() < 1024 * 1024);
}
