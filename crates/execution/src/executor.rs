//! The executor: one request in, one result out.

use crate::{Detection, ExecutionSettings, LanguageStatus};
use formicary_model::{ExecutionRequest, ExecutionResult, Failure, FailureKind, Observer};
use formicary_sandbox::provider::Stdin;
use formicary_sandbox::{Cancel, Provider};
use std::sync::Arc;

/// The caller's side of one execution.
pub struct Live<'a> {
    /// Standard input that comes as it is read; overrides the request's `stdin`.
    pub stdin: Option<Stdin>,
    /// Who hears of events.
    pub observer: &'a dyn Observer,
    /// Ends the run when set.
    pub cancel: Cancel,
}

impl Default for Live<'_> {
    fn default() -> Self {
        Self { stdin: None, observer: &(), cancel: Cancel::default() }
    }
}

/// Runs requests: guard, recipe, sandbox, result.
pub struct Executor {
    settings: ExecutionSettings,
    providers: Vec<Arc<dyn Provider>>,
}

impl Executor {
    /// An executor with these settings. Fails where a setting or a user's language table is wrong.
    pub fn new(settings: ExecutionSettings, providers: Vec<Arc<dyn Provider>>) -> Result<Self, Failure> {
        Ok(Self { settings, providers })
    }

    /// Runs one request to its end. A failing program is `Ok`; `Err` means that Formicary failed.
    pub fn execute(&self, request: ExecutionRequest, live: Live<'_>) -> Result<ExecutionResult, Failure> {
        let _ = (request, live, &self.settings, &self.providers);
        Err(Failure::new(FailureKind::Internal, "recipes are not wired in yet"))
    }

    /// Every language with its state on this host. Nothing is started.
    pub fn languages(&self) -> Vec<LanguageStatus> {
        Vec::new()
    }

    /// The first line of what the language's main tool says of its version; runs it inside the sandbox.
    pub fn version(&self, language: &str) -> Result<String, Failure> {
        Err(Failure::new(FailureKind::InvalidInput, format!("unknown language {language:?}")))
    }

    /// The language that this code seems to be in.
    pub fn detect(&self, file_name: Option<&str>, code: &[u8]) -> Option<Detection> {
        let _ = (file_name, code);
        None
    }
}
