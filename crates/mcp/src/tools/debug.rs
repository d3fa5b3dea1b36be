//! `debug`: why a program fails.

use super::{Nature, Spec, execute_code};
use crate::answer::{Answer, value};
use crate::call::Call;
use crate::inputs::{Program, files_schema, invalid, read};
use crate::schema;
use formicary_model::{Diagnosis, Failure};
use formicary_platform::uploads::UploadedFile;
use formicary_platform::{Said, SourceText};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::fmt::Write as _;

pub(super) const TOOL: Spec = Spec {
    name: "debug",
    about: "Find out why a program fails: runs it in the sandbox (or reads a pasted log) and returns each error with its place, \
            root cause, stack, variables and suggestions. Changes nothing; fix repairs.",
    nature: Nature::Runs,
    input: schema::of::<Input>,
    output: Some(
        || json!({"type": "object", "properties": {"diagnosis": {"type": "object"}, "result": {"type": "object"}}, "required": ["diagnosis"]}),
    ),
    run: |call, arguments| run(call, read(arguments)?),
};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct Input {
    code: Option<String>,
    language: Option<String>,
    #[schemars(schema_with = "files_schema")]
    files: Vec<UploadedFile>,
    entry: Option<String>,
    path: Option<String>,
    stdin: String,
    args: Vec<String>,
    command: Option<Vec<String>>,
    timeout_seconds: Option<f64>,
    /// A traceback or compiler output to read instead of a run; files are then its sources
    log: Option<String>,
}

fn run(call: &Call, input: Input) -> Result<Answer, Failure> {
    if let Some(log) = &input.log {
        if input.code.is_some() || input.path.is_some() {
            return Err(invalid("log stands beside code or path", "give a log to read, or a program to run"));
        }
        let said =
            Said::read(log.as_bytes()).map_err(|error| invalid(format!("log: {error}"), "give text"))?;
        let mut sources = Vec::new();
        for file in &input.files {
            let text = String::from_utf8_lossy(&file.bytes()?).into_owned();
            sources.push(SourceText { path: file.path.clone(), text });
        }
        let diagnosis = call.platform().diagnose_text(&said, input.language.as_deref(), &sources)?;
        return Answer::new(call, &json!({ "diagnosis": diagnosis }), text(&diagnosis));
    }
    let program = Program {
        code: input.code,
        language: input.language,
        files: input.files,
        entry: input.entry,
        path: input.path,
        stdin: input.stdin,
        args: input.args,
        command: input.command,
        timeout_seconds: input.timeout_seconds,
        ..Program::default()
    };
    let request = program.request(call)?;
    let diagnosed = call.live(|live| call.platform().diagnose_as(&call.caller(), request, live))?;
    let whole =
        json!({"diagnosis": value(&diagnosed.diagnosis)?, "result": execute_code::slim(&diagnosed.result)?});
    let text = text(&diagnosed.diagnosis) + &execute_code::text(&diagnosed.result);
    Answer::new(call, &whole, text)
}

fn text(diagnosis: &Diagnosis) -> String {
    if diagnosis.errors.is_empty() {
        return "no error was found\n".to_owned();
    }
    let mut text = String::new();
    for error in &diagnosis.errors {
        let _ = writeln!(text, "{}: {}", error.error_type, error.message);
        if let Some(place) = &error.place {
            let function = place.function.as_ref().map(|name| format!(" in {name}")).unwrap_or_default();
            let _ = writeln!(text, "  at {}:{}{function}", place.file, place.line);
        }
        let _ = writeln!(text, "  cause: {}", error.root_cause);
        for suggestion in error.suggestions.iter().take(3) {
            let _ = writeln!(text, "  try: {}", suggestion.text);
        }
    }
    text
}
