//! The façade: one method a use-case. Every door can do what any door can do, because each only calls these.

use crate::audit::keeping;
use crate::config::table::{Cache, Collect, Toolchains};
use crate::config::{ConfigSources, Configuration, Settings};
use crate::doctor::{self, DoctorReport};
use crate::elsewhere::Elsewhere;
use crate::judge;
use crate::key;
use crate::monitoring::health::Known;
use crate::monitoring::watching::Watchers;
use crate::packages;
use formicary_execution::judging::Admission;
use formicary_execution::sessions::SessionManager;
use formicary_execution::{
    CacheSettings, Detection, ExecutionSettings, Executor, LanguageStatus, ToolchainSearch,
};
use formicary_model::{
    Assurance, Caller, CollectRequest, Environment, ExecutionRequest, Failure, FailureKind, Level,
};
use formicary_monitoring::{ExecutionMonitor, MetricsCollector, ResourceMonitor};
use formicary_review::projects::Projects;
use formicary_sandbox::Provider;
use formicary_sandbox::providers::docker::DockerSettings;
use formicary_sandbox::providers::gvisor::GvisorSettings;
use formicary_sandbox::providers::native::{NativeSettings, PoolSettings};
use formicary_sandbox::providers::trusted;
use formicary_sandbox::registry::{self, SandboxSettings};
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, OnceLock};

/// Formicary, configured and ready.
pub struct Platform {
    configuration: Configuration,
    pub(crate) sources: ConfigSources,
    pub(crate) executor: Executor,
    pub(crate) providers: Vec<Arc<dyn Provider>>,
    pub(crate) monitors: Monitors,
    pub(crate) audit: keeping::Kept,
    pub(crate) watchers: Watchers,
    pub(crate) known: Known,
    pub(crate) runs: Admission,
    pub(crate) admission: LazyLock<Admission>,
    pub(crate) execution: ExecutionSettings,
    pub(crate) sessions: OnceLock<Result<SessionManager, Failure>>,
    pub(crate) elsewhere: OnceLock<Arc<dyn Elsewhere>>,
    pub(crate) projects: OnceLock<Projects>,
}

/// The observers that hear of every run of this process.
#[derive(Default)]
pub struct Monitors {
    /// Which runs are under way, and what became of the last ones.
    pub executions: ExecutionMonitor,
    /// What each run used over time.
    pub resources: ResourceMonitor,
    /// Counts and percentiles.
    pub metrics: Arc<MetricsCollector>,
}

impl Platform {
    /// Formicary with this configuration and every provider of this build, for a caller that runs something and ends.
    /// Nothing is probed or started yet.
    pub fn new(configuration: Configuration, sources: &ConfigSources) -> Result<Self, Failure> {
        Self::with_pool(configuration, sources, None)
    }

    /// The same for a caller that stays: sandboxes and interpreters stand ready for what comes next, unless the
    /// configuration says that they must not.
    pub fn to_stay(configuration: Configuration, sources: &ConfigSources) -> Result<Self, Failure> {
        let pool = pool_settings(&configuration.settings);
        Self::with_pool(configuration, sources, pool)
    }

    /// The same for a server, which runs what others send: the trusted provider is not there unless `server.trusted` says
    /// that it may be.
    pub fn to_serve(configuration: Configuration, sources: &ConfigSources) -> Result<Self, Failure> {
        let pool = pool_settings(&configuration.settings);
        let mut providers = registry::all(&sandbox_settings(&configuration.settings, pool));
        if !configuration.settings.server.trusted {
            if configuration.settings.provider == trusted::NAME {
                let message = "the provider is trusted, which isolates nothing: a server does not start so";
                return Err(Failure::new(FailureKind::InvalidConfiguration, message)
                    .hint("set another provider, or server.trusted to on where all callers are trusted"));
            }
            providers.retain(|provider| provider.name() != trusted::NAME);
        }
        Self::with_providers(configuration, sources, providers)
    }

    fn with_pool(
        configuration: Configuration,
        sources: &ConfigSources,
        pool: Option<PoolSettings>,
    ) -> Result<Self, Failure> {
        let providers = registry::all(&sandbox_settings(&configuration.settings, pool));
        Self::with_providers(configuration, sources, providers)
    }

    /// Formicary with this configuration and these isolation providers.
    pub fn with_providers(
        configuration: Configuration,
        sources: &ConfigSources,
        providers: Vec<Arc<dyn Provider>>,
    ) -> Result<Self, Failure> {
        let execution = execution_settings(&configuration, sources);
        let executor = Executor::new(execution.clone(), providers.clone())?;
        let monitors = Monitors::default();
        let watchers = Watchers::start(&configuration.settings, &monitors.metrics)?;
        Ok(Self {
            executor,
            providers,
            monitors,
            watchers,
            known: Known::default(),
            audit: keeping::Kept::default(),
            runs: judge::admission(configuration.settings.runs.at_once),
            admission: LazyLock::new(judge::admission_by_cores),
            execution,
            sessions: OnceLock::new(),
            elsewhere: OnceLock::new(),
            projects: OnceLock::new(),
            sources: sources.clone(),
            configuration,
        })
    }

    /// The configuration that holds.
    pub fn configuration(&self) -> &Configuration {
        &self.configuration
    }

    /// The settings that hold.
    pub fn settings(&self) -> &Settings {
        &self.configuration.settings
    }

    /// A request as the configuration would have it: doors start from it and add what the caller says.
    pub fn new_request(&self) -> ExecutionRequest {
        new_request(self.settings())
    }

    /// What must hold where the caller names this provider, or none, and says nothing of levels. Who names the trusted one
    /// has asked for nothing to hold, unless somebody configured otherwise.
    pub fn assurance_of(&self, provider: Option<&str>) -> Assurance {
        let provider = provider.unwrap_or(&self.settings().provider);
        match provider == trusted::NAME && !self.configuration.is_set(key!(require)) {
            true => Assurance::Require(Level::None),
            false => self.settings().require,
        }
    }

    /// Lets whatever can stand ready for requests like this one stand ready, and waits for it: the first run is then
    /// as quick as those that follow. Without a pool ([`Platform::to_stay`]) this does nothing.
    pub fn warm_up(&self, request: &ExecutionRequest) -> Result<(), Failure> {
        self.executor.warm_up(request)
    }

    /// What is known of the runs of this process: which are under way, what they used, counts and percentiles.
    pub fn monitors(&self) -> &Monitors {
        &self.monitors
    }

    /// Every language with its state on this host. Nothing is started.
    pub fn languages(&self) -> Vec<LanguageStatus> {
        self.executor.languages()
    }

    /// What the language's main tool says of its version; runs it inside the sandbox.
    pub fn version(&self, language: &str) -> Result<String, Failure> {
        self.executor.version(language)
    }

    /// The language that this code seems to be in.
    pub fn detect(&self, file_name: Option<&str>, code: &[u8]) -> Option<Detection> {
        self.executor.detect(file_name, code)
    }

    /// What this host offers, what is missing, and how to get it. Nothing of the user's is started.
    pub fn doctor(&self) -> DoctorReport {
        let settings = self.settings();
        let named = doctor::host::Named {
            socket: settings.docker.socket.clone(),
            runsc: settings.gvisor.program.clone(),
        };
        let mut report =
            doctor::examine(&settings.provider, &named, &self.providers, self.executor.languages());
        report.debuggers = self.debuggers();
        report.audit = self.audit_report();
        report
    }
}

/// Whoever this process belongs to. Its number cannot be chosen, as names in the environment can.
pub fn local_caller() -> Caller {
    Caller::new(format!("uid:{}", rustix::process::getuid().as_raw()))
}

/// What the settings say to the providers.
pub(crate) fn sandbox_settings(settings: &Settings, pool: Option<PoolSettings>) -> SandboxSettings {
    let without_cgroups = !settings.native.cgroups;
    SandboxSettings {
        native: NativeSettings { without_cgroups, pool },
        gvisor: GvisorSettings {
            program: settings.gvisor.program.clone(),
            platform: settings.gvisor.platform.clone(),
            without_cgroups,
            ..GvisorSettings::default()
        },
        docker: DockerSettings {
            socket: settings.docker.socket.clone(),
            // What a run sees is the executor's to say: with an image come its tools.
            image: None,
            runtime: settings.docker.runtime.clone(),
        },
        ..SandboxSettings::default()
    }
}

/// A request as the settings would have it.
pub fn new_request(settings: &Settings) -> ExecutionRequest {
    let Collect { max_files, max_bytes } = settings.collect;
    ExecutionRequest {
        collect: CollectRequest { globs: Vec::new(), max_files, max_bytes },
        environment: Environment {
            network: settings.network.clone(),
            assurance: settings.require,
            ..Environment::default()
        },
        ..ExecutionRequest::default()
    }
}

/// How sandboxes are kept ready; absent where they are not.
fn pool_settings(settings: &Settings) -> Option<PoolSettings> {
    let pool = &settings.pool;
    let defaults = PoolSettings::default();
    pool.enabled.then(|| PoolSettings {
        waiting: if pool.waiting == 0 { defaults.waiting } else { pool.waiting },
        idle: pool.idle_seconds,
        python_imports: pool.python_imports.iter().filter(|name| *name != "none").cloned().collect(),
        programs_per_interpreter: pool.programs_per_interpreter,
        ..defaults
    })
}

fn execution_settings(configuration: &Configuration, sources: &ConfigSources) -> ExecutionSettings {
    let settings = &configuration.settings;
    ExecutionSettings {
        default_limits: settings.limits.clone(),
        compile_limits: settings.compile_limits.clone(),
        max_code_bytes: settings.max_code_bytes,
        max_project_bytes: settings.max_project_bytes,
        provider: settings.provider.clone(),
        toolchains: toolchain_search(&settings.toolchains, sources),
        languages: configuration.languages.iter().map(|(language, _)| language.clone()).collect(),
        cache: compile_cache(&settings.cache, sources),
        images: settings.images.clone(),
        default_image: settings.docker.image.clone(),
        packages: packages::settings(&settings.packages, sources),
    }
}

/// The compile cache's place: what is set, else the user's cache folder. Without either there is none.
fn compile_cache(cache: &Cache, sources: &ConfigSources) -> Option<CacheSettings> {
    let usual = || Some(sources.cache_folder()?.join("compiled"));
    let folder = cache.folder.clone().or_else(usual).filter(|_| cache.enabled)?;
    Some(CacheSettings { folder, max_bytes: cache.max_bytes })
}

fn toolchain_search(toolchains: &Toolchains, sources: &ConfigSources) -> ToolchainSearch {
    let mut path = toolchains.path.clone();
    let host_path = sources.environment.get("PATH").map(String::as_str).unwrap_or_default();
    // A relative folder in PATH would depend on where the user stands: a repository could plant a compiler.
    path.extend(host_path.split(':').map(PathBuf::from).filter(|folder| folder.is_absolute()));
    ToolchainSearch {
        path,
        home: sources.home.clone(),
        overrides: toolchains.programs.clone(),
        rustup_home: sources.path_variable("RUSTUP_HOME"),
        cargo_home: sources.path_variable("CARGO_HOME"),
        pyenv_root: sources.path_variable("PYENV_ROOT"),
        nvm_dir: sources.path_variable("NVM_DIR"),
        fnm_dir: sources.path_variable("FNM_DIR"),
        volta_home: sources.path_variable("VOLTA_HOME"),
        go_root: sources.path_variable("GOROOT"),
        java_home: sources.path_variable("JAVA_HOME"),
        base: sources.working_folder.clone(),
    }
}
