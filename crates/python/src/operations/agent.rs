//! The agent: tasks, and the runs that are kept.

use super::execute::overlaid;
use super::{Core, read, written};
use formicary_model::Failure;
use formicary_model::review::Severity;
use formicary_platform::Cancel;
use formicary_platform::agent::{
    Acceptance, AgentDone, AgentHooks, AgentOptions, Checker, Ending, ExpectedOutput, Outcome, Progress,
    Record, Rules, Task,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::path::PathBuf;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    /// The run to go on with, instead of a new one.
    resume: Option<String>,
    /// Where relative paths begin.
    folder: Option<PathBuf>,
    #[serde(default)]
    task: String,
    model: Option<String>,
    record: Option<PathBuf>,
    project: Option<PathBuf>,
    #[serde(default)]
    expected: Vec<ExpectedOutput>,
    tests: Option<String>,
    checker: Option<Checker>,
    command: Option<String>,
    #[serde(default)]
    packages: Vec<String>,
    #[serde(default)]
    edit_tests: bool,
    #[serde(default = "yes")]
    fixer: bool,
    gate: Option<Severity>,
    steps: Option<u32>,
    attempts: Option<u32>,
    seconds: Option<f64>,
    tokens: Option<u64>,
    money: Option<f64>,
    sandbox_seconds: Option<f64>,
    /// Writes the result into the project where it is solved.
    #[serde(default)]
    apply: bool,
    /// Writes the files into this folder.
    out: Option<PathBuf>,
    #[serde(default)]
    request: Map<String, Value>,
}

fn yes() -> bool {
    true
}

#[derive(Serialize)]
struct Done<'a> {
    outcome: &'a Outcome,
    folder: String,
    /// What was run, in order, as the transcript has it.
    runs: Vec<Value>,
    written: Vec<String>,
}

/// One step as a watcher hears of it.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(crate) enum Told {
    Asking { step: u32 },
    Retrying { text: String, seconds: f64 },
    Answered { text: String },
    Tool { name: String, text: String },
    Running { text: String },
    Ran { text: String },
    Fixing,
    Judged { passed: bool, text: String },
}

impl Told {
    pub(crate) fn of(progress: Progress) -> Self {
        match progress {
            Progress::Asking(step) => Self::Asking { step },
            Progress::Retrying(text, seconds) => Self::Retrying { text, seconds },
            Progress::Answered(text) => Self::Answered { text },
            Progress::Tool(name, text) => Self::Tool { name, text },
            Progress::Running(text) => Self::Running { text },
            Progress::Ran(text) => Self::Ran { text },
            Progress::Fixing => Self::Fixing,
            Progress::Judged(passed, text) => Self::Judged { passed, text },
        }
    }
}

/// Solves a task, or goes on with a run.
pub(crate) fn work(core: &Core, text: &str, hooks: &AgentHooks<'_>) -> Result<String, Failure> {
    let asked: Asked = read(text)?;
    let (apply, out) = (asked.apply, asked.out.clone());
    let here = core.working_folder(asked.folder.clone())?;
    let done = match &asked.resume {
        Some(id) => core.platform.agent_resume(id, &core.sources, hooks)?,
        None => core.platform.agent(options(core, asked, here.clone(), hooks)?, &core.sources, hooks)?,
    };
    if let Some(out) = out {
        core.platform.agent_write(&done, &here.join(out))?;
    }
    let applied = match apply && done.outcome.ending == Ending::Solved {
        true => core.platform.agent_apply(&done)?,
        false => Vec::new(),
    };
    answer(core, &done, applied)
}

fn options(
    core: &Core,
    asked: Asked,
    here: PathBuf,
    hooks: &AgentHooks<'_>,
) -> Result<AgentOptions, Failure> {
    let mut budget = core.platform.agent_budget();
    budget.steps = asked.steps.unwrap_or(budget.steps);
    budget.attempts = asked.attempts.unwrap_or(budget.attempts);
    budget.seconds = asked.seconds.unwrap_or(budget.seconds);
    budget.tokens = asked.tokens.unwrap_or(budget.tokens);
    budget.money = asked.money.or(budget.money);
    budget.sandbox_seconds = asked.sandbox_seconds.unwrap_or(budget.sandbox_seconds);
    let mut packages = core.platform.agent_packages();
    packages.extend(asked.packages);
    let acceptance = Acceptance { expected: asked.expected, tests: asked.tests, checker: asked.checker };
    Ok(AgentOptions {
        working_folder: here,
        task: Task { text: asked.task, acceptance, command: asked.command },
        model: asked.model,
        record: asked.record,
        folder: asked.project,
        rules: Rules {
            packages,
            edit_tests: asked.edit_tests,
            fixer: asked.fixer,
            gate: asked.gate,
            ask: hooks.human.is_some(),
        },
        budget,
        base: overlaid(core, asked.request)?,
    })
}

fn answer(core: &Core, done: &AgentDone, applied: Vec<String>) -> Result<String, Failure> {
    let folder = done.folder.display().to_string();
    let records = core.platform.agent_show(&done.outcome.id, &core.sources)?.records;
    let run = |record: Record| {
        let Value::Object(mut run) = record.output else { return None };
        run.insert("purpose".into(), record.input.get("purpose").cloned().unwrap_or_default());
        Some(Value::Object(run))
    };
    let runs = records.into_iter().filter(|record| record.kind == "run").filter_map(run).collect();
    written(&Done { outcome: &done.outcome, folder, runs, written: applied })
}

pub(super) fn replay(core: &Core, text: &str, _: &Cancel) -> Result<String, Failure> {
    let id: String = read(text)?;
    answer(core, &core.platform.agent_replay(&id, &core.sources)?, Vec::new())
}

pub(super) fn runs(core: &Core, _: &str, _: &Cancel) -> Result<String, Failure> {
    written(&core.platform.agent_runs(&core.sources)?)
}

pub(super) fn show(core: &Core, text: &str, _: &Cancel) -> Result<String, Failure> {
    let id: String = read(text)?;
    written(&core.platform.agent_show(&id, &core.sources)?)
}
