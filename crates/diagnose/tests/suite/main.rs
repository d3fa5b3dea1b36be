//! Diagnosis of real programs in the real sandbox: one binary, one file per subject.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, and stand in for the front end that reads the environment"
)]

mod causes;
mod causes_of_javascript;
mod failures;
mod inspect;

use formicary_execution::{ExecutionSettings, Executor, ToolchainSearch};
use formicary_sandbox::registry::{SandboxSettings, all};
use std::path::PathBuf;
use std::sync::LazyLock;

static NATIVE: LazyLock<Executor> = LazyLock::new(|| {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let toolchains = ToolchainSearch {
        path: std::env::split_paths(&path).collect(),
        home: std::env::var_os("HOME").map(PathBuf::from),
        ..ToolchainSearch::default()
    };
    let settings = ExecutionSettings { toolchains, ..ExecutionSettings::default() };
    Executor::new(settings, all(&SandboxSettings::default())).unwrap()
});
