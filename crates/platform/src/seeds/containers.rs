//! Containers by the names that the first documents use.

use super::limits::ExecutionLimits;
use crate::facade::Platform;
use crate::images::{ImageRecipe, recipe};
use formicary_execution::Live;
use formicary_model::{
    CollectRequest, Environment, ExecutionRequest, ExecutionResult, Failure, Level, Source, SourceFile,
};
use formicary_sandbox::providers::docker;
use formicary_sandbox::providers::docker::stock::{self, StockedImage};
use serde::Serialize;

/// Whether containers can be had, and why not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DockerAvailability {
    /// Whether an engine answers.
    pub available: bool,
    /// What stands in the way, with the remedy.
    pub failure: Option<Failure>,
    /// The engine's socket.
    pub socket: Option<String>,
    /// The protection level that containers reach here.
    pub level: Option<Level>,
}

impl Platform {
    /// Whether an engine answers here; within a few seconds, whatever is wrong with it.
    pub fn check_docker_available(&self) -> DockerAvailability {
        match self.engine() {
            Err(failure) => {
                DockerAvailability { available: false, failure: Some(failure), socket: None, level: None }
            }
            Ok(engine) => {
                let provider = self.providers.iter().find(|provider| provider.name() == docker::NAME);
                DockerAvailability {
                    available: true,
                    failure: None,
                    socket: Some(engine.socket.display().to_string()),
                    level: provider.map(|provider| provider.capabilities().level),
                }
            }
        }
    }

    /// Runs code in a container.
    pub fn run_code_in_docker(
        &self,
        language: &str,
        code: &str,
        stdin: &str,
        limits: &ExecutionLimits,
    ) -> Result<ExecutionResult, Failure> {
        let provider = Some(docker::NAME.to_string());
        let request = ExecutionRequest {
            environment: Environment { provider, ..self.code(language, code, stdin).environment },
            ..self.code(language, code, stdin)
        };
        self.resource_limits_context(limits)?.execute(request, Live::default())
    }
}

/// Files and a command, run in a container of their own. Nothing of it is on the host: the files go into the container's
/// memory and are gone with it.
pub struct DockerSandbox<'p> {
    platform: &'p Platform,
    files: Vec<SourceFile>,
    command: String,
    recipe: ImageRecipe,
    /// Files to bring back, as globs.
    pub collect: Vec<String>,
}

impl<'p> DockerSandbox<'p> {
    /// A sandbox for these files, (path, bytes), and this command, as in `python main.py`.
    pub fn new(
        platform: &'p Platform,
        files: impl IntoIterator<Item = (String, Vec<u8>)>,
        command: impl Into<String>,
    ) -> Self {
        let file = |(path, content)| SourceFile { path, content, executable: false };
        Self {
            platform,
            files: files.into_iter().map(file).collect(),
            command: command.into(),
            recipe: ImageRecipe::named(recipe::PYTHON_UV),
            collect: Vec::new(),
        }
    }

    /// The same in another image, which is built as the recipe says where it is not there.
    #[must_use]
    pub fn in_image(mut self, recipe: ImageRecipe) -> Self {
        self.recipe = recipe;
        self
    }

    /// The image's name.
    pub fn image(&self) -> &str {
        &self.recipe.name
    }

    /// Makes sure that the image is there, building it where it is not.
    pub fn setup_image(&self) -> Result<StockedImage, Failure> {
        match stock::find(&self.platform.engine()?, &self.recipe.name)? {
            Some(image) => Ok(image),
            None => self.platform.build_image(&self.recipe, &mut |_| {}),
        }
    }

    /// Runs the command over the files, in `/app` of the image, without a network. It is ended after `timeout` seconds.
    pub fn run(&self, timeout: f64) -> Result<ExecutionResult, Failure> {
        self.setup_image()?;
        let limits = ExecutionLimits { time_limit: Some(timeout), ..ExecutionLimits::default() };
        let request = self.platform.new_request();
        let request = ExecutionRequest {
            source: Source::Files { files: self.files.clone(), entry: None },
            command: Some(["/bin/sh", "-c", &self.command].map(str::to_string).to_vec()),
            collect: CollectRequest { globs: self.collect.clone(), ..request.collect },
            environment: Environment {
                image: Some(self.recipe.name.clone()),
                provider: Some(docker::NAME.into()),
                ..request.environment
            },
            ..request
        };
        self.platform.resource_limits_context(&limits)?.execute(request, Live::default())
    }
}
