//! All sessions of one process: made, found by name, ended when idle.

use super::drivers::Driver;
use super::kept::lock;
use super::live::{Live, Recipe};
use super::session::{Engine, Parts, Session, checked_files};
use super::settings::SessionSettings;
use super::stored::Stored;
use crate::ExecutionSettings;
use crate::executor::Executor;
use crate::guard::{self, MountPolicy, refuse, shown};
use crate::pipeline::run_id;
use crate::pipeline::tell::Teller;
use crate::recipes::{Project, Step};
use crate::registry::{Entry, Registry};
use crate::toolchain::Toolbox;
use formicary_model::failure::code;
use formicary_model::{
    Enforcement, Failure, FailureKind, Limits, Mount, Network, Protection, ProtectionState, SessionInfo,
    SessionRequest, suggest,
};
use formicary_sandbox::providers::docker;
use formicary_sandbox::{Cancel, Job, Provider};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

/// Between looks for sessions that have been idle too long.
const TEND_EVERY: Duration = Duration::from_secs(1);

/// Makes, finds and ends sessions. Dropping it ends them all.
pub struct SessionManager {
    settings: SessionSettings,
    execution: ExecutionSettings,
    providers: Vec<Arc<dyn Provider>>,
    registry: Registry,
    tools: Toolbox,
    image_tools: Toolbox,
    executor: Arc<Executor>,
    sessions: Arc<Mutex<Sessions>>,
}

type Sessions = BTreeMap<String, Arc<Session>>;

impl SessionManager {
    /// A manager with these settings. Fails where a setting or a user's language table is wrong.
    pub fn new(
        execution: ExecutionSettings,
        settings: SessionSettings,
        providers: Vec<Arc<dyn Provider>>,
    ) -> Result<Self, Failure> {
        // A session's files come along with each cell of a language without a live interpreter: they are no code.
        let roomy =
            ExecutionSettings { max_code_bytes: u64::MAX, max_project_bytes: u64::MAX, ..execution.clone() };
        let sessions = Arc::default();
        tend(&sessions)?;
        Ok(Self {
            registry: Registry::new(&execution.languages)?,
            tools: Toolbox::new(execution.toolchains.clone()),
            image_tools: Toolbox::of_an_image(),
            executor: Arc::new(Executor::new(roomy, providers.clone())?),
            settings,
            execution,
            providers,
            sessions,
        })
    }

    /// Makes a session, and starts it.
    pub fn create(&self, request: SessionRequest) -> Result<SessionInfo, Failure> {
        let id = match &request.id {
            Some(id) => id.clone(),
            None => format!("s{}", &run_id::new()?[16..]),
        };
        guard::validate_session_id(&id)?;
        let session = Arc::new(Session::new(self.parts(id.clone(), request)?));
        {
            let mut sessions = lock(&self.sessions);
            if sessions.contains_key(&id) {
                return Err(refuse(
                    format!("session {} is there already", shown(&id)),
                    "choose another name, or close it first",
                )
                .code(code::TAKEN_SESSION));
            }
            if sessions.len() >= self.settings.most {
                return Err(refuse(
                    format!("there are {} sessions, no more are allowed", sessions.len()),
                    "close one with `formicary session close ID`, or raise sessions.most in the configuration",
                ));
            }
            sessions.insert(id.clone(), Arc::clone(&session));
        }
        if let Err(failure) = session.start() {
            lock(&self.sessions).remove(&id);
            return Err(failure);
        }
        Ok(session.info())
    }

    /// The session of this name.
    pub fn find(&self, id: &str) -> Result<Arc<Session>, Failure> {
        guard::validate_session_id(id)?;
        let sessions = lock(&self.sessions);
        if let Some(session) = sessions.get(id) {
            return Ok(Arc::clone(session));
        }
        let hint = match suggest::nearest(id, sessions.keys().map(String::as_str)) {
            Some(near) => format!("did you mean {near:?}?"),
            None if sessions.is_empty() => "there is none; `formicary session new LANG` makes one".into(),
            None => "`formicary session list` lists them; one that was idle too long is gone".to_string(),
        };
        Err(refuse(format!("there is no session {}", shown(id)), hint).code(code::UNKNOWN_SESSION))
    }

    /// All sessions.
    pub fn list(&self) -> Vec<SessionInfo> {
        let sessions: Vec<Arc<Session>> = lock(&self.sessions).values().cloned().collect();
        sessions.iter().map(|session| session.info()).collect()
    }

    /// Ends a session; its files are gone with it.
    pub fn close(&self, id: &str) -> Result<(), Failure> {
        self.find(id)?.close();
        lock(&self.sessions).remove(id);
        Ok(())
    }

    fn parts(&self, id: String, mut request: SessionRequest) -> Result<Parts, Failure> {
        let language = guard::validate_language(&self.registry, &request.language)?;
        let entry = self.registry.find(&language).ok_or_else(|| vanished(&language))?;
        guard::check_environment(&request.env)?;
        guard::check_limits("session", &self.execution.default_limits, &request.limits)?;
        let limits = self.execution.default_limits.clone().with(&request.limits);
        let policy = MountPolicy { home: self.execution.toolchains.home.clone() };
        let mounts = guard::check_mounts(&request.mounts, &request.insist_on_mounts, &policy)?;
        let files = checked_files(&request.files)?;
        request.files.clear();
        if request.venv.is_some() && language != "python" {
            return Err(refuse(
                format!("a venv is for Python, the language is {language}"),
                "leave the venv out",
            ));
        }
        if !request.packages.is_empty() && (language != "python" || request.venv.is_some()) {
            return Err(refuse(
                format!("requirements are Python packages beside no venv, the language is {language}"),
                "leave the requirements or the venv out",
            ));
        }
        if let Some(image) = &request.image {
            guard::check_image(image)?;
            if request.venv.is_some() || !request.packages.is_empty() {
                return Err(refuse(
                    format!("image {} brings its own packages", shown(image)),
                    "build them into an image with `formicary images build --requirements`, or leave the image out",
                ));
            }
        }
        let idle_limit = match request.idle_seconds {
            None => self.settings.idle,
            Some(seconds) if (1.0..=7.0 * 86_400.0).contains(&seconds) => Duration::from_secs_f64(seconds),
            Some(seconds) => {
                return Err(refuse(
                    format!("idle time of {seconds} s is outside 1 s to 7 days"),
                    "choose a time within these bounds",
                ));
            }
        };
        let by_image = request.image.as_ref().map(|_| docker::NAME);
        let provider = self.provider(request.provider.as_deref().or(by_image))?;
        request.image = self.executor.image(request.image.as_ref(), &language, provider.name())?;
        let mut enforcement = provider.capabilities();
        own_processes(provider.name(), &enforcement)?;
        if request.network == Network::Host {
            enforcement.record(Protection::Network, ProtectionState::Waived("network host".into()));
        }
        let provider_name = provider.name().to_string();
        let driver = match entry {
            Entry::Builtin(recipe) => Driver::of(recipe.language).map(|driver| (driver, *recipe)),
            Entry::Custom(_) => None,
        };
        let engine = match driver {
            Some((driver, recipe)) => {
                let recipe = self.live(driver, recipe, &request, (&limits, mounts), provider)?;
                Engine::Live(Box::new(Live::new(recipe, files)))
            }
            None => {
                request.language.clone_from(&language);
                let extension = entry.extensions().first().copied().unwrap_or("txt").to_string();
                let main = format!("main.{extension}");
                Engine::Stored(Box::new(Stored::new(
                    Arc::clone(&self.executor),
                    request,
                    limits.clone(),
                    main,
                    files,
                )))
            }
        };
        Ok(Parts {
            id,
            language,
            limits,
            provider: provider_name,
            enforcement,
            idle_limit,
            most_code: self.execution.max_code_bytes,
            engine,
        })
    }

    fn live(
        &self,
        driver: Driver,
        recipe: &crate::recipes::Recipe,
        request: &SessionRequest,
        (limits, mounts): (&Limits, Vec<Mount>),
        provider: Arc<dyn Provider>,
    ) -> Result<Recipe, Failure> {
        let teller = Teller { run_id: "", observer: &() };
        let cancel = Cancel::default();
        let packages = self.executor.packages(&request.packages, request.assurance, &cancel, &teller)?;
        let project = Project {
            files: Vec::new(),
            entry: "cell".into(),
            entry_is_named: true,
            args: &[],
            flags: &[],
            limits,
            compile_limits: &self.execution.compile_limits,
            venv: request.venv.as_deref(),
            output: crate::recipes::Output::default(),
            packages: packages.as_ref().map(|found| found.toolchain(provider.name())),
        };
        let tools = if request.image.is_some() { &self.image_tools } else { &self.tools };
        let plan = (recipe.plan)(&project, tools)?;
        Ok(Recipe {
            driver,
            command: driver.command(&plan.run.command),
            job: job(&plan.run, request, (limits, mounts)),
            limits: limits.clone(),
            grace: self.settings.grace,
            lifetime: self.settings.lifetime,
            provider,
            _packages: packages,
        })
    }

    fn provider(&self, wanted: Option<&str>) -> Result<Arc<dyn Provider>, Failure> {
        let wanted = wanted.unwrap_or(&self.execution.provider);
        let found = self.providers.iter().find(|provider| provider.name() == wanted);
        found.cloned().ok_or_else(|| {
            let known: Vec<&str> = self.providers.iter().map(|provider| provider.name()).collect();
            refuse(
                format!("unknown provider {}", shown(wanted)),
                format!("known providers: {}", known.join(", ")),
            )
        })
    }
}

/// The sandbox of a live session, with the environment that every run gets. The caller's variables win.
fn job(step: &Step, request: &SessionRequest, (limits, mounts): (&Limits, Vec<Mount>)) -> Job {
    const SYSTEM_PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    let path: Vec<&str> = step.path_dirs.iter().map(String::as_str).chain([SYSTEM_PATH]).collect();
    let mut env = BTreeMap::from([
        ("PATH".to_string(), path.join(":")),
        ("HOME".to_string(), "/tmp".to_string()),
        ("TMPDIR".to_string(), "/tmp".to_string()),
        ("LANG".to_string(), "C.UTF-8".to_string()),
    ]);
    env.extend(step.env.iter().cloned());
    env.extend(request.env.clone());
    let mut job = Job::new(Vec::<String>::new());
    job.env = env.into_iter().collect();
    job.mounts = step.mounts.iter().cloned().chain(mounts).collect();
    job.limits = limits.clone();
    job.network = request.network.clone();
    job.image.clone_from(&request.image);
    job.assurance = request.assurance;
    job
}

/// Ends idle sessions for as long as there is a manager.
fn tend(sessions: &Arc<Mutex<Sessions>>) -> Result<(), Failure> {
    let weak: Weak<Mutex<Sessions>> = Arc::downgrade(sessions);
    let watch = move || {
        while let Some(sessions) = weak.upgrade() {
            let stale: Vec<Arc<Session>> = {
                let mut all = lock(&sessions);
                let ids: Vec<String> =
                    all.iter().filter(|(_, session)| session.is_stale()).map(|(id, _)| id.clone()).collect();
                ids.iter().filter_map(|id| all.remove(id)).collect()
            };
            drop(sessions);
            // Ending a sandbox takes moments: the list is free meanwhile.
            stale.iter().for_each(|session| session.close());
            drop(stale);
            std::thread::sleep(TEND_EVERY);
        }
    };
    let thread = std::thread::Builder::new().name("formicary-sessions".into()).spawn(watch);
    thread
        .map(|_| ())
        .map_err(|error| Failure::new(FailureKind::Internal, format!("no thread for the sessions: {error}")))
}

fn vanished(language: &str) -> Failure {
    Failure::new(FailureKind::Internal, format!("language {language} vanished"))
}

/// A session ends what its cells left by ending everybody but itself: it must be among its own.
fn own_processes(provider: &str, enforcement: &Enforcement) -> Result<(), Failure> {
    let state = enforcement.protections.get(&Protection::Processes);
    if state.is_some_and(|state| matches!(state, ProtectionState::Enforced(_))) {
        return Ok(());
    }
    Err(refuse(
        format!("sessions need processes of their own, which provider {provider} does not give here"),
        "use native, docker or gvisor; a single run of trusted code needs no session",
    ))
}
