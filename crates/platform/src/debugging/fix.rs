//! Mending a program by its tests: the platform's use-case behind `fix` and `debug`.

use super::project;
use crate::facade::{Platform, local_caller};
use formicary_debugging::rules::Rules;
use formicary_debugging::{Debugger, FixRequest, Step};
use formicary_execution::Live;
use formicary_model::{Caller, ExecutionRequest, Failure, FailureKind, FixReport, FixStatus};
use formicary_sandbox::Cancel;
use std::path::PathBuf;

/// What the caller of `fix` says.
#[derive(Debug, Clone)]
pub struct FixOptions {
    /// Where relative paths begin.
    pub working_folder: PathBuf,
    /// The file or folder to mend.
    pub target: PathBuf,
    /// The test command.
    pub test: Option<String>,
    /// A file of tests, or of JSON cases.
    pub tests: Option<PathBuf>,
    /// A file with the expected output.
    pub expect: Option<PathBuf>,
    /// A file with the input that goes with it.
    pub stdin: Option<PathBuf>,
    /// Candidates at the most.
    pub most_candidates: usize,
    /// Seconds in all.
    pub seconds: f64,
    /// Whether the best patch is written into the tree.
    pub write: bool,
    /// How much protection must hold, and by which provider: as for runs.
    pub base: ExecutionRequest,
}

/// What came of it.
#[derive(Debug)]
pub struct FixDone {
    /// The report.
    pub report: FixReport,
    /// The files that were written.
    pub written: Vec<PathBuf>,
}

impl Platform {
    /// Mends a program by its tests. The tree is touched only where the caller asks for it and a patch is verified.
    pub fn mend(
        &self,
        options: &FixOptions,
        cancel: &Cancel,
        watch: &dyn Fn(Step),
    ) -> Result<FixDone, Failure> {
        self.mend_as(&local_caller(), options, cancel, watch)
    }

    /// The same for a caller that a door knows.
    pub fn mend_as(
        &self,
        caller: &Caller,
        options: &FixOptions,
        cancel: &Cancel,
        watch: &dyn Fn(Step),
    ) -> Result<FixDone, Failure> {
        let project = project::read(options)?;
        let run = |request: ExecutionRequest| {
            if cancel.is_cancelled() {
                return Err(Failure::new(FailureKind::Cancelled, "cancelled"));
            }
            self.execute_as(caller, request, Live { cancel: cancel.clone(), ..Live::default() })
        };
        let workers = std::thread::available_parallelism().map_or(2, usize::from).clamp(1, 8);
        let debugger =
            Debugger { run: &run, base: &options.base, strategies: vec![Box::new(Rules)], workers, watch };
        let mut request = FixRequest {
            case: project.case,
            command: project.command,
            cases: project.cases,
            seconds: options.seconds,
            most_candidates: options.most_candidates,
            most_patches: 5,
        };
        let report = debugger.fix(&mut request)?;
        let mut written = Vec::new();
        if options.write && report.status == FixStatus::Fixed {
            for file in report.patches.first().into_iter().flat_map(|patch| &patch.files) {
                let path = project.root.join(&file.path);
                std::fs::write(&path, &file.text).map_err(|error| {
                    Failure::new(FailureKind::InvalidInput, format!("{}: {error}", path.display()))
                        .hint("the patch is in the report; apply it where you may write")
                })?;
                written.push(path);
            }
        }
        Ok(FixDone { report, written })
    }
}
