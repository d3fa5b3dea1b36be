//! The executor: one request in, one result out.

use crate::cache::CompileCache;
use crate::packages::{Asking, Environment, PackageStore, Packer};
use crate::pipeline::fingerprint::{code_bytes, code_hash};
use crate::pipeline::phases::Phases;
use crate::pipeline::prepare::{Prepared, prepare, usual_entry};
use crate::pipeline::run_id;
use crate::pipeline::slot::Slot;
use crate::pipeline::tell::Teller;
use crate::program::{Built, PreparedProgram, RunInput};
use crate::recipes::{self, Plan, Project, Recipe, Step};
use crate::registry::{Entry, Registry};
use crate::toolchain::{Tool, Toolbox, Toolchain};
use crate::{Availability, Detection, ExecutionSettings, LanguageOrigin, LanguageStatus, detect, guard};
use formicary_model::{
    Assurance, EventKind, ExecutionRequest, ExecutionResult, Failure, FailureKind, Language, Limits, Network,
    Observer, PackageRequest, SourceFile, Status, Step as RunStep, Terms, suggest,
};
use formicary_sandbox::provider::Stdin;
use formicary_sandbox::providers::{docker, native, trusted};
use formicary_sandbox::{Cancel, Provider};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

/// The caller's side of one execution.
pub struct Live<'a> {
    /// Standard input that comes as it is read; overrides the request's `stdin`.
    pub stdin: Option<Stdin>,
    /// Who hears of events.
    pub observer: &'a dyn Observer,
    /// Ends the run when set.
    pub cancel: Cancel,
}

impl Default for Live<'_> {
    fn default() -> Self {
        Self { stdin: None, observer: &(), cancel: Cancel::default() }
    }
}

/// Runs requests: guard, recipe, sandbox, result.
pub struct Executor {
    settings: ExecutionSettings,
    providers: Vec<Arc<dyn Provider>>,
    registry: Registry,
    tools: Toolbox,
    cache: Option<CompileCache>,
    packer: Option<Packer>,
    image_tools: Toolbox,
}

impl Executor {
    /// An executor with these settings. Fails where a setting or a user's language table is wrong.
    pub fn new(settings: ExecutionSettings, providers: Vec<Arc<dyn Provider>>) -> Result<Self, Failure> {
        for (name, limits) in
            [("limits", &settings.default_limits), ("compile limits", &settings.compile_limits)]
        {
            limits.check().map_err(|error| {
                Failure::new(FailureKind::InvalidConfiguration, format!("{name}: {error}"))
                    .hint(format!("set {} between {} and {}", error.name, error.min, error.max))
            })?;
        }
        let registry = Registry::new(&settings.languages)?;
        let tools = Toolbox::new(settings.toolchains.clone());
        let cache = settings.cache.clone().map(CompileCache::new);
        let packer = settings.packages.clone().map(Packer::new);
        Ok(Self { settings, providers, registry, tools, cache, packer, image_tools: Toolbox::of_an_image() })
    }

    /// Runs one request to its end. A failing program is `Ok`; `Err` means that Formicary failed.
    pub fn execute(&self, mut request: ExecutionRequest, live: Live<'_>) -> Result<ExecutionResult, Failure> {
        let stdin = live.stdin.unwrap_or_else(|| Stdin::Bytes(std::mem::take(&mut request.stdin)));
        told(live.observer, |teller| {
            teller.tell(received(&request));
            let started = Instant::now();
            let planned = self.planned(&request, &live.cancel, teller)?;
            teller.took(RunStep::Guard, started.elapsed());
            teller.tell(planned.accepted(&request));
            let program = self.built(&request, planned, &live.cancel, teller)?;
            program.run(RunInput { stdin, ..RunInput::default() }, &live.cancel, teller)
        })
    }

    /// Checks a request, compiles it once, and keeps what is needed to run it many times. A program that does not
    /// compile is `Ok` too: each of its runs says so.
    pub fn prepare(&self, request: &ExecutionRequest, live: &Live<'_>) -> Result<PreparedProgram, Failure> {
        self.prepare_when(request, live, |_| Ok(()))
    }

    /// The same, with a compiler started only when `admit` gives leave for the memory that it may use.
    pub(crate) fn prepare_when<P>(
        &self,
        request: &ExecutionRequest,
        live: &Live<'_>,
        admit: impl FnOnce(u64) -> Result<P, Failure>,
    ) -> Result<PreparedProgram, Failure> {
        let teller = Teller { run_id: "", observer: live.observer };
        let planned = self.planned(request, &live.cancel, &teller).inspect_err(|failure| {
            // A refusal is an event too, as it is for a run.
            let _ = told(live.observer, |teller| {
                teller.tell(received(request));
                Err(failure.clone())
            });
        })?;
        if planned.plan.compile.is_empty() {
            let teller = Teller { run_id: "", observer: &() };
            return self.built(request, planned, &live.cancel, &teller);
        }
        let _permit = admit(planned.checked.compile_limits.memory_bytes)?;
        let mut program = None;
        told(live.observer, |teller| {
            teller.tell(received(request));
            teller.tell(planned.accepted(request));
            let built = self.built(request, planned, &live.cancel, teller)?;
            let result = built.compiled_result(teller.run_id);
            program = Some(built);
            Ok(result)
        })?;
        program.ok_or_else(|| Failure::new(FailureKind::Internal, "the prepared program vanished"))
    }

    /// Lets whatever can stand ready for requests like this one stand ready, and waits for it. Where nothing can, or
    /// where the provider keeps nothing ready, this does nothing.
    pub fn warm_up(&self, request: &ExecutionRequest) -> Result<(), Failure> {
        let (teller, cancel) = (Teller { run_id: "", observer: &() }, Cancel::default());
        let mut planned = self.planned(request, &cancel, &teller)?;
        if planned.plan.script_stem.is_none() {
            // What is compiled does not change what is started: it need not be there yet.
            planned.plan.compile.clear();
        }
        self.built(request, planned, &cancel, &teller)?.warm_up(&cancel, &teller)
    }

    /// Runs a prepared program once, in a sandbox of its own.
    pub fn run_prepared(
        &self,
        program: &PreparedProgram,
        input: RunInput,
        live: &Live<'_>,
    ) -> Result<ExecutionResult, Failure> {
        told(live.observer, |teller| {
            teller.tell(program.received());
            if let Some(waited) = input.waited {
                teller.took(RunStep::Queue, waited);
            }
            teller.tell(program.accepted());
            program.run(input, &live.cancel, teller)
        })
    }

    /// Every language with its state on this host. Nothing is started.
    pub fn languages(&self) -> Vec<LanguageStatus> {
        let own = |words: Vec<&str>| words.into_iter().map(str::to_string).collect();
        let status = |entry: &Entry| LanguageStatus {
            id: entry.id().to_string(),
            name: entry.name().to_string(),
            aliases: own(entry.aliases()),
            extensions: own(entry.extensions()),
            origin: match entry {
                Entry::Builtin(_) => LanguageOrigin::Builtin,
                Entry::Custom(_) => LanguageOrigin::Custom,
            },
            availability: self.availability(entry),
        };
        self.registry.entries().iter().map(status).collect()
    }

    /// The first line of what the language's main tool says of its version; runs it inside the sandbox.
    pub fn version(&self, language: &str) -> Result<String, Failure> {
        let id = guard::validate_language(&self.registry, language)?;
        let step = match self.registry.find(&id) {
            Some(Entry::Builtin(recipe)) => {
                let tool = self.tools.find(recipe.tool)?;
                Step::new([tool.program.as_str()]).args(recipe.version.iter().copied()).with(&tool)
            }
            Some(Entry::Custom(custom)) => {
                let command = custom.version.as_ref().ok_or_else(|| {
                    guard::refuse(
                        format!("language {id} has no version command"),
                        "add `version` to its table",
                    )
                })?;
                let (program, rest) =
                    command.split_first().map_or(("", &[][..]), |(p, rest)| (p.as_str(), rest));
                let tool = self.tools.program(program).ok_or_else(|| {
                    Failure::new(FailureKind::ToolchainMissing, format!("{program} is not on this host"))
                })?;
                Step::new([tool.program.as_str()]).args(rest).with(&tool)
            }
            None => return Err(Failure::new(FailureKind::Internal, format!("language {id} vanished"))),
        };
        let cancel = Cancel::default();
        let teller = Teller { run_id: "version", observer: &() };
        let env = BTreeMap::new();
        let phases = Phases {
            provider: self.provider(None)?.as_ref(),
            teller: &teller,
            cancel: &cancel,
            env: &env,
            mounts: &[],
            image: None,
            assurance: Assurance::BestEffort,
        };
        let plan = Plan { run: step, ..Plan::default() };
        let limits = Limits { wall_seconds: 10.0, ..self.settings.compile_limits.clone() };
        let stdin = Stdin::Bytes(Vec::new());
        let outcome = phases.run(&plan, Vec::new(), &limits, Network::None, &Default::default(), stdin)?;
        let said =
            [&outcome.stdout, &outcome.stderr].map(|said| String::from_utf8_lossy(&said.head).into_owned());
        let line = said.iter().flat_map(|text| text.lines()).map(str::trim).find(|line| !line.is_empty());
        match (outcome.status, line) {
            (Status::Success, Some(line)) => Ok(line.to_string()),
            (status, line) => Err(Failure::new(
                FailureKind::ToolchainMissing,
                format!("{id}'s tool does not tell its version ({status}): {}", line.unwrap_or_default()),
            )),
        }
    }

    /// Whether programs can use a virtual environment here: it is one, and a Python of its version is there.
    pub fn check_venv(&self, path: &str) -> Result<(), Failure> {
        let venv = self.tools.venv(path)?;
        self.tools.find_python(&venv.version).map(drop)
    }

    /// The file of a directory that is run where nobody names one, of this language or of any.
    pub fn usual_entry(&self, files: &[SourceFile], language: Option<&str>) -> Option<String> {
        let language = language.and_then(|id| self.registry.find(id));
        usual_entry(files.iter().map(|file| file.path.as_str()), language)
    }

    /// The language that this code seems to be in.
    pub fn detect(&self, file_name: Option<&str>, code: &[u8]) -> Option<Detection> {
        detect::detect(&self.registry, file_name, code)
    }

    /// The packages that a request wants, ready for as long as the answer is held. They are installed first where
    /// they are not there yet.
    pub fn install(
        &self,
        request: &PackageRequest,
        assurance: Assurance,
        live: &Live<'_>,
    ) -> Result<(), Failure> {
        let teller = Teller { run_id: &run_id::new()?, observer: live.observer };
        self.packages(request, assurance, &live.cancel, &teller).map(drop)
    }

    pub(crate) fn packages(
        &self,
        request: &PackageRequest,
        assurance: Assurance,
        cancel: &Cancel,
        teller: &Teller<'_>,
    ) -> Result<Option<Environment>, Failure> {
        if request.is_empty() {
            return Ok(None);
        }
        let packer = self.packer.as_ref().ok_or_else(|| {
            Failure::new(FailureKind::InvalidConfiguration, "there is no place to keep packages")
                .hint("set packages.folder to a folder of your own")
        })?;
        // Whoever runs the program, the host's own kernel confines the installer: only there can one folder be
        // written and nothing else.
        let provider = self.provider(Some(native::NAME)).or_else(|_| self.provider(None))?;
        let asking = Asking { teller, cancel, assurance };
        packer.environment(request, &self.tools, provider.as_ref(), &asking)
    }

    /// Compiled programs that are kept.
    pub fn compile_cache(&self) -> Option<&CompileCache> {
        self.cache.as_ref()
    }

    /// Package environments that are kept.
    pub fn package_store(&self) -> Option<&PackageStore> {
        self.packer.as_ref().map(Packer::store)
    }

    fn planned(
        &self,
        request: &ExecutionRequest,
        cancel: &Cancel,
        teller: &Teller<'_>,
    ) -> Result<Planned<'_>, Failure> {
        let checked = prepare(request, &self.settings, &self.registry)?;
        let by_image = request.image.as_ref().map(|_| docker::NAME);
        let provider = self.provider(request.provider.as_deref().or(by_image))?;
        let language = checked.language.map_or("command", Entry::id);
        let image = self.image(request.image.as_ref(), language, provider.name())?;
        let packages = match self.packages(&request.packages, request.assurance, cancel, teller)? {
            None if provider.name() == trusted::NAME && request.venv.is_none() => self.own_venv(&checked)?,
            found => found,
        };
        let python = packages.as_ref().map(|found| found.toolchain(provider.name()));
        let tools = if image.is_some() { &self.image_tools } else { &self.tools };
        let output = if teller.observer.reads_along() {
            recipes::Output::AsItComes
        } else {
            recipes::Output::AtTheEnd
        };
        let plan = self.plan(request, &checked, (python, output), tools)?;
        Ok(Planned { language, checked, provider, plan, packages, image })
    }

    /// Trusted Python is not kept from installing: it does so into an environment of its own.
    fn own_venv(&self, checked: &Prepared<'_>) -> Result<Option<Environment>, Failure> {
        let Some(Entry::Builtin(Recipe { language: Language::Python, .. })) = checked.language else {
            return Ok(None);
        };
        let made = Environment::of_its_own(self.tools.python()?).map_err(|error| {
            Failure::new(FailureKind::SandboxFailed, format!("no virtual environment can be made: {error}"))
                .hint("make room in /tmp, and see that it may be written")
        })?;
        Ok(Some(made))
    }

    /// The image that a request sees. `None`: the host's files.
    pub(crate) fn image(
        &self,
        wanted: Option<&String>,
        language: &str,
        provider: &str,
    ) -> Result<Option<String>, Failure> {
        let configured = self.settings.default_image.as_ref().filter(|_| provider == docker::NAME);
        let Some(wanted) = wanted.or(configured) else { return Ok(None) };
        if wanted != "default" {
            return Ok(Some(wanted.clone()));
        }
        let image = self.settings.images.get(language).cloned();
        image.map(Some).ok_or_else(|| {
            guard::refuse(
                format!("there is no default image for {language}"),
                "name one, or set images.LANGUAGE in the configuration",
            )
        })
    }

    fn built(
        &self,
        request: &ExecutionRequest,
        planned: Planned<'_>,
        cancel: &Cancel,
        teller: &Teller<'_>,
    ) -> Result<PreparedProgram, Failure> {
        let Planned { checked, provider, plan, language, packages, image } = planned;
        let phases = Phases {
            provider: provider.as_ref(),
            teller,
            cancel,
            env: &request.env,
            mounts: &checked.mounts,
            image: image.as_deref(),
            assurance: request.assurance,
        };
        // What lies in the caller's own mounts may change between two compilations: such a request is not cached.
        // Nor is what an image compiles: its name may stand for another one tomorrow.
        let cache = self.cache.as_ref().filter(|_| checked.mounts.is_empty() && image.is_none());
        let slot = cache.and_then(|cache| Slot::find(cache, &plan, language, provider.name(), &request.env));
        let built = match slot.as_ref().and_then(|slot| slot.load(request.assurance)) {
            Some(ready) => ready,
            None => {
                let compiled = phases.compile(&plan.compile, &checked.compile_limits)?;
                if let Some(slot) = &slot {
                    slot.keep(&compiled);
                }
                Built::new(compiled, teller.run_id, language, &checked.compile_limits)
            }
        };
        Ok(PreparedProgram {
            language: language.to_string(),
            provider: Arc::clone(provider),
            plan,
            built,
            code_bytes: checked.code_bytes,
            code_hash: code_hash(&request.source),
            terms: Terms::new(request, &checked.limits),
            env: request.env.clone(),
            mounts: checked.mounts,
            image,
            limits: checked.limits,
            network: request.network.clone(),
            collect: request.collect.clone(),
            assurance: request.assurance,
            _packages: packages,
        })
    }

    fn plan(
        &self,
        request: &ExecutionRequest,
        prepared: &Prepared<'_>,
        (packages, output): (Option<Toolchain>, recipes::Output),
        tools: &Toolbox,
    ) -> Result<Plan, Failure> {
        if let Some(command) = &request.command {
            let mut plan = command_plan(command, request, prepared, tools);
            if let Some(python) = &packages {
                // Their programs come before those of the same names elsewhere.
                let others = std::mem::take(&mut plan.run.path_dirs);
                plan.run = plan.run.with(python);
                plan.run.path_dirs.extend(others);
            }
            if let Some(venv) = &request.venv {
                plan.run = recipes::python::within_venv(plan.run, venv, tools)?;
            }
            if output == recipes::Output::AsItComes {
                // A command may start Python anywhere in it.
                plan.run = plan.run.env("PYTHONUNBUFFERED", "1");
            }
            return Ok(plan);
        }
        let project = Project {
            files: prepared.files.clone(),
            entry: prepared.entry.clone().unwrap_or_default(),
            entry_is_named: prepared.entry_is_named,
            args: &request.args,
            flags: &request.compiler_flags,
            limits: &prepared.limits,
            compile_limits: &prepared.compile_limits,
            venv: request.venv.as_deref(),
            output,
            packages,
        };
        match prepared.language {
            Some(Entry::Builtin(recipe)) => (recipe.plan)(&project, tools),
            Some(Entry::Custom(custom)) => recipes::custom::plan(custom, &project, tools),
            None => Err(Failure::new(FailureKind::Internal, "the guard let a request without language pass")),
        }
    }

    fn provider(&self, wanted: Option<&str>) -> Result<&Arc<dyn Provider>, Failure> {
        let wanted = wanted.unwrap_or(&self.settings.provider);
        if let Some(provider) = self.providers.iter().find(|provider| provider.name() == wanted) {
            return Ok(provider);
        }
        let known: Vec<&str> = self.providers.iter().map(|provider| provider.name()).collect();
        let hint = match suggest::nearest(wanted, known.iter().copied()) {
            Some(near) => format!("did you mean {near:?}?"),
            None => format!("known providers: {}", known.join(", ")),
        };
        Err(guard::refuse(format!("unknown provider {}", guard::shown(wanted)), hint))
    }

    fn availability(&self, entry: &Entry) -> Availability {
        let missing = |failure: Failure| Availability::Missing {
            why: failure.message,
            remedy: failure.hint.unwrap_or_default(),
        };
        match entry {
            Entry::Builtin(recipe) => {
                let all: Result<Vec<_>, Failure> = recipe
                    .also
                    .iter()
                    .chain([&recipe.tool])
                    .map(|tool: &Tool| self.tools.find(*tool))
                    .collect();
                match all {
                    Ok(found) => Availability::Available {
                        program: found
                            .last()
                            .map(|tool| tool.host_program.display().to_string())
                            .unwrap_or_default(),
                    },
                    Err(failure) => missing(failure),
                }
            }
            Entry::Custom(custom) => {
                let name = custom.compile.as_ref().unwrap_or(&custom.run).first().map_or("", String::as_str);
                match self.tools.program(name) {
                    Some(tool) => {
                        Availability::Available { program: tool.host_program.display().to_string() }
                    }
                    None => Availability::Missing {
                        why: format!("{name} is not on this host"),
                        remedy: format!("install {name}, or give its whole path in the language's table"),
                    },
                }
            }
        }
    }
}

/// The caller's own command, with the files laid out and the language's tools on `PATH`.
fn command_plan(
    command: &[String],
    request: &ExecutionRequest,
    prepared: &Prepared<'_>,
    tools: &Toolbox,
) -> Plan {
    let mut run = Step::new(command.iter().cloned()).args(&request.args);
    match prepared.language {
        Some(Entry::Builtin(recipe)) => {
            // A virtual environment brings its own Python.
            let wanted = |tool: &&Tool| request.venv.is_none() || **tool != Tool::Python;
            let all = recipe.also.iter().chain([&recipe.tool]).filter(wanted);
            for toolchain in all.filter_map(|tool| tools.find(*tool).ok()) {
                run = run.with(&toolchain);
            }
        }
        Some(Entry::Custom(custom)) => {
            let programs = [custom.compile.as_ref(), Some(&custom.run)].into_iter().flatten();
            for toolchain in programs.filter_map(|c| tools.program(c.first()?)) {
                run = run.with(&toolchain);
            }
        }
        None => {}
    }
    Plan { run, run_files: prepared.files.clone(), ..Plan::default() }
}

/// A request that passed the guard, with what is to be done for it.
struct Planned<'e> {
    checked: Prepared<'e>,
    provider: &'e Arc<dyn Provider>,
    plan: Plan,
    language: &'e str,
    packages: Option<Environment>,
    image: Option<String>,
}

impl Planned<'_> {
    fn accepted(&self, request: &ExecutionRequest) -> EventKind {
        EventKind::Accepted {
            language: self.language.to_string(),
            provider: self.provider.name().to_string(),
            code_bytes: self.checked.code_bytes,
            terms: Box::new(Terms::new(request, &self.checked.limits)),
        }
    }
}

fn received(request: &ExecutionRequest) -> EventKind {
    EventKind::Received {
        language: request.language.clone(),
        code_hash: code_hash(&request.source),
        code_bytes: code_bytes(&request.source),
    }
}

/// Does something under a run's name of its own, and tells how it ended.
fn told(
    observer: &dyn Observer,
    work: impl FnOnce(&Teller<'_>) -> Result<ExecutionResult, Failure>,
) -> Result<ExecutionResult, Failure> {
    let run_id = run_id::new()?;
    let teller = Teller { run_id: &run_id, observer };
    let started = Instant::now();
    let result = work(&teller);
    teller.tell(match &result {
        Ok(result) => EventKind::finished(result, started.elapsed().as_secs_f64()),
        Err(failure) => EventKind::Failed { kind: failure.kind, message: failure.message.clone() },
    });
    result
}
