//! Diagnosis end to end: a failing program is explained by its values, one that does not end by what it was doing.

use crate::agent::Bench;
use formicary_model::{
    CauseRole, DiagnoseInput, DiagnoseReport, ErrorCategory, HangKind, Source, SourceFile, Status,
};
use formicary_platform::debugging::Diagnose;

const REPORT: &str = "import sys\nfrom stats import average\n\nrows = {}\nfor line in sys.stdin:\n    name, *scores = line.split()\n    rows[name] = [int(score) for score in scores]\nfor name in rows:\n    print(name, average(rows[name]))\n";
const STATS: &str = "def average(xs):\n    return sum(xs) / len(xs)\n";
const ENDLESS: &str = "queue = [3]\nseen = set()\nwhile queue:\n    item = queue[0]\n    seen.add(item)\n";

fn diagnose(bench: &Bench, files: &[(&str, &str)], stdin: &str, seconds: Option<f64>) -> DiagnoseReport {
    let file = |(path, text): &(&str, &str)| SourceFile {
        path: (*path).into(),
        content: text.as_bytes().to_vec(),
        executable: false,
    };
    let mut program = bench.platform.new_request();
    let entry = files.first().map(|(path, _)| (*path).to_owned());
    program.source = Source::Files { files: files.iter().map(file).collect(), entry };
    program.stdin = stdin.into();
    program.limits.wall_seconds = seconds;
    bench.platform.perform::<Diagnose>(&bench.context(), DiagnoseInput { program, text: None }).unwrap()
}

#[test]
fn a_failing_value_is_followed_through_files_and_input() {
    let bench = Bench::new("openai", Vec::new(), &[]);
    let report = diagnose(&bench, &[("report.py", REPORT), ("stats.py", STATS)], "ada 3 5\nbob\n", None);
    let error = report.diagnosis.main().unwrap();
    assert_eq!((error.error_type.as_str(), error.category), ("ZeroDivisionError", ErrorCategory::Arithmetic));
    let steps: Vec<(CauseRole, &str, u32, &str, &str)> = error
        .chain
        .iter()
        .map(|step| (step.role, step.file.as_str(), step.line, step.expression.as_str(), step.value.as_str()))
        .collect();
    assert_eq!(steps[0], (CauseRole::Failing, "stats.py", 2, "len(xs)", "0"));
    assert_eq!(steps[1], (CauseRole::Part, "stats.py", 2, "xs", "[]"));
    assert_eq!(steps[2], (CauseRole::Passed, "report.py", 9, "rows[name]", "[]"));
    assert_eq!(*steps.last().unwrap(), (CauseRole::Input, "report.py", 5, "sys.stdin", ""));
    assert!(
        error.root_cause.starts_with("`len(xs)` is `0` because `xs` is `[]`, passed at report.py:9"),
        "{error:?}"
    );
    assert!(error.stack.iter().any(|frame| frame.variables.iter().any(|one| one.name == "xs")), "{error:?}");
}

#[test]
fn a_failing_value_of_javascript_is_followed_through_files() {
    let app = "const { cities } = require(\"./users\");\n\nconst users = [\n  { name: \"ann\", address: { city: \"Oslo\" } },\n  { name: \"bob\" },\n];\nconsole.log(cities(users));\n";
    let users = "exports.cities = (list) => list.map((user) => user.address.city);\n";
    let bench = Bench::new("openai", Vec::new(), &[]);
    let report = diagnose(&bench, &[("app.js", app), ("users.js", users)], "", None);
    let error = report.diagnosis.main().unwrap();
    let steps: Vec<(CauseRole, &str, u32, &str)> = error
        .chain
        .iter()
        .map(|step| (step.role, step.file.as_str(), step.line, step.value.as_str()))
        .collect();
    let failing = (CauseRole::Failing, "users.js", 1, "undefined");
    assert_eq!(steps, [failing, (CauseRole::Absent, "app.js", 5, "{name: 'bob'}")], "{error:?}");
    assert!(error.root_cause.starts_with("`user.address` is `undefined`"), "{error:?}");
}

#[test]
fn a_program_that_does_not_end_is_placed() {
    let bench = Bench::new("openai", Vec::new(), &[]);
    let report = diagnose(&bench, &[("main.py", ENDLESS)], "", Some(2.0));
    assert_eq!(report.result.unwrap().status, Status::Timeout);
    let error = report.diagnosis.main().unwrap();
    let hang = error.hang.as_ref().unwrap();
    assert_eq!((hang.kind, hang.line, hang.end_line), (HangKind::Loop, 3, Some(5)));
    assert_eq!(hang.unchanged[0].variable.name, "queue");
    assert_eq!(error.place.as_ref().unwrap().line, 3);
    assert!(error.root_cause.contains("`queue` stays `[3]`"), "{}", error.root_cause);
}
