//! What stands for the Docker provider in a build without the feature `docker`: it can be named, and says why it is not there.

mod terms;

pub use terms::{DockerSettings, NAME};

use crate::provider::{Provider, RunIo};
use crate::{Job, Outcome, SandboxError};
use engine::Engine;
use formicary_model::{Enforcement, Protection, ProtectionState};

const WHY: &str = "this build is without containers; the feature `docker` brings them";

/// Sandboxes made by a container engine: there are none in this build.
#[derive(Debug)]
pub struct Docker;

impl Docker {
    /// A provider that is not there.
    pub fn new(_: DockerSettings) -> Self {
        Self
    }

    /// Says what this build is without.
    pub fn engine(&self) -> Result<Engine, SandboxError> {
        Err(SandboxError::Unavailable {
            provider: NAME,
            why: WHY.into(),
            hint: "use `--provider native` or `--provider gvisor`".into(),
        })
    }
}

impl Provider for Docker {
    fn name(&self) -> &'static str {
        NAME
    }

    fn capabilities(&self) -> Enforcement {
        let mut report = Enforcement::new(NAME);
        for protection in Protection::ALL {
            report.record(protection, ProtectionState::Missing(WHY.into()));
        }
        report
    }

    fn run(&self, _: &Job, _: RunIo<'_>) -> Result<Outcome, SandboxError> {
        match self.engine()?.absent {}
    }
}

/// The engine that is not there.
pub mod engine {
    use std::convert::Infallible;
    use std::path::PathBuf;

    /// An engine that answers: there is none.
    #[derive(Debug, Clone)]
    pub struct Engine {
        /// Its socket.
        pub socket: PathBuf,
        pub(super) absent: Infallible,
    }
}

/// Images, without an engine that has them.
pub mod image {
    pub use super::terms::{BuildOptions, LABEL, REPOSITORY, WORK_LABEL};
}

/// The stock of an engine that is not there.
pub mod stock {
    use super::engine::Engine;
    use super::terms::BuildOptions;
    pub use super::terms::{Context, StockedImage, is_internal};
    use crate::SandboxError;

    /// The image of this name, if the engine has it.
    pub fn find(engine: &Engine, _: &str) -> Result<Option<StockedImage>, SandboxError> {
        match engine.absent {}
    }

    /// Every image that we made.
    pub fn ours(engine: &Engine) -> Result<Vec<StockedImage>, SandboxError> {
        match engine.absent {}
    }

    /// Fetches an image.
    pub fn pull(engine: &Engine, _: &str, _: &mut dyn FnMut(&str)) -> Result<(), SandboxError> {
        match engine.absent {}
    }

    /// Builds an image.
    pub fn build(
        engine: &Engine,
        _: &str,
        _: &str,
        _: &Context,
        _: BuildOptions,
        _: &mut dyn FnMut(&str),
    ) -> Result<(), SandboxError> {
        match engine.absent {}
    }

    /// Removes images of ours.
    pub fn prune(
        engine: &Engine,
        _: impl Fn(&StockedImage) -> bool,
    ) -> Result<Vec<StockedImage>, SandboxError> {
        match engine.absent {}
    }
}
