//! The native provider: Linux namespaces, cgroups, landlock and seccomp, with no daemon and no root.
//!
//! | module | what it does |
//! |---|---|
//! | [`helper`] | the embedded jail, as a file in memory |
//! | [`system`] | what of the host is shown inside |
//! | [`order`] | a job turned into the jail's orders |
//! | [`jail`] | starting a jail for one run |
//! | [`supervise`] | one run: move bytes, watch, end |
//! | [`kind`] | which jobs can use sandboxes that were made before they came |
//! | [`nursery`] | where such sandboxes are born |
//! | [`pool`] | keeping them ready |
//! | [`janitor`] | taking sandboxes apart |
//! | [`streams`] | its standard input, output and error |
//! | [`sampler`] | watching processes where no cgroup does |
//! | [`verdict`] | from how it ended to what that means |
//! | [`claims`] | what holds, and by what |

pub(crate) mod claims;
mod helper;
mod jail;
pub(crate) mod janitor;
mod kernel_memory;
mod kind;
mod nursery;
mod order;
mod pool;
mod sampler;
mod streams;
mod supervise;
pub(crate) mod system;
pub(crate) mod verdict;

use crate::cgroups::{self, Backend, Places};
use crate::provider::{Provider, RunIo};
use crate::{Job, Outcome, SandboxError};
use formicary_model::{Enforcement, Limits, Network};
use janitor::Janitor;
use pool::Pool;
pub use pool::{PoolFigures, PoolSettings};
use std::sync::{Arc, OnceLock};

/// The provider's word.
pub const NAME: &str = "native";

/// Settings of the native provider.
#[derive(Debug, Clone, Default)]
pub struct NativeSettings {
    /// Do without cgroups even where there are some.
    pub without_cgroups: bool,
    /// Keep sandboxes ready, in this way: for callers that stay.
    pub pool: Option<PoolSettings>,
}

/// Sandboxes made by the Linux kernel itself.
#[derive(Debug)]
pub struct Native {
    settings: NativeSettings,
    backend: OnceLock<Arc<Backend>>,
    pool: OnceLock<Option<Pool>>,
    /// After the pool: what the pool still holds is taken apart before it.
    janitor: OnceLock<Janitor>,
}

impl Native {
    /// A provider; the host is looked at when it is first needed.
    pub fn new(settings: NativeSettings) -> Self {
        Self { settings, backend: OnceLock::new(), pool: OnceLock::new(), janitor: OnceLock::new() }
    }

    /// What control groups this host offers.
    pub fn backend(&self) -> &Arc<Backend> {
        self.backend.get_or_init(|| {
            if self.settings.without_cgroups {
                return Arc::new(Backend::None("switched off by configuration".into()));
            }
            let backend = Backend::detect(&Places::of_this_process());
            cgroups::sweep(backend.parents());
            Arc::new(backend)
        })
    }

    /// What stands ready, and how often that helped.
    pub fn pool_figures(&self) -> Option<PoolFigures> {
        self.pool().map(Pool::figures)
    }

    fn pool(&self) -> Option<&Pool> {
        let make = || {
            let settings = self.settings.pool.clone()?;
            // A scope is made by systemd around a program that it starts, so nothing can be made ahead.
            let possible = !matches!(**self.backend(), Backend::Systemd(_));
            possible.then(|| Pool::new(settings, Arc::clone(self.backend())))
        };
        self.pool.get_or_init(make).as_ref()
    }
}

impl Provider for Native {
    fn name(&self) -> &'static str {
        NAME
    }

    fn capabilities(&self) -> Enforcement {
        claims::claims(self.backend(), &Limits::default(), &Network::None, &[])
    }

    fn run(&self, job: &Job, io: RunIo<'_>) -> Result<Outcome, SandboxError> {
        job.refuse_image(NAME)?;
        let janitor = self.janitor.get_or_init(Janitor::new);
        supervise::run(self.backend(), self.pool(), janitor, job, io)
    }

    fn warm_up(&self, job: &Job) -> Result<(), SandboxError> {
        self.pool().map_or(Ok(()), |pool| pool.warm_up(job))
    }
}
