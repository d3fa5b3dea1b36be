//! A sandbox as a thing that one holds, and an executor that runs code in it.

use super::limits::ExecutionLimits;
use crate::facade::Platform;
use formicary_execution::Live;
use formicary_model::{Environment, ExecutionRequest, ExecutionResult, Failure, Network, Source};

/// How code is to be confined. Each run has a sandbox of its own that ends with it, so there is nothing to clean up.
#[derive(Clone)]
pub struct SandboxEnvironment<'p> {
    platform: &'p Platform,
    /// Whether programs see the network.
    pub allow_network: bool,
    /// The isolation provider; the configured one where absent.
    pub provider: Option<String>,
    /// What programs may use.
    pub limits: ExecutionLimits,
}

impl<'p> SandboxEnvironment<'p> {
    /// An environment without a network, otherwise as configured.
    pub fn new(platform: &'p Platform) -> Self {
        Self { platform, allow_network: false, provider: None, limits: ExecutionLimits::default() }
    }
}

/// Runs code in an environment.
pub struct CodeExecutor<'e> {
    environment: &'e SandboxEnvironment<'e>,
}

impl<'e> CodeExecutor<'e> {
    /// An executor for this environment.
    pub fn new(environment: &'e SandboxEnvironment<'e>) -> Self {
        Self { environment }
    }

    /// Runs code in a language; where none is named it is found out.
    pub fn run(&self, language: Option<&str>, code: &str) -> Result<ExecutionResult, Failure> {
        let SandboxEnvironment { platform, allow_network, provider, limits } = self.environment;
        let request = ExecutionRequest {
            language: language.map(str::to_string),
            source: Source::code(code),
            environment: Environment {
                network: if *allow_network { Network::Host } else { Network::None },
                assurance: platform.assurance_of(provider.as_deref()),
                provider: provider.clone(),
                ..platform.new_request().environment
            },
            ..platform.new_request()
        };
        platform.resource_limits_context(limits)?.execute(request, Live::default())
    }

    /// Runs Python.
    pub fn run_python(&self, code: &str) -> Result<ExecutionResult, Failure> {
        self.run(Some("python"), code)
    }

    /// Runs JavaScript.
    pub fn run_javascript(&self, code: &str) -> Result<ExecutionResult, Failure> {
        self.run(Some("javascript"), code)
    }

    /// Runs Bash.
    pub fn run_bash(&self, code: &str) -> Result<ExecutionResult, Failure> {
        self.run(Some("bash"), code)
    }
}
