//! Packages through the façade: what is wanted, read from lists and files; what is kept, listed and pruned.
//!
//! | module | what it holds |
//! |---|---|

use crate::config::{ConfigSources, pip, table::Packages};
use crate::facade::Platform;
use formicary_execution::Live;
use formicary_execution::packages::{KeptEnvironment, PackageSettings};

pub use crate::config::pip as host;
pub use formicary_execution::packages::list;
use formicary_model::{Assurance, Failure, PackageRequest};
use serde::Serialize;

/// Everything that Formicary keeps for the next time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CacheReport {
    /// Compiled programs: how many.
    pub compiled_programs: usize,
    /// Bytes that they take.
    pub compiled_bytes: u64,
    /// Package environments, the one used last first.
    pub environments: Vec<KeptEnvironment>,
}

impl CacheReport {
    /// Bytes of all of it.
    pub fn bytes(&self) -> u64 {
        self.compiled_bytes + self.environments.iter().map(|kept| kept.bytes).sum::<u64>()
    }
}

/// What is to be removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prune {
    /// What exceeds the configured sizes, and what killed processes left.
    Excess,
    /// Everything that nobody uses at this moment.
    All,
}

impl Platform {
    /// Installs packages, so that a request which wants them finds them ready. Does nothing where they are.
    pub fn install(
        &self,
        request: &PackageRequest,
        assurance: Assurance,
        live: &Live<'_>,
    ) -> Result<(), Failure> {
        self.executor.install(request, assurance, live)
    }

    /// What is kept for the next time.
    pub fn cache(&self) -> CacheReport {
        let (compiled_programs, compiled_bytes) =
            self.executor.compile_cache().map(|cache| cache.figures()).unwrap_or_default();
        let environments = self.executor.package_store().map(|store| store.list()).unwrap_or_default();
        CacheReport { compiled_programs, compiled_bytes, environments }
    }

    /// Removes what is kept. What was removed.
    pub fn prune_cache(&self, prune: Prune) -> CacheReport {
        let compiled = self.executor.compile_cache().map(|cache| match prune {
            Prune::Excess => cache.prune(None),
            Prune::All => cache.prune(Some(0)),
        });
        let environments = self.executor.package_store().map(|store| match prune {
            Prune::Excess => store.prune(store.max_bytes()),
            Prune::All => store.prune(0),
        });
        let (compiled_programs, compiled_bytes) = compiled.unwrap_or_default();
        CacheReport { compiled_programs, compiled_bytes, environments: environments.unwrap_or_default() }
    }
}

/// The engine's settings. Without a cache folder there is no place to keep packages.
pub(crate) fn settings(packages: &Packages, sources: &ConfigSources) -> Option<PackageSettings> {
    let usual = || Some(sources.cache_folder()?.join("packages"));
    let folder = packages.folder.clone().or_else(usual)?;
    let (env, shown) = pip::environment(packages.index_url.as_deref().unwrap_or_default(), sources);
    Some(PackageSettings {
        folder,
        max_bytes: packages.max_bytes,
        wall_seconds: packages.wall_seconds.as_secs_f64(),
        memory_bytes: packages.memory_bytes,
        installer: packages.installer,
        env,
        shown,
    })
}
