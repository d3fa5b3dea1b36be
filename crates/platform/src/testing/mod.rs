//! Tests through the façade: running them, whatever the framework; writing and judging them for Python.

mod project;
mod suggest;

use crate::facade::{Platform, local_caller};
use formicary_execution::Live;
use formicary_model::{
    Caller, ExecutionRequest, ExecutionResult, Failure, FailureKind, GenerationReport, MutationReport,
    SourceFile, TestReport,
};
use formicary_sandbox::Cancel;
pub use formicary_testing::Wanted;
pub use formicary_testing::frameworks::ALL as FRAMEWORKS;
pub use formicary_testing::junit_xml;
pub use formicary_testing::python::generate::{GenerationWanted, Style};
pub use formicary_testing::python::mutate::MutationWanted;
use formicary_testing::python::{self, generate, mutate};
use formicary_testing::{Project, TestRunner};
use std::path::PathBuf;

/// Where the project is.
#[derive(Debug, Clone)]
pub enum TestTarget {
    /// A folder, or a file of tests in one; relative to the working folder.
    Path(PathBuf),
    /// Files that somebody sent.
    Files(Vec<SourceFile>),
}

/// What the caller of `run_tests` says.
#[derive(Debug, Clone)]
pub struct TestOptions {
    /// Where relative paths begin.
    pub working_folder: PathBuf,
    /// The project.
    pub target: TestTarget,
    /// Which tests, and how.
    pub wanted: Wanted,
    /// Provider, protection, packages, environment and limits: as for runs.
    pub base: ExecutionRequest,
}

impl Platform {
    /// Runs the tests of a project in the sandbox, and tells how each ended. Failing tests are `Ok`; `Err` means that none
    /// could be run.
    pub fn run_tests(&self, options: &TestOptions, cancel: &Cancel) -> Result<TestReport, Failure> {
        self.run_tests_as(&local_caller(), options, &until(cancel))
    }

    /// The same for somebody, who hears of every run.
    pub fn run_tests_as(
        &self,
        caller: &Caller,
        options: &TestOptions,
        live: &Live<'_>,
    ) -> Result<TestReport, Failure> {
        let (project, wanted) = self.test_project(options)?;
        let run = self.runs_of(caller, live);
        TestRunner { run: &run, base: &options.base }.run_tests(&project, &wanted)
    }

    /// Writes tests for Python files by trying what they do. Nothing is written to the tree: the report holds the files.
    /// `wanted.files` are relative to the project; where there are none, and the target is no single file, all are meant.
    pub fn generate_tests(
        &self,
        options: &TestOptions,
        wanted: &GenerationWanted,
        cancel: &Cancel,
    ) -> Result<GenerationReport, Failure> {
        self.generate_tests_as(&local_caller(), options, wanted, &until(cancel))
    }

    /// The same for somebody, who hears of every run.
    pub fn generate_tests_as(
        &self,
        caller: &Caller,
        options: &TestOptions,
        wanted: &GenerationWanted,
        live: &Live<'_>,
    ) -> Result<GenerationReport, Failure> {
        let (project, target) = self.test_project(options)?;
        let mut wanted = wanted.clone();
        wanted.files.extend(target.select);
        wanted.files = python::sources(&project, &wanted.files)?;
        let run = self.runs_of(caller, live);
        generate::generate(&run, &options.base, &project, &wanted)
    }

    /// Judges a project's Python tests by mutants of its files.
    pub fn mutate(
        &self,
        options: &TestOptions,
        wanted: &MutationWanted,
        cancel: &Cancel,
    ) -> Result<MutationReport, Failure> {
        self.mutate_as(&local_caller(), options, wanted, &until(cancel))
    }

    /// The same for somebody, who hears of every run.
    pub fn mutate_as(
        &self,
        caller: &Caller,
        options: &TestOptions,
        wanted: &MutationWanted,
        live: &Live<'_>,
    ) -> Result<MutationReport, Failure> {
        let (project, target) = self.test_project(options)?;
        let mut wanted = wanted.clone();
        wanted.files.extend(target.select);
        wanted.files = python::sources(&project, &wanted.files)?;
        let run = self.runs_of(caller, live);
        mutate::mutate(&run, &options.base, &project, &wanted)
    }

    fn test_project(&self, options: &TestOptions) -> Result<(Project, Wanted), Failure> {
        let mut wanted = options.wanted.clone();
        let most = self.configuration().number("max_code_bytes") as u64;
        let mut project = match &options.target {
            TestTarget::Files(files) if files.is_empty() => {
                return Err(Failure::new(FailureKind::InvalidInput, "no files are given")
                    .hint("give the program and its tests"));
            }
            TestTarget::Files(files) => Project::of_files(files.clone()),
            TestTarget::Path(path) => {
                let (project, file) = project::read(&options.working_folder, path, most)?;
                wanted.select.extend(file);
                project
            }
        };
        if wanted.framework.as_deref() == Some("nextest") || project.has(".config/nextest.toml") {
            project.nextest = self.host_program("cargo-nextest");
        }
        Ok((project, wanted))
    }

    /// A program that is where programs are looked for, or where cargo puts its own.
    fn host_program(&self, name: &str) -> Option<String> {
        let search = &self.execution.toolchains;
        let home = || search.home.as_ref().map(|home| home.join(".cargo"));
        let cargo = search.cargo_home.clone().or_else(home).map(|folder| folder.join("bin"));
        let found = search.path.iter().cloned().chain(cargo).map(|folder| folder.join(name));
        let real = found.filter_map(|path| path.canonicalize().ok()).find(|path| path.is_file())?;
        Some(real.display().to_string())
    }

    fn runs_of<'a>(
        &'a self,
        caller: &'a Caller,
        live: &'a Live<'_>,
    ) -> impl Fn(ExecutionRequest) -> Result<ExecutionResult, Failure> + Sync + 'a {
        let (observer, cancel) = (live.observer, &live.cancel);
        move |request| {
            if cancel.is_cancelled() {
                return Err(Failure::new(FailureKind::Cancelled, "cancelled"));
            }
            self.execute_as(caller, request, Live { stdin: None, observer, cancel: cancel.clone() })
        }
    }
}

/// Runs of which nobody hears.
fn until(cancel: &Cancel) -> Live<'static> {
    Live { cancel: cancel.clone(), ..Live::default() }
}
