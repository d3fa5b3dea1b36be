//! `solve_task`: the agent, with the model that the user configured.

use super::{Nature, Spec};
use crate::answer::{Answer, value};
use crate::call::Call;
use crate::inputs::{Code, files_schema, invalid, read};
use crate::schema;
use formicary_model::Failure;
use formicary_platform::agent::{
    Acceptance, AgentHooks, AgentOptions, ExpectedOutput, Outcome, Progress, Rules, Task,
};
use formicary_platform::uploads::UploadedFile;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::fmt::Write as _;

pub(super) const TOOL: Spec = Spec {
    name: "solve_task",
    about: "Give a programming task to Formicary's own agent, which writes, runs and mends code in the sandbox with the model \
            that this server's user configured (llm.model), until tests or expected output accept it. Returns the change as a \
            diff and the files; writes nothing.",
    nature: Nature::Fetches,
    input: schema::of::<Input>,
    output: Some(
        || json!({"type": "object", "properties": {"ending": {"type": "string"}, "reason": {"type": "string"}, "diff": {"type": "string"}, "changed": {"type": "array", "items": {"type": "string"}}}, "required": ["ending", "reason", "diff"]}),
    ),
    run: |call, arguments| run(call, read(arguments)?),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    task: String,
    /// Folder of the project to start from. Default: an empty one
    #[serde(default)]
    path: Option<String>,
    #[serde(default)]
    #[schemars(schema_with = "files_schema")]
    files: Vec<UploadedFile>,
    /// Command that must pass, e.g. python3 -m unittest
    #[serde(default)]
    test: Option<String>,
    /// How the program is run
    #[serde(default)]
    run: Option<String>,
    /// What it must print
    #[serde(default)]
    expect: Option<String>,
    #[serde(default)]
    stdin: Option<String>,
    /// Answers of the model at most
    #[serde(default)]
    steps: Option<u32>,
    #[serde(default)]
    seconds: Option<f64>,
}

fn run(call: &Call, input: Input) -> Result<Answer, Failure> {
    let mut budget = call.platform().agent_budget();
    let (steps, seconds) = (input.steps.unwrap_or(budget.steps), input.seconds.unwrap_or(budget.seconds));
    if !(1..=budget.steps).contains(&steps) || !(1.0..=budget.seconds).contains(&seconds) {
        return Err(invalid(
            format!("{steps} steps in {seconds} seconds are not possible"),
            format!("give 1 to {} steps and 1 to {} seconds", budget.steps, budget.seconds),
        ));
    }
    (budget.steps, budget.seconds) = (steps, seconds);
    let begins_with_code = input.path.is_some() || !input.files.is_empty();
    let place = call.workplace(&Code { paths: input.path.into_iter().collect(), files: input.files })?;
    let folder = match place.paths.first() {
        Some(path) => place.folder.join(path),
        None => place.folder.clone(),
    };
    let stdin = input.stdin.unwrap_or_default();
    let expected = input.expect.map(|stdout| ExpectedOutput { stdin, stdout });
    let mut base = call.platform().new_request();
    call.bound(&mut base.limits)?;
    let options = AgentOptions {
        working_folder: place.folder.clone(),
        task: Task {
            text: input.task,
            acceptance: Acceptance {
                expected: expected.into_iter().collect(),
                tests: input.test,
                checker: None,
            },
            command: input.run,
        },
        // The user's: a model that calls chooses neither another model nor a bill.
        model: None,
        record: None,
        folder: begins_with_code.then_some(folder),
        rules: Rules { packages: call.platform().agent_packages(), ..Rules::default() },
        budget,
        base,
    };
    let watch = |progress: Progress| match progress {
        Progress::Asking(step) => call.progress.step(&format!("asking the model, step {step}")),
        Progress::Tool(name, _) => call.progress.step(&format!("the model used {name}")),
        Progress::Running(what) => call.progress.step(&format!("running {what}")),
        Progress::Fixing => call.progress.step("mending without the model"),
        Progress::Retrying(..) | Progress::Answered(_) | Progress::Ran(_) | Progress::Judged(..) => {}
    };
    let hooks = AgentHooks { cancel: &call.cancel, watch: &watch, human: None };
    let done = call.platform().agent(options, &call.settings().sources, &hooks)?;
    call.charge(done.outcome.spent.sandbox_seconds);
    Answer::digest(call, &slim(&done.outcome)?, &done.outcome, "task.json", text(&done.outcome))
}

/// The outcome without whole files: the diff says the same.
fn slim(outcome: &Outcome) -> Result<Value, Failure> {
    let mut slim = value(outcome)?;
    if let Value::Object(fields) = &mut slim {
        fields.remove("files");
    }
    Ok(slim)
}

fn text(outcome: &Outcome) -> String {
    let ending = serde_json::to_value(outcome.ending).unwrap_or_default();
    let mut text = format!("{}: {}\n", ending.as_str().unwrap_or_default(), outcome.reason);
    super::execute_code::section(&mut text, "diff", &outcome.diff);
    for note in &outcome.notes {
        let _ = writeln!(text, "note: {note}");
    }
    text
}
