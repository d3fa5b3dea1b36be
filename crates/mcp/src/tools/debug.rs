//! `debug`: why a program fails.

use super::{Effect, Spec, execute_code};
use crate::answer::{Answer, value};
use crate::call::Call;
use formicary_model::{Diagnosis, Failure};
use formicary_platform::debugging::Diagnose;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

pub(super) const TOOL: Spec = Spec::of::<Diagnose>(
    "debug",
    "Find out why a program fails: runs it in the sandbox (or reads text: a pasted traceback, compiler output or log, whose \
            sources may come as files) and returns each error with place, root cause, the values that led to it, stack and suggestions, \
            and where it hangs. Changes nothing; fix repairs.",
    Some(
        || json!({"type": "object", "properties": {"diagnosis": {"type": "object"}, "result": {"type": "object"}}, "required": ["diagnosis"]}),
    ),
    run,
)
.with(Effect::Runs);

fn run(call: &Call, mut arguments: Map<String, Value>) -> Result<Answer, Failure> {
    execute_code::former_timeout(&mut arguments);
    let report = call.perform::<Diagnose>(arguments, &[("log", "text")])?;
    let Some(result) = &report.result else {
        return Answer::new(call, &json!({ "diagnosis": report.diagnosis }), text(&report.diagnosis));
    };
    let whole = json!({"diagnosis": value(&report.diagnosis)?, "result": execute_code::slim(result)?});
    let text = text(&report.diagnosis) + &execute_code::text(result);
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
        if error.chain.len() > 1 {
            for step in &error.chain {
                let _ = writeln!(text, "    {step}");
            }
        }
        for suggestion in error.suggestions.iter().take(3) {
            let _ = writeln!(text, "  try: {}", suggestion.text);
        }
    }
    for note in &diagnosis.notes {
        let _ = writeln!(text, "note: {note}");
    }
    text
}
