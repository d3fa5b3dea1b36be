//! `generate_tests`: tests for Python code, found by trying what it does.

use super::{Nature, Spec, testing};
use crate::answer::{Answer, value};
use crate::call::Call;
use crate::inputs::{files_schema, invalid, read};
use crate::schema;
use formicary_model::{Failure, GenerationReport};
use formicary_platform::testing::{GenerationWanted, Style};
use formicary_platform::uploads::UploadedFile;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::fmt::Write as _;

pub(super) const TOOL: Spec = Spec {
    name: "generate_tests",
    about: "Write tests for Python code without a language model, by calling it in the sandbox: keeps what reaches new lines or \
            notices a mutant and always passes. They state what the code does today, right or wrong: read them. Returns the \
            files' texts with coverage and mutants killed; writes nothing.",
    nature: Nature::Fetches,
    input: schema::of::<Input>,
    output: Some(
        || json!({"type": "object", "properties": {"files": {"type": "array", "items": {"type": "object"}}, "seconds": {"type": "number"}}, "required": ["files"]}),
    ),
    run: |call, arguments| run(call, read(arguments)?),
};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct Input {
    /// Python file or folder. Default: everything
    path: Option<String>,
    #[schemars(schema_with = "files_schema")]
    files: Vec<UploadedFile>,
    /// Only these functions, classes or Class.methods
    functions: Vec<String>,
    /// pytest (default) or unittest
    style: Option<String>,
    /// For each file: 1 to 160, default 15
    seconds: Option<f64>,
    packages: Vec<String>,
}

fn run(call: &Call, input: Input) -> Result<Answer, Failure> {
    let style = match input.style.as_deref() {
        None | Some("pytest") => Style::Pytest,
        Some("unittest") => Style::Unittest,
        Some(other) => return Err(invalid(format!("unknown style {other}"), "styles: pytest, unittest")),
    };
    let wanted = GenerationWanted {
        files: Vec::new(),
        functions: input.functions,
        seconds: testing::seconds("seconds", input.seconds.unwrap_or(15.0), 1.0, 160.0)?,
        style,
        workers: std::thread::available_parallelism().map_or(2, usize::from).clamp(1, 8),
    };
    let options = testing::options(call, input.path.as_deref(), &input.files, input.packages)?;
    call.progress.step("trying what the code does");
    let report =
        call.quiet(|live| call.platform().generate_tests_as(&call.caller(), &options, &wanted, live))?;
    let mut whole = value(&report)?;
    whole["enforcement"] =
        json!({"provider": report.enforcement.provider, "level": report.enforcement.level});
    let mut answer = Answer::new(call, &whole, text(&report))?;
    for file in &report.files {
        answer.keep_text(call, &file.file, &file.text);
    }
    Ok(answer)
}

fn text(report: &GenerationReport) -> String {
    let mut text = String::new();
    for file in &report.files {
        let _ = writeln!(
            text,
            "{}: {} tests, {} of them properties; {} of {} lines reached, {} of {} mutants noticed",
            file.module, file.tests, file.properties, file.covered, file.lines, file.killed, file.mutants
        );
        for note in &file.notes {
            let _ = writeln!(text, "note: {note}");
        }
        if file.tests > 0 {
            super::execute_code::section(&mut text, &file.file, &file.text);
        }
    }
    text
}
