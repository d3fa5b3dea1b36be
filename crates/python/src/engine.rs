//! A configured platform as a Python object. It belongs to the process that made it: after a fork the child makes its own,
//! and must neither use nor end what the parent's sandboxes hang on.

use crate::operations::{self, Core};
use crate::stream::Stream;
use crate::{attended, failure, waiting};
use formicary_model::{Failure, FailureKind};
use formicary_platform::config::{ConfigSources, Configuration};
use formicary_platform::{Cancel, Platform};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// Formicary, configured and ready, with sandboxes kept warm.
#[pyclass(frozen, module = "formicary._formicary")]
pub(crate) struct Engine {
    core: Mutex<Option<Arc<Core>>>,
    process: u32,
}

/// A switch that ends a call from another thread.
#[pyclass(frozen, module = "formicary._formicary")]
#[derive(Default)]
pub(crate) struct Cancellation(Cancel);

#[pymethods]
impl Cancellation {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Asks the call to end.
    fn cancel(&self) {
        self.0.cancel();
    }
}

#[pymethods]
impl Engine {
    #[new]
    fn new(py: Python<'_>, settings: Vec<(String, String)>) -> PyResult<Self> {
        let core = py.detach(|| core(settings)).map_err(failure::raised)?;
        Ok(Self { core: Mutex::new(Some(Arc::new(core))), process: std::process::id() })
    }

    /// One use-case: its name, its request as JSON; the answer as JSON.
    #[pyo3(signature = (operation, request, cancellation=None))]
    fn call(
        &self,
        py: Python<'_>,
        operation: &str,
        request: String,
        cancellation: Option<&Cancellation>,
    ) -> PyResult<String> {
        let core = self.core().map_err(failure::raised)?;
        let work = operations::find(operation).map_err(failure::raised)?;
        let cancel = cancellation.map(|switch| switch.0.clone()).unwrap_or_default();
        let theirs = cancel.clone();
        waiting::wait(py, &cancel, move || work(&core, &request, &theirs))
    }

    /// A use case of the agent: its request as JSON; who answers its questions, and who hears of its steps.
    #[pyo3(signature = (operation, request, cancellation, ask=None, watch=None))]
    fn agent(
        &self,
        py: Python<'_>,
        operation: &str,
        request: String,
        cancellation: &Cancellation,
        ask: Option<Bound<'_, PyAny>>,
        watch: Option<Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        let core = self.core().map_err(failure::raised)?;
        attended::agent(py, core, (operation, request), &cancellation.0, ask, watch)
    }

    /// A run whose events come one by one.
    fn stream(&self, request: String) -> PyResult<Stream> {
        Stream::start(self.core().map_err(failure::raised)?, request).map_err(failure::raised)
    }

    /// Ends what stands ready. Calls that are under way come to their end.
    fn close(&self, py: Python<'_>) {
        if self.process == std::process::id() {
            let core = self.core.lock().unwrap_or_else(PoisonError::into_inner).take();
            py.detach(|| drop(core));
        }
    }
}

impl Engine {
    fn core(&self) -> Result<Arc<Core>, Failure> {
        if self.process != std::process::id() {
            let message = "this engine belongs to the process before the fork";
            return Err(Failure::new(FailureKind::Internal, message).hint("make a new Formicary()"));
        }
        let core = self.core.lock().unwrap_or_else(PoisonError::into_inner).clone();
        core.ok_or_else(|| {
            Failure::new(FailureKind::InvalidInput, "this Formicary was closed")
                .hint("make a new Formicary()")
        })
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if self.process != std::process::id() {
            // The sandboxes are the parent's: nothing of them may be ended from here.
            std::mem::forget(self.core.get_mut().unwrap_or_else(PoisonError::into_inner).take());
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "a door resolves the environment, so that engines need not")]
fn core(settings: Vec<(String, String)>) -> Result<Core, Failure> {
    let text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
        Some((name.into_string().ok()?, value.into_string().ok()?))
    };
    let environment = std::env::vars_os().filter_map(text).collect();
    let mut sources = ConfigSources::new(environment, std::env::current_dir().ok());
    sources.flags = settings;
    let configuration = Configuration::load(&sources)?;
    Ok(Core { platform: Platform::to_stay(configuration, &sources)? })
}
