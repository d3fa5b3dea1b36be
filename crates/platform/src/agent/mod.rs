//! The agent through the façade: a task and a model in, files and a verdict out; runs are kept, resumed and replayed.
//!
//! | module | what it holds |
//! |---|---|
//! | `model` | from a model's name and the configuration to the model |
//! | `store` | where runs are kept |
//! | `workspace` | a folder read into memory; the result written back |

pub(crate) mod model;
mod store;
mod workspace;

pub use formicary_agent::desk::Human;
pub use formicary_agent::page::headline;
pub use formicary_agent::{
    Acceptance, Budget, Checker, Ending, ExpectedOutput, Order, Outcome, Progress, Record, Rules, Spent, Task,
};
pub use store::{KeptRun, RunView};

use crate::config::ConfigSources;
use crate::facade::Platform;
use formicary_agent::journal::{Journal, Mode};
use formicary_agent::order::LONGEST_TASK;
use formicary_agent::redact::Redactor;
use formicary_agent::{Tree, World, orchestrator};
use formicary_execution::Live;
use formicary_llm::Prices;
use formicary_model::{ExecutionRequest, Failure, FailureKind, InspectRequest};
use formicary_sandbox::Cancel;
use model::{Absent, Chosen, Pinned};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use store::{RunFile, Store};

/// What a door says of a new run.
#[derive(Debug, Clone)]
pub struct AgentOptions {
    /// Where relative paths begin.
    pub working_folder: PathBuf,
    /// The task.
    pub task: Task,
    /// The model, in place of the configured one.
    pub model: Option<String>,
    /// Where answers are recorded.
    pub record: Option<PathBuf>,
    /// The folder that the workspace is a copy of; empty where absent.
    pub folder: Option<PathBuf>,
    /// What is allowed.
    pub rules: Rules,
    /// What may be spent.
    pub budget: Budget,
    /// How much protection must hold, and by which provider: as for runs.
    pub base: ExecutionRequest,
}

/// Who takes part from outside.
pub struct AgentHooks<'a> {
    /// Ends it when set; it can be resumed.
    pub cancel: &'a Cancel,
    /// Hears of each step.
    pub watch: &'a dyn Fn(Progress),
    /// Answers questions, where somebody is there.
    pub human: Option<&'a Human<'a>>,
}

/// A run that came to its end.
#[derive(Debug)]
pub struct AgentDone {
    /// What came of it.
    pub outcome: Outcome,
    /// Where everything of it is kept: transcript, page, report, files.
    pub folder: PathBuf,
}

pub(crate) fn invalid(message: impl Into<String>, hint: impl Into<String>) -> Failure {
    Failure::new(FailureKind::InvalidInput, message).hint(hint)
}

impl Platform {
    /// The budget that the configuration gives.
    pub fn agent_budget(&self) -> Budget {
        let number = |key: &str| self.configuration().number(key);
        Budget {
            steps: number("agent.steps") as u32,
            attempts: number("agent.attempts") as u32,
            seconds: number("agent.seconds"),
            tokens: number("agent.tokens") as u64,
            money: Some(number("agent.money")).filter(|money| *money > 0.0),
            sandbox_seconds: number("agent.sandbox_seconds"),
        }
    }

    /// The packages that the configuration allows.
    pub fn agent_packages(&self) -> Vec<String> {
        let words = self.configuration().word("agent.packages").split(',').map(str::trim);
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    }

    /// Solves a task. A task that is not solved is `Ok`, with how it ended; `Err` means that Formicary failed or was called
    /// off, and then the run can be resumed.
    pub fn agent(
        &self,
        options: AgentOptions,
        sources: &ConfigSources,
        hooks: &AgentHooks<'_>,
    ) -> Result<AgentDone, Failure> {
        check_task(&options.task)?;
        let spec = options.model.clone().unwrap_or_else(|| self.configuration().word("llm.model").to_owned());
        let chosen = model::choose(
            self.configuration(),
            sources,
            &spec,
            options.record.as_deref(),
            &options.working_folder,
        )?;
        let prices = self.prices()?;
        if options.budget.money.is_some() && prices.cost(&chosen.model.name(), Default::default()).is_none() {
            return Err(invalid(
                format!("the money of {} cannot be counted: it has no price", chosen.model.name()),
                "set llm.prices, as in NAME=2.5/10, or leave out the bound",
            ));
        }
        let store = Store::open(self.configuration(), sources)?;
        let mut request = options.base.clone();
        // What is configured holds for the agent's runs too.
        request.limits.wall_seconds.get_or_insert(self.configuration().number("limits.wall_seconds"));
        let base = match &options.folder {
            Some(folder) => workspace::read(&options.working_folder.join(folder))?,
            None => Tree::default(),
        };
        let most = self.configuration().number("max_project_bytes") as usize;
        if base.size() > most {
            let message = format!("the folder holds {} bytes, and a run may carry {most}", base.size());
            return Err(invalid(message, "name a smaller folder, or set max_project_bytes=256MiB"));
        }
        let folder = match &options.folder {
            Some(folder) => {
                Some(workspace::real(&options.working_folder.join(folder))?.display().to_string())
            }
            None => None,
        };
        let redactor = Redactor::new(chosen.secrets.iter().cloned());
        let mut task = options.task;
        task.text = redactor.clean(&task.text);
        let started = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let (id, place) = store.create()?;
        let order = Order {
            id,
            started,
            model: chosen.spec.clone(),
            task,
            rules: options.rules,
            budget: options.budget,
            folder,
        };
        let run = RunFile {
            order,
            base,
            model_name: chosen.model.name(),
            capabilities: chosen.model.capabilities(),
            request,
        };
        store::write_run(&place, &run)?;
        self.drive(&run, &place, &chosen, hooks)
    }

    /// Goes on with a run that was killed, called off, or whose model could not be reached.
    pub fn agent_resume(
        &self,
        id: &str,
        sources: &ConfigSources,
        hooks: &AgentHooks<'_>,
    ) -> Result<AgentDone, Failure> {
        let (run, place) = Store::open(self.configuration(), sources)?.find(id)?;
        let here = sources.working_folder.clone().unwrap_or_default();
        let chosen = model::choose(self.configuration(), sources, &run.order.model, None, &here)?;
        self.drive(&run, &place, &chosen, hooks)
    }

    /// Computes a run anew from its transcript alone: no model, no sandbox. An error where it comes out differently.
    pub fn agent_replay(&self, id: &str, sources: &ConfigSources) -> Result<AgentDone, Failure> {
        let (run, place) = Store::open(self.configuration(), sources)?.find(id)?;
        // What was taken out then is taken out now, where the key is still known.
        let here = sources.working_folder.clone().unwrap_or_default();
        let chosen = model::choose(self.configuration(), sources, &run.order.model, None, &here);
        let secrets = chosen.map(|chosen| chosen.secrets).unwrap_or_default();
        let absent = Absent { name: run.model_name.clone(), capabilities: run.capabilities };
        let journal = Journal::open(&place.join(store::TRANSCRIPT), Mode::Replay)?;
        let prices = self.prices()?;
        let nobody = |_: ExecutionRequest| Err(Failure::new(FailureKind::Internal, "a replay runs nothing"));
        let nothing = |_: ExecutionRequest| Err(Failure::new(FailureKind::Internal, "a replay runs nothing"));
        let unseen = |_: &ExecutionRequest, _: &InspectRequest| {
            Err(Failure::new(FailureKind::Internal, "a replay runs nothing"))
        };
        let world = World {
            model: &absent,
            observe: &nobody,
            inspect: &unseen,
            run: &nothing,
            base: &run.request,
            prices: &prices,
            human: None,
            cancelled: &|| false,
            watch: &|_| (),
            redactor: Redactor::new(secrets),
            workers: 1,
        };
        let outcome = orchestrator::drive(&world, &run.order, run.base.clone(), journal)?;
        Ok(AgentDone { outcome, folder: place })
    }

    /// Every run that is kept, the newest first.
    pub fn agent_runs(&self, sources: &ConfigSources) -> Result<Vec<KeptRun>, Failure> {
        Store::open(self.configuration(), sources)?.list()
    }

    /// One run with its transcript.
    pub fn agent_show(&self, id: &str, sources: &ConfigSources) -> Result<RunView, Failure> {
        let (run, place) = Store::open(self.configuration(), sources)?.find(id)?;
        store::view(run, &place)
    }

    /// Writes the result of a run into the folder that it was copied from. Files that somebody changed meanwhile are left
    /// alone, and then nothing is written.
    pub fn agent_apply(&self, done: &AgentDone) -> Result<Vec<String>, Failure> {
        let run = store::read_run(&done.folder)?;
        let folder = run.order.folder.as_deref().ok_or_else(|| {
            invalid("the run began with an empty workspace: there is no folder to change", "use --out FOLDER")
        })?;
        workspace::apply(Path::new(folder), &run.base, &done.outcome.files)
    }

    /// Writes the files of a run into a folder.
    pub fn agent_write(&self, done: &AgentDone, folder: &Path) -> Result<(), Failure> {
        workspace::write_all(folder, &done.outcome.files)
    }

    pub(crate) fn prices(&self) -> Result<Prices, Failure> {
        Prices::read(self.configuration().word("llm.prices")).map_err(|why| {
            Failure::new(FailureKind::InvalidConfiguration, format!("llm.prices: {why}"))
                .hint("`formicary config` shows where it is set")
        })
    }

    fn drive(
        &self,
        run: &RunFile,
        place: &Path,
        chosen: &Chosen,
        hooks: &AgentHooks<'_>,
    ) -> Result<AgentDone, Failure> {
        let journal = Journal::open(&place.join(store::TRANSCRIPT), Mode::Live)?;
        let model =
            Pinned { inner: chosen.model.as_ref(), name: &run.model_name, capabilities: run.capabilities };
        let prices = self.prices()?;
        let live = || Live { cancel: hooks.cancel.clone(), ..Live::default() };
        let observe = |request: ExecutionRequest| {
            let done = self.diagnose(request, live())?;
            Ok((done.result, done.diagnosis))
        };
        let inspect = |request: &ExecutionRequest, looked_for: &InspectRequest| {
            self.inspect(request, looked_for, hooks.cancel, |_| ())
        };
        let execute = |request: ExecutionRequest| {
            if hooks.cancel.is_cancelled() {
                return Err(Failure::new(FailureKind::Cancelled, "cancelled"));
            }
            self.execute(request, live())
        };
        let cancelled = || hooks.cancel.is_cancelled();
        let world = World {
            model: &model,
            observe: &observe,
            inspect: &inspect,
            run: &execute,
            base: &run.request,
            prices: &prices,
            human: hooks.human,
            cancelled: &cancelled,
            watch: hooks.watch,
            redactor: Redactor::new(chosen.secrets.iter().cloned()),
            workers: std::thread::available_parallelism().map_or(2, usize::from).clamp(1, 8),
        };
        let outcome = orchestrator::drive(&world, &run.order, run.base.clone(), journal)?;
        store::write_outcome(place, run, &outcome)?;
        Ok(AgentDone { outcome, folder: place.to_owned() })
    }
}

fn check_task(task: &Task) -> Result<(), Failure> {
    let hint = "say what is wanted, as in: formicary agent \"print the first ten primes\"";
    if task.text.trim().is_empty() {
        return Err(invalid("the task is empty", hint));
    }
    let length = task.text.chars().count();
    if length > LONGEST_TASK {
        let message = format!("the task has {length} characters, and at most {LONGEST_TASK} are read");
        return Err(invalid(message, "put long material into the folder of --in, and name it in the task"));
    }
    Ok(())
}
