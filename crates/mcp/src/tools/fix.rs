//! `fix`: a program mended by its tests.

use super::{Nature, Spec};
use crate::answer::{Answer, value};
use crate::call::{Call, Workplace};
use crate::inputs::{Code, files_schema, invalid, read};
use crate::schema;
use formicary_model::{Failure, FixReport};
use formicary_platform::debugging::{FixOptions, Step};
use formicary_platform::uploads::UploadedFile;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;

pub(super) const TOOL: Spec = Spec {
    name: "fix",
    about: "Repair a program by its tests, without a language model: searches for patches and verifies each with the tests in \
            the sandbox. Returns verified patches as diffs, best first. Writes only if apply is set and the server allows it.",
    nature: Nature::Writes,
    input: schema::of::<Input>,
    output: Some(
        || json!({"type": "object", "properties": {"status": {"enum": ["fixed", "not_fixed", "nothing_wrong"]}, "patches": {"type": "array", "items": {"type": "object"}}, "written": {"type": "array", "items": {"type": "string"}}}, "required": ["status", "patches"]}),
    ),
    run: |call, arguments| run(call, read(arguments)?),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    /// File or folder to repair
    target: String,
    #[serde(default)]
    #[schemars(schema_with = "files_schema")]
    files: Vec<UploadedFile>,
    /// Test command, e.g. python3 -m pytest test_x.py
    #[serde(default)]
    test: Option<String>,
    /// A file of tests, instead of test
    #[serde(default)]
    tests: Option<String>,
    /// A file with the expected output, instead of test
    #[serde(default)]
    expect: Option<String>,
    /// A file with the input that goes with expect
    #[serde(default)]
    stdin: Option<String>,
    /// 1 to 3600, default 60
    #[serde(default)]
    seconds: Option<f64>,
    #[serde(default)]
    max_attempts: Option<usize>,
    #[serde(default)]
    apply: bool,
}

fn run(call: &Call, input: Input) -> Result<Answer, Failure> {
    let seconds = input.seconds.unwrap_or(60.0);
    if !(1.0..=3600.0).contains(&seconds) {
        return Err(invalid(format!("{seconds} seconds are not possible"), "give 1 to 3600"));
    }
    let ways = [&input.test, &input.tests, &input.expect].iter().filter(|way| way.is_some()).count();
    if ways > 1 {
        return Err(invalid("test, tests and expect are given together", "give one of them"));
    }
    let place = call.workplace(&Code { paths: vec![input.target], files: input.files })?;
    let write = call.may_write(input.apply, &place)?;
    let file = |named: &Option<String>| named.as_deref().map(|path| place.root.beneath(path)).transpose();
    let mut base = call.platform().new_request();
    call.bound(&mut base.limits)?;
    let options = FixOptions {
        working_folder: place.folder.clone(),
        target: place.paths.first().cloned().unwrap_or_else(|| PathBuf::from(".")),
        test: input.test,
        tests: file(&input.tests)?,
        expect: file(&input.expect)?,
        stdin: file(&input.stdin)?,
        most_candidates: input.max_attempts.unwrap_or(60_000),
        seconds,
        write,
        install: false,
        model: None,
        base,
    };
    let done = call.platform().mend_as(&call.caller(), &options, &call.cancel, &|step| match step {
        Step::Testing => call.progress.step("testing the program as it is"),
        Step::Localising => call.progress.step("looking for the failing lines"),
        Step::Searching(judged, passed) => {
            call.progress.count(&format!("{passed} patches pass; candidates judged:"), judged, 0)
        }
        Step::Verifying(_) => call.progress.step("verifying a patch"),
        Step::Asking(..) => call.progress.step("asking a model"),
        Step::Installing(_) => call.progress.step("installing packages"),
    })?;
    // Candidates are judged by many short runs, whose CPU time nobody adds up: the time is charged.
    call.charge(done.report.seconds);
    let written: Vec<String> = done.written.iter().map(|path| shown(path, &place)).collect();
    let mut digest = slim(&done.report)?;
    digest["written"] = json!(written);
    Answer::digest(call, &digest, &done.report, "fix.json", text(&done.report, &written))
}

/// The report without whole files and protections: the diffs say the same.
fn slim(report: &FixReport) -> Result<Value, Failure> {
    let mut slim = value(report)?;
    for patch in slim["patches"].as_array_mut().into_iter().flatten() {
        if let Value::Object(fields) = patch {
            fields.remove("files");
            let verified = fields.remove("verification").map(|verification| verification["verified"].clone());
            fields.insert("verified".into(), verified.unwrap_or(Value::Bool(false)));
        }
    }
    if let Some(suspects) = slim["suspects"].as_array_mut() {
        suspects.truncate(10);
    }
    Ok(slim)
}

fn shown(path: &std::path::Path, place: &Workplace) -> String {
    path.strip_prefix(&place.folder).unwrap_or(path).display().to_string()
}

fn text(report: &FixReport, written: &[String]) -> String {
    let mut text =
        format!("{}: {} candidates in {:.1} s\n", report.status.word(), report.candidates, report.seconds);
    for patch in report.patches.iter().take(3) {
        let _ = writeln!(text, "{}. {}\n{}", patch.rank, patch.explanation, patch.diff);
    }
    if report.patches.is_empty() {
        super::execute_code::section(&mut text, "tests", &report.baseline.output);
    }
    for note in &report.notes {
        let _ = writeln!(text, "note: {note}");
    }
    if !written.is_empty() {
        let _ = writeln!(text, "written: {}", written.join(", "));
    }
    text
}
