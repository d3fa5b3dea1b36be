//! The executor of all tests: the native sandbox with the tools of this host.

use formicary_execution::{ExecutionSettings, Executor, ToolchainSearch};
use formicary_sandbox::registry::{SandboxSettings, all};
use std::path::PathBuf;
use std::sync::LazyLock;

pub static NATIVE: LazyLock<Executor> = LazyLock::new(|| {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let toolchains = ToolchainSearch {
        path: std::env::split_paths(&path).collect(),
        home: std::env::var_os("HOME").map(PathBuf::from),
        ..ToolchainSearch::default()
    };
    let settings = ExecutionSettings { toolchains, ..ExecutionSettings::default() };
    Executor::new(settings, all(&SandboxSettings::default())).unwrap()
});
