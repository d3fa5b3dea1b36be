//! `solve_task`: the agent, with the model that the user configured.

use super::{Effect, Spec};
use crate::answer::{Answer, value};
use crate::call::Call;
use crate::inputs::{invalid, path_alone};
use formicary_model::Failure;
use formicary_platform::agent::{AgentDone, SolveTask};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

pub(super) const TOOL: Spec = Spec::of::<SolveTask>(
    "solve_task",
    "Give a programming task to Formicary's own agent, which writes, runs and fixes code in the sandbox with the model \
            that this server's user configured (llm.model), until tests or expected output accept it. Returns the change as a \
            diff and the files; writes nothing.",
    Some(
        || json!({"type": "object", "properties": {"ending": {}, "reason": {"type": "string"}, "diff": {"type": "string"}, "changed": {"type": "array", "items": {"type": "string"}}}, "required": ["ending", "reason", "diff"]}),
    ),
    run,
)
.with(Effect::Fetches);

fn run(call: &Call, mut arguments: Map<String, Value>) -> Result<Answer, Failure> {
    path_alone(&mut arguments);
    if arguments.get("apply").is_some_and(|apply| apply == true) {
        return Err(invalid("this tool writes nothing", "apply the diff yourself"));
    }
    let done = call.perform::<SolveTask>(arguments, &[])?;
    Answer::digest(call, &slim(&done)?, &done, "task.json", text(&done))
}

/// The outcome without whole files, of which the diff says the same, and without what the files are called inside.
fn slim(done: &AgentDone) -> Result<Value, Failure> {
    let mut slim = value(done)?;
    if let Value::Object(fields) = &mut slim {
        ["files", "tree", "findings"].iter().for_each(|name| drop(fields.remove(*name)));
        let places = done.outcome.findings.iter().map(|finding| {
            format!("{}:{} [{}] {}", finding.file, finding.span.start_line, finding.rule, finding.message)
        });
        let places: Vec<String> = places.collect();
        if !places.is_empty() {
            fields.insert("findings".into(), json!(places));
        }
    }
    Ok(slim)
}

fn text(done: &AgentDone) -> String {
    let outcome = &done.outcome;
    let mut text = format!("{}: {}\n", outcome.ending.word(), outcome.reason);
    super::execute_code::section(&mut text, "diff", &outcome.diff);
    for note in &outcome.notes {
        let _ = writeln!(text, "note: {note}");
    }
    text
}
