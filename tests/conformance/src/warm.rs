//! The native provider with sandboxes that stand ready, as a provider under test.
//!
//! The pool lives as long as something runs: what a pool leaves on the host shows with each case, not only at the end.
//! Every job for which something can stand ready must get it; one that does not is an error.

use formicary_model::{Enforcement, MountAccess, Network};
use formicary_sandbox::providers::native::{Native, NativeSettings, PoolSettings};
use formicary_sandbox::{Job, Outcome, Provider, RunIo, SandboxError, Warmth};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// The provider.
pub struct Warm {
    settings: NativeSettings,
    current: Mutex<Weak<Native>>,
}

impl Warm {
    /// With or without cgroups.
    pub fn new(without_cgroups: bool) -> Self {
        let pool = Some(PoolSettings { waiting: 1, ..PoolSettings::default() });
        Self { settings: NativeSettings { without_cgroups, pool }, current: Mutex::default() }
    }

    fn native(&self) -> Arc<Native> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        current.upgrade().unwrap_or_else(|| {
            let native = Arc::new(Native::new(self.settings.clone()));
            *current = Arc::downgrade(&native);
            native
        })
    }
}

impl Provider for Warm {
    fn name(&self) -> &'static str {
        "native"
    }

    fn capabilities(&self) -> Enforcement {
        self.native().capabilities()
    }

    fn run(&self, job: &Job, io: RunIo<'_>) -> Result<Outcome, SandboxError> {
        let native = self.native();
        let python = job.command.first().is_some_and(|program| program.ends_with("/python3"));
        let warmth = if python { Warmth::Python(job.command.len().min(2)) } else { Warmth::Sandbox };
        let job = Job { warmth, ..job.clone() };
        let possible = job.network == Network::None
            && job.mounts.iter().all(|mount| mount.access == MountAccess::ReadOnly);
        if possible {
            native.warm_up(&job)?;
        }
        let outcome = native.run(&job, io)?;
        match native.pool_figures() {
            Some(figures) if possible && figures.missed > 0 => {
                Err(SandboxError::InvalidJob(format!("nothing stood ready: {figures:?}")))
            }
            _ => Ok(outcome),
        }
    }
}
