//! What the suites stand on: the sandbox, projects from texts, what the test command made.

use formicary_execution::{ExecutionSettings, Executor, Live, ToolchainSearch};
use formicary_model::{ExecutionRequest, ExecutionResult, Failure, SourceFile};
use formicary_sandbox::registry::{SandboxSettings, all};
use formicary_testing::Project;
use formicary_testkit::skips::Skips;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

static NATIVE: LazyLock<Executor> = LazyLock::new(|| {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let settings = ExecutionSettings {
        toolchains: ToolchainSearch {
            path: std::env::split_paths(&path).collect(),
            home: std::env::var_os("HOME").map(PathBuf::from),
            ..ToolchainSearch::default()
        },
        ..ExecutionSettings::default()
    };
    Executor::new(settings, all(&SandboxSettings::default())).unwrap()
});

static SKIPS: Skips = Skips::new();

pub(super) fn run(request: ExecutionRequest) -> Result<ExecutionResult, Failure> {
    NATIVE.execute(request, Live::default())
}

pub(super) fn project(files: &[(&str, &str)]) -> Project {
    let file = |(path, text): &(&str, &str)| SourceFile {
        path: (*path).into(),
        content: text.as_bytes().to_vec(),
        executable: false,
    };
    Project::of_files(files.iter().map(file).collect())
}

/// A folder that the test command made, by the variable that names it; a skip is noted where it is not there.
pub(super) fn made_by_test(variable: &str, inside: &str, test: &str) -> Option<String> {
    let folder = std::env::var(variable).ok().filter(|folder| Path::new(folder).join(inside).exists());
    if folder.is_none() {
        SKIPS.note(test, &format!("{variable} names no folder with {inside}"));
    }
    folder
}

pub(super) fn is_there(path: &str, test: &str) -> bool {
    let there = Path::new(path).exists();
    if !there {
        SKIPS.note(test, &format!("{path} is not there"));
    }
    there
}

/// A program of the host's PATH; a skip is noted where it is not there.
pub(super) fn program(name: &str, test: &str) -> Option<String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|path| path.is_file());
    if found.is_none() {
        SKIPS.note(test, &format!("{name} is not installed"));
    }
    found.map(|path| path.display().to_string())
}
