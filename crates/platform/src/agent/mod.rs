//! The agent through the façade: a task and a model in, files and a verdict out; runs are kept, resumed and replayed.
//!
//! | module | what it holds |
//! |---|---|
//! | `model` | how the configuration says that models are reached |
//! | `settings` | what a run began with, for when it goes on |

pub(crate) mod model;
mod settings;

pub use formicary_agent::page::headline;
pub use formicary_agent::store::{KeptRun, RunView};
pub use formicary_agent::{
    Acceptance, Budget, Checker, Ending, ExpectedOutput, Order, Outcome, Record, Rules, Spent, Task,
};

use crate::artifacts::OutputFolder;
use crate::config::table::Llm;
use crate::facade::Platform;
use crate::keys::Scope;
use crate::uploads::checked_files;
use crate::use_case::{Context, declare};
use formicary_agent::journal::{Journal, Mode};
use formicary_agent::model::{Pinned, is_remote};
use formicary_agent::redact::Redactor;
use formicary_agent::store::{self, RunFile, Store};
use formicary_agent::{Tree, World, directory, orchestrator};
use formicary_execution::Live;
use formicary_llm::Prices;
use formicary_model::agent::{AgentStep, ResultInput, ResumeInput, RunId, SolveInput};
use formicary_model::{
    Artifact, ExecutionRequest, Failure, FailureKind, InspectRequest, NoInput, SourceFile,
};
use model::Chosen;
use schemars::JsonSchema;
use serde::Serialize;
use settings::ModelSettings;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

declare!(
    /// Solves a task. A task that is not solved is `Ok`, with how it ended; `Err` means that Formicary failed or was called
    /// off, and then the run can be resumed.
    SolveTask, "agent.solve", Post "/v1/agent/runs", "Solve a task with a model, in the sandbox", Some(Scope::Agent), Writes,
    SolveInput => AgentDone, solve
);
// Kept runs belong to the user whose host this is.
declare!(
    /// Goes on with a run that was killed, called off, or whose model could not be reached. Its model is asked where it was
    /// asked before, unless a flag names another server.
    ResumeRun, "agent.resume", Post "/v1/agent/resume", "Go on with a run of the agent", Some(Scope::Admin), Writes,
    ResumeInput => AgentDone, resume
);
declare!(
    /// Computes a run anew from its transcript alone: no model, no sandbox. An error where it comes out differently.
    ReplayRun, "agent.replay", Post "/v1/agent/replay", "Compute a run of the agent anew from its transcript", Some(Scope::Admin),
    Reads, RunId => AgentDone, |platform: &Platform, _: &Context<'_>, input: RunId| platform.replay(&input.id)
);
declare!(
    /// Every run that is kept, the newest first.
    ListRuns, "agent.runs", Resource "/v1/agent/runs", "List the runs of the agent", Some(Scope::Admin), Reads,
    NoInput => RunList, |platform: &Platform, _: &Context<'_>, _| Ok(RunList { items: platform.runs_store()?.list()? })
);
declare!(
    /// One run with its transcript.
    ShowRun, "agent.show", Resource "/v1/agent/runs/{id}", "Show a run of the agent with its transcript", Some(Scope::Admin), Reads,
    RunId => RunView, |platform: &Platform, _: &Context<'_>, input: RunId| {
        let (run, place) = platform.runs_store()?.find(&input.id)?;
        store::view(run, &place)
    }
);

/// The runs that are kept.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RunList {
    /// Each of them, the newest first.
    pub items: Vec<KeptRun>,
}

/// A run that came to its end.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AgentDone {
    /// What came of it.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// The files of the directory that it began with that were written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub written: Vec<String>,
    /// Why the result could not be put where it was wanted. It is kept nevertheless.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_written: Option<Failure>,
    /// Where everything of it is kept: transcript, page, report, files.
    #[serde(skip)]
    pub folder: PathBuf,
}

pub(crate) fn invalid(message: impl Into<String>, hint: impl Into<String>) -> Failure {
    Failure::new(FailureKind::InvalidInput, message).hint(hint)
}

impl Platform {
    /// The budget that the configuration gives.
    fn agent_budget(&self) -> Budget {
        let agent = &self.settings().agent;
        Budget {
            steps: agent.steps,
            attempts: agent.attempts,
            seconds: agent.seconds.as_secs_f64(),
            tokens: agent.tokens,
            money: Some(agent.money).filter(|money| *money > 0.0),
            sandbox_seconds: agent.sandbox_seconds.as_secs_f64(),
        }
    }

    fn new_order(&self, context: &Context<'_>, input: &SolveInput) -> Order {
        let mut budget = self.agent_budget();
        budget.steps = input.steps.unwrap_or(budget.steps);
        budget.attempts = input.attempts.unwrap_or(budget.attempts);
        budget.seconds = input.seconds.unwrap_or(budget.seconds);
        budget.tokens = input.tokens.unwrap_or(budget.tokens);
        budget.money = input.money.or(budget.money);
        budget.sandbox_seconds = input.sandbox_seconds.unwrap_or(budget.sandbox_seconds);
        let configured = &self.settings().agent.packages;
        Order {
            id: String::new(),
            started: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
            model: String::new(),
            task: Task {
                text: input.task.clone(),
                acceptance: input.acceptance(),
                command: input.run.clone(),
            },
            rules: Rules {
                packages: configured.iter().chain(&input.allow_packages).cloned().collect(),
                edit_tests: input.allow_test_edits,
                fixer: !input.without_fixer,
                gate: input.gate.severity(),
                ask: context.human.is_some(),
            },
            budget,
            folder: None,
        }
    }

    /// What a run begins with, and the directory that it is a copy of, if it is the user's own.
    fn beginning(
        &self,
        context: &Context<'_>,
        input: &SolveInput,
    ) -> Result<(Tree, Option<String>), Failure> {
        if !input.has_code() {
            return Ok((Tree::default(), None));
        }
        let (base, folder) = match (input.code.files.as_slice(), input.code.paths.as_slice()) {
            ([], [_]) => {
                let workspace = context.workspace(&input.code)?;
                let folder = directory::real(&workspace.directory().join(workspace.first_path()))?;
                (directory::read(&folder)?, Some(folder.display().to_string()))
            }
            (files, []) => (directory::of_files(checked_files(files)?)?, None),
            _ => {
                return Err(invalid(
                    "more than one beginning is named",
                    "name one directory, or send files along",
                ));
            }
        };
        let most = self.settings().max_project_bytes as usize;
        if base.size() > most {
            let message = format!("the directory holds {} bytes, and a run may carry {most}", base.size());
            return Err(invalid(message, "name a smaller directory, or set max_project_bytes=256MiB"));
        }
        Ok((base, folder))
    }

    fn runs_store(&self) -> Result<Store, Failure> {
        if let Some(path) = &self.settings().agent.folder {
            return Ok(Store::new(path.clone()));
        }
        let state = self.sources.state_folder().ok_or_else(|| {
            invalid(
                "where runs are kept is not known: there is no home directory",
                "set agent.folder to a directory that you may write",
            )
        })?;
        Ok(Store::new(state.join("agent")))
    }

    fn replay(&self, id: &str) -> Result<AgentDone, Failure> {
        let (run, place) = self.runs_store()?.find(id)?;
        // What was taken out then is taken out now, where the key is still known.
        let here = self.sources.working_folder.clone().unwrap_or_default();
        let chosen = model::choose(&self.settings().llm, &self.sources, &run.order.model, None, &here);
        let secrets = chosen.map(|chosen| chosen.secrets).unwrap_or_default();
        let outcome = formicary_agent::replay(&run, &place, &self.prices()?, secrets)?;
        Ok(AgentDone { outcome, written: Vec::new(), not_written: None, folder: place })
    }

    pub(crate) fn prices(&self) -> Result<Prices, Failure> {
        prices(&self.settings().llm)
    }

    fn drive(
        &self,
        run: &RunFile,
        place: &Path,
        chosen: &Chosen,
        prices: &Prices,
        context: &Context<'_>,
    ) -> Result<AgentDone, Failure> {
        let journal = Journal::open(&place.join(store::TRANSCRIPT), Mode::Live)?;
        let model =
            Pinned { inner: chosen.model.as_ref(), name: &run.model_name, capabilities: run.capabilities };
        let aside = context.aside();
        let live = || Live { stdin: None, observer: &aside, cancel: context.cancel.clone() };
        let observe = |request: ExecutionRequest| {
            let (diagnosis, result) = self.diagnose_as(&context.caller, request, live())?;
            Ok((result, diagnosis))
        };
        let inspect = |request: &ExecutionRequest, looked_for: &InspectRequest| {
            self.inspect_as(&context.caller, request, looked_for, &context.cancel, |_| ())
        };
        let execute = |request: ExecutionRequest| {
            if context.cancel.is_cancelled() {
                return Err(Failure::new(FailureKind::Cancelled, "cancelled"));
            }
            self.execute_as(&context.caller, request, live())
        };
        let cancelled = || context.cancel.is_cancelled();
        let human = |question: &str| context.human.and_then(|human| human.answer(question));
        let world = World {
            model: &model,
            observe: &observe,
            inspect: &inspect,
            run: &execute,
            base: &run.request,
            prices,
            human: context.human.map(|_| &human as &dyn Fn(&str) -> Option<String>),
            cancelled: &cancelled,
            watch: &|step: AgentStep| context.observer.step(&step),
            redactor: Redactor::new(chosen.secrets.iter().cloned()),
            workers: std::thread::available_parallelism().map_or(2, usize::from).clamp(1, 8),
        };
        let outcome = orchestrator::drive(&world, &run.order, run.base.clone(), journal)?;
        store::write_outcome(place, run, &outcome, &write_files)?;
        Ok(AgentDone { outcome, written: Vec::new(), not_written: None, folder: place.to_owned() })
    }
}

fn solve(platform: &Platform, context: &Context<'_>, input: SolveInput) -> Result<AgentDone, Failure> {
    Task::check(&input.task)?;
    if input.result.apply && !input.has_code() {
        return Err(invalid(
            "apply changes the directory that a run began with, and there is none",
            "name the directory, or give out",
        ));
    }
    let here = context.directory().or_else(|| platform.sources.working_folder.clone()).unwrap_or_default();
    // Where the result cannot be put is said before anything is spent on it.
    let out = input.result.out.as_ref().map(|out| here.join(out));
    out.as_deref().map(OutputFolder::open).transpose()?;
    let (base, folder) = platform.beginning(context, &input)?;
    let (configuration, sources) = (platform.configuration(), &platform.sources);
    let llm = &configuration.settings.llm;
    let spec = input.model.clone().or_else(|| llm.model.clone()).unwrap_or_default();
    let record = input.record.as_deref().map(Path::new);
    let chosen = model::choose(llm, sources, &spec, record, &here)?;
    let prices = platform.prices()?;
    let mut order = platform.new_order(context, &input);
    if order.budget.money.is_some() && prices.cost(&chosen.model.name(), Default::default()).is_none() {
        return Err(invalid(
            format!("the money of {} cannot be counted: it has no price", chosen.model.name()),
            "set llm.prices, as in NAME=2.5/10, or leave out the bound",
        ));
    }
    let store = platform.runs_store()?;
    let redactor = Redactor::new(chosen.secrets.iter().cloned());
    order.task.text = redactor.clean(&order.task.text);
    (order.model, order.folder) = (chosen.spec.clone(), folder);
    let mut request = platform.base(input.environment);
    // What is configured holds for the agent's runs too, later as well.
    settings::freeze(configuration, &mut request);
    let (id, place) = store.create()?;
    order.id = id;
    let run = RunFile {
        order,
        base,
        model_name: chosen.model.name(),
        capabilities: chosen.model.capabilities(),
        request,
        settings: Some(ModelSettings::record(configuration).0),
    };
    store::write_run(&place, &run)?;
    let done = platform.drive(&run, &place, &chosen, &prices, context)?;
    Ok(hand_over(done, &run, &here, &input.result))
}

fn resume(platform: &Platform, context: &Context<'_>, input: ResumeInput) -> Result<AgentDone, Failure> {
    let (run, place) = platform.runs_store()?.find(&input.id)?;
    let here = context.directory().or_else(|| platform.sources.working_folder.clone()).unwrap_or_default();
    let configuration = match &run.settings {
        Some(settings) => ModelSettings(settings.clone()).restore(platform.configuration())?,
        None if is_remote(&run.order.model) => ModelSettings::without(platform.configuration())?,
        None => platform.configuration().clone(),
    };
    let chosen =
        model::choose(&configuration.settings.llm, &platform.sources, &run.order.model, None, &here)?;
    let done = platform.drive(&run, &place, &chosen, &prices(&configuration.settings.llm)?, context)?;
    Ok(hand_over(done, &run, &here, &input.result))
}

/// Writes the result where it is wanted. What was paid for is not lost with the directory that it was meant for.
fn hand_over(mut done: AgentDone, run: &RunFile, here: &Path, wanted: &ResultInput) -> AgentDone {
    let write = || -> Result<Vec<String>, Failure> {
        if let Some(out) = &wanted.out {
            write_files(&here.join(out), &done.outcome.files.source_files())?;
        }
        match &run.order.folder {
            // Files that somebody changed meanwhile are left alone, and then nothing is written.
            Some(folder) if wanted.apply && done.outcome.ending == Ending::Solved => {
                directory::apply(Path::new(folder), &run.base, &done.outcome.files, &write_files)
            }
            _ => Ok(Vec::new()),
        }
    };
    match write() {
        Ok(written) => done.written = written,
        Err(failure) => {
            let remedy = failure.hint.clone().unwrap_or_default();
            let kept = done.folder.join("files");
            done.not_written =
                Some(failure.hint(format!("{remedy}; the files are kept in {}", kept.display())));
        }
    }
    done
}

fn prices(llm: &Llm) -> Result<Prices, Failure> {
    Prices::read(llm.prices.as_deref().unwrap_or_default()).map_err(|why| {
        Failure::new(FailureKind::InvalidConfiguration, format!("llm.prices: {why}"))
            .hint("`formicary config` shows where it is set")
    })
}

/// Writes every file below a directory, which is made where it is not there.
fn write_files(directory: &Path, files: &[SourceFile]) -> Result<(), Failure> {
    let artifact = |file: &SourceFile| {
        let SourceFile { path, content, executable } = file.clone();
        Artifact { path, size: content.len() as u64, executable, content }
    };
    let artifacts: Vec<Artifact> = files.iter().map(artifact).collect();
    OutputFolder::open(directory)?.write(&artifacts)
}
