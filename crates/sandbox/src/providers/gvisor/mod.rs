//! The gVisor provider: `runsc` directly on a bundle that we write, so that a second kernel stands between the program
//! and the host's. Neither Docker nor root is needed.
//!
//! | module | what it does |
//! |---|---|
//! | [`engine`] | finding `runsc`, and what it can do |
//! | [`bundle`] | the folder that describes one sandbox |
//! | [`shared`] | what all guests share, made once |
//! | [`sandbox`] | the running sandbox, from outside |
//! | [`seat`] | which processors it uses |
//! | [`claims`] | what holds, and by what |

pub(crate) mod bundle;
mod claims;
pub mod engine;
pub(crate) mod sandbox;
mod seat;
mod shared;

use crate::assurance::insist;
use crate::cgroups::{self, Backend, Places};
use crate::guest::filter;
use crate::guest::order::{self, Setting};
use crate::guest::place::{self, Place};
use crate::provider::{Cancel, Provider, RunIo, Stdin};
use crate::providers::native::{janitor::Janitor, verdict};
use crate::{Job, Outcome, SandboxError, guest};
use engine::Engine;
use formicary_guest::message::run::{Meter, Reach, Resource};
use formicary_model::{Assurance, Enforcement, Limits, Network, Status};
use shared::Shared;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

/// The provider's word.
pub const NAME: &str = "gvisor";
/// Between two looks at what is used, in microseconds.
const TICK: u64 = 4_000;
/// How long a way of intercepting calls may take to prove that it works.
const PROBE: Duration = Duration::from_secs(4);

/// Settings of the gVisor provider.
#[derive(Debug, Clone)]
pub struct GvisorSettings {
    /// `runsc`; searched for in the usual folders when absent.
    pub program: Option<PathBuf>,
    /// How it intercepts system calls: `systrap`, `ptrace` or `kvm`; by its version when absent.
    pub platform: Option<String>,
    /// Where the folders of runs are made.
    pub folder: PathBuf,
    /// Do without cgroups even where there are some.
    pub without_cgroups: bool,
}

impl Default for GvisorSettings {
    fn default() -> Self {
        Self { program: None, platform: None, folder: "/tmp".into(), without_cgroups: false }
    }
}

/// Sandboxes with a kernel of their own.
#[derive(Debug)]
pub struct Gvisor {
    settings: GvisorSettings,
    engine: OnceLock<Result<Engine, String>>,
    backend: OnceLock<Backend>,
    /// Before what guests share: they are gone when that goes.
    janitor: OnceLock<Janitor>,
    shared: OnceLock<Shared>,
}

impl Gvisor {
    /// A provider; the host is looked at when it is first needed.
    pub fn new(settings: GvisorSettings) -> Self {
        Self {
            settings,
            engine: OnceLock::new(),
            backend: OnceLock::new(),
            janitor: OnceLock::new(),
            shared: OnceLock::new(),
        }
    }

    fn engine(&self) -> &Result<Engine, String> {
        self.engine.get_or_init(|| {
            place::sweep(&self.settings.folder);
            let mut engine = Engine::find(&self.settings)?;
            // Before anybody looks at what a run leaves behind; what fails here fails again, and is told, when it is needed.
            let _ = self.prepare();
            if !engine.is_certain {
                let works =
                    |name: &&&str| self.works(&Engine { platform: (**name).to_string(), ..engine.clone() });
                let found = engine::GUESSES.iter().find(works);
                let found = found.ok_or_else(|| {
                    format!(
                        "{} starts nothing here, neither with {}",
                        engine.program.display(),
                        engine::GUESSES.join(" nor with ")
                    )
                })?;
                engine.platform = (*found).to_string();
            }
            Ok(engine)
        })
    }

    /// Makes what all guests share.
    fn prepare(&self) -> Result<&Shared, SandboxError> {
        match self.shared.get() {
            Some(shared) => Ok(shared),
            None => {
                let made = Shared::new(&self.settings.folder)?;
                Ok(self.shared.get_or_init(|| made))
            }
        }
    }

    /// Whether it runs something, soon: one that hangs is given up.
    fn works(&self, engine: &Engine) -> bool {
        let mut job = Job::new(["/bin/true"]);
        job.assurance = Assurance::BestEffort;
        let cancel = Cancel::default();
        let (done, over) = std::sync::mpsc::channel::<()>();
        std::thread::scope(|scope| {
            let patience = cancel.clone();
            scope.spawn(move || {
                if over.recv_timeout(PROBE) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                    patience.cancel();
                }
            });
            let io = RunIo { stdin: Stdin::Bytes(Vec::new()), watch: &mut |_| {}, cancel: cancel.clone() };
            let outcome = self.run_by(engine, &job, io);
            drop(done);
            outcome.is_ok_and(|outcome| outcome.status == Status::Success)
        })
    }

    fn backend(&self) -> &Backend {
        self.backend.get_or_init(|| {
            if self.settings.without_cgroups {
                return Backend::None("switched off by configuration".into());
            }
            let backend = Backend::detect(&Places::of_this_process());
            cgroups::sweep(backend.parents());
            backend
        })
    }
}

impl Provider for Gvisor {
    fn name(&self) -> &'static str {
        NAME
    }

    fn capabilities(&self) -> Enforcement {
        claims::claims(self.engine().as_ref(), self.backend(), &Limits::default(), &Network::None)
    }

    fn run(&self, job: &Job, io: RunIo<'_>) -> Result<Outcome, SandboxError> {
        job.refuse_image(NAME)?;
        let engine = self.engine().as_ref().map_err(|why| SandboxError::Unavailable {
            provider: NAME,
            why: why.clone(),
            hint: engine::REMEDY.into(),
        })?;
        self.run_by(engine, job, io)
    }
}

impl Gvisor {
    fn run_by(&self, engine: &Engine, job: &Job, io: RunIo<'_>) -> Result<Outcome, SandboxError> {
        let enforcement = claims::claims(Ok(engine), self.backend(), &job.limits, &job.network);
        insist(&enforcement, job.assurance)?;
        let setting = Setting {
            work: Job::WORK.into(),
            moves: Vec::new(),
            identity: Some((1000, 1000)),
            reach: Reach::Everybody,
            meter: Meter::Guest { processes: job.limits.processes.into() },
            disks: bundle::DISKS.map(String::from).to_vec(),
            tick: TICK,
            limits: guest_limits(&job.limits),
            filter: filter::filter(job),
        };
        let order = order::order(job, setting)?;
        let place = Place::new(&self.settings.folder)
            .map_err(|error| SandboxError::step("make a folder for the sandbox", error))?;
        bundle::write(place.path(), job, self.prepare()?)?;
        let (mut ground, ends) = sandbox::start(engine, self.backend(), place, job)?;
        let told = guest::run(job, io, &order, ends, &mut ground)?;
        match told.gave_an_account {
            // Nothing of the program's is left that could run; the guest's kernel falls apart without its caller.
            true => self.janitor.get_or_init(Janitor::new).take(ground),
            false => drop(ground),
        }
        Ok(Outcome {
            status: verdict::status(&told.observed, &job.limits, &told.violations),
            end: told.observed.end,
            duration: told.observed.duration,
            stdout: told.stdout,
            stderr: told.stderr,
            usage: told.usage,
            violations: told.violations,
            enforcement,
            files: told.collection.files,
            skipped: told.collection.skipped,
        })
    }
}

/// The guest's kernel has neither message queues nor real-time priorities, and no limits for them. And it counts CPU time by
/// ticks of its own, several times what was used: that limit is watched from outside.
pub(crate) fn guest_limits(limits: &Limits) -> Vec<(Resource, u64)> {
    let unknown = [
        Resource::CpuSeconds,
        Resource::MessageQueues,
        Resource::Nice,
        Resource::PendingSignals,
        Resource::RealTime,
    ];
    let mut list = order::process_limits(limits);
    list.retain(|(resource, _)| !unknown.contains(resource));
    list
}
