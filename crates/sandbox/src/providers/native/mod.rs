//! The native provider: Linux namespaces, cgroups, landlock and seccomp, with no daemon and no root.
//!
//! | module | what it does |
//! |---|---|
//! | [`helper`] | the embedded jail, as a file in memory |
//! | [`system`] | what of the host is shown inside |
//! | [`order`] | a job turned into the jail's order |
//! | [`supervise`] | one run: start, move bytes, watch, end |
//! | [`streams`] | its standard input, output and error |
//! | [`sampler`] | watching processes where no cgroup does |
//! | [`verdict`] | from how it ended to what that means |
//! | [`claims`] | what holds, and by what |

pub(crate) mod claims;
mod helper;
mod order;
mod sampler;
mod streams;
mod supervise;
pub(crate) mod system;
pub(crate) mod verdict;

use crate::cgroups::{self, Backend, Places};
use crate::provider::{Provider, RunIo};
use crate::{Job, Outcome, SandboxError};
use formicary_model::{Enforcement, Limits, Network};
use std::sync::OnceLock;

/// The provider's word.
pub const NAME: &str = "native";

/// Settings of the native provider.
#[derive(Debug, Clone, Default)]
pub struct NativeSettings {
    /// Do without cgroups even where there are some.
    pub without_cgroups: bool,
}

/// Sandboxes made by the Linux kernel itself.
#[derive(Debug)]
pub struct Native {
    settings: NativeSettings,
    backend: OnceLock<Backend>,
}

impl Native {
    /// A provider; the host is looked at when it is first needed.
    pub fn new(settings: NativeSettings) -> Self {
        Self { settings, backend: OnceLock::new() }
    }

    /// What control groups this host offers.
    pub fn backend(&self) -> &Backend {
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

impl Provider for Native {
    fn name(&self) -> &'static str {
        NAME
    }

    fn capabilities(&self) -> Enforcement {
        claims::claims(self.backend(), &Limits::default(), &Network::None, &[])
    }

    fn run(&self, job: &Job, io: RunIo<'_>) -> Result<Outcome, SandboxError> {
        supervise::run(self.backend(), job, io)
    }
}
