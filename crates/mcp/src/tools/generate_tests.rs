//! `generate_tests`: tests for Python code, found by trying what it does.

use super::Spec;
use crate::answer::{Answer, value};
use crate::call::Call;
use crate::inputs::path_alone;
use formicary_model::{Failure, GenerationReport};
use formicary_platform::testing::GenerateTests;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

pub(super) const TOOL: Spec = Spec::of::<GenerateTests>(
    "generate_tests",
    "Write tests for Python code without a language model, by calling it in the sandbox: keeps what reaches new lines or \
            notices a mutant and always passes. They state what the code does today, right or wrong: read them. Returns the \
            files' texts with coverage and mutants killed; writes nothing.",
    Some(
        || json!({"type": "object", "properties": {"files": {"type": "array", "items": {"type": "object"}}, "seconds": {"type": "number"}}, "required": ["files"]}),
    ),
    run,
);

fn run(call: &Call, mut arguments: Map<String, Value>) -> Result<Answer, Failure> {
    path_alone(&mut arguments);
    let report = call.perform::<GenerateTests>(arguments, &[])?;
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
