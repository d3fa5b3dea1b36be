//! A program that passed the guard and its compile step, ready to run many times.

use crate::packages::Environment;
use crate::pipeline::assemble;
use crate::pipeline::phases::{Compiled, Phases};
use crate::pipeline::tell::Teller;
use crate::recipes::Plan;
use formicary_model::{
    Assurance, CollectRequest, CompileResult, Enforcement, EventKind, ExecutionResult, Failure, Limits,
    Mount, Network, Status, Terms,
};
use formicary_sandbox::provider::Stdin;
use formicary_sandbox::{Cancel, InputFile, Provider};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// A program compiled once. Each run of it has a sandbox of its own; runs may go on side by side.
pub struct PreparedProgram {
    pub(crate) language: String,
    pub(crate) provider: Arc<dyn Provider>,
    pub(crate) plan: Plan,
    pub(crate) built: Built,
    pub(crate) code_bytes: u64,
    pub(crate) code_hash: String,
    pub(crate) terms: Terms,
    pub(crate) env: BTreeMap<String, String>,
    pub(crate) mounts: Vec<Mount>,
    pub(crate) image: Option<String>,
    pub(crate) limits: Limits,
    pub(crate) network: Network,
    pub(crate) collect: CollectRequest,
    pub(crate) assurance: Assurance,
    /// Held, so that nobody removes it while the program may run.
    pub(crate) _packages: Option<Environment>,
}

/// What the compile step came to.
pub(crate) enum Built {
    /// There is something to run.
    Ready(Box<Ready>),
    /// There is not: every run ends with this result.
    Failed(Box<ExecutionResult>),
}

/// What a run needs of the compile step.
pub(crate) struct Ready {
    pub(crate) files: Vec<InputFile>,
    pub(crate) compile: Option<CompileResult>,
    pub(crate) enforcement: Option<Enforcement>,
}

impl Built {
    /// What compile steps that ran came to.
    pub(crate) fn new(compiled: Compiled, run_id: &str, language: &str, limits: &Limits) -> Self {
        if !compiled.ok() {
            return Self::Failed(Box::new(assemble::not_compiled(run_id, language, compiled, limits)));
        }
        let compile = assemble::compile_result(&compiled, Status::Success);
        let enforcement = compiled.outcomes.into_iter().next_back().map(|last| last.enforcement);
        Self::Ready(Box::new(Ready { files: compiled.files, compile, enforcement }))
    }
}

/// What one run of a prepared program is given.
pub struct RunInput {
    /// Standard input.
    pub stdin: Stdin,
    /// Arguments after those that the request had.
    pub args: Vec<String>,
    /// Files in the working folder besides the program's own; these win.
    pub files: Vec<InputFile>,
    /// Bytes to keep of stdout and stderr, at least.
    pub keep_output_bytes: u64,
    /// How long it waited for its turn, where that is known.
    pub waited: Option<Duration>,
}

impl Default for RunInput {
    fn default() -> Self {
        Self {
            stdin: Stdin::Bytes(Vec::new()),
            args: Vec::new(),
            files: Vec::new(),
            keep_output_bytes: 0,
            waited: None,
        }
    }
}

impl PreparedProgram {
    /// The language's identifier.
    pub fn language(&self) -> &str {
        &self.language
    }

    /// The limits under which it runs.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// What the compile step said; absent for languages without one.
    pub fn compile(&self) -> Option<&CompileResult> {
        match &self.built {
            Built::Ready(ready) => ready.compile.as_ref(),
            Built::Failed(result) => result.compile.as_ref(),
        }
    }

    /// Why there is nothing to run, if that is so.
    pub fn compile_failure(&self) -> Option<&ExecutionResult> {
        match &self.built {
            Built::Ready(_) => None,
            Built::Failed(result) => Some(result),
        }
    }

    pub(crate) fn received(&self) -> EventKind {
        EventKind::Received {
            language: Some(self.language.clone()),
            code_hash: self.code_hash.clone(),
            code_bytes: self.code_bytes,
        }
    }

    pub(crate) fn accepted(&self) -> EventKind {
        EventKind::Accepted {
            language: self.language.clone(),
            provider: self.provider.name().to_string(),
            code_bytes: self.code_bytes,
            terms: Box::new(self.terms.clone()),
        }
    }

    /// The compile step alone, as a result.
    pub(crate) fn compiled_result(&self, run_id: &str) -> ExecutionResult {
        match &self.built {
            Built::Failed(result) => ExecutionResult { run_id: run_id.to_string(), ..(**result).clone() },
            Built::Ready(ready) => assemble::only_compiled(
                run_id,
                &self.language,
                ready.compile.clone(),
                ready.enforcement.clone().unwrap_or_default(),
            ),
        }
    }

    /// Lets what can stand ready for its runs stand ready.
    pub(crate) fn warm_up(&self, cancel: &Cancel, teller: &Teller<'_>) -> Result<(), Failure> {
        match &self.built {
            Built::Failed(_) => Ok(()),
            Built::Ready(ready) => {
                self.phases(cancel, teller).warm_up(&self.plan, &ready.files, &self.limits)
            }
        }
    }

    fn phases<'a>(&'a self, cancel: &'a Cancel, teller: &'a Teller<'a>) -> Phases<'a> {
        Phases {
            provider: self.provider.as_ref(),
            teller,
            cancel,
            env: &self.env,
            mounts: &self.mounts,
            image: self.image.as_deref(),
            assurance: self.assurance,
        }
    }

    pub(crate) fn run(
        &self,
        input: RunInput,
        cancel: &Cancel,
        teller: &Teller<'_>,
    ) -> Result<ExecutionResult, Failure> {
        let (files, compile) = match &self.built {
            Built::Failed(result) => {
                return Ok(ExecutionResult { run_id: teller.run_id.to_string(), ..(**result).clone() });
            }
            Built::Ready(ready) => (&ready.files, &ready.compile),
        };
        let phases = self.phases(cancel, teller);
        let mut plan = self.plan.clone();
        plan.run.arguments.extend(input.args);
        let left = files.iter().cloned().chain(input.files).collect();
        let mut limits = self.limits.clone();
        limits.output_bytes = limits.output_bytes.max(input.keep_output_bytes).min(MOST_KEPT);
        let outcome = phases.run(&plan, left, &limits, self.network.clone(), &self.collect, input.stdin)?;
        Ok(assemble::finished(teller.run_id, &self.language, compile.clone(), outcome, &limits))
    }
}

/// Output is held in memory: this much of each stream at the most.
const MOST_KEPT: u64 = 1024 * 1024 * 1024;
