//! Tests through the façade: running them, whatever the framework; writing and judging them for Python.

#[cfg(feature = "agent")]
mod suggest;
#[cfg(not(feature = "agent"))]
#[path = "without_suggest.rs"]
mod suggest;

use crate::facade::Platform;
use crate::keys::Scope;
use crate::policy::Files;
use crate::uploads::checked_files;
use crate::use_case::{Context, declare};
use formicary_execution::Live;
use formicary_files::beside;
use formicary_model::use_case::Code;
use formicary_model::{
    Environment, ExecutionRequest, Failure, FailureKind, GenerateTestsInput, GenerationReport,
    MutateTestsInput, MutationReport, Observer, RunTestsInput, TestReport, TestStyle,
};
use formicary_review::project::file_or_directory;
pub use formicary_testing::frameworks::ALL as FRAMEWORKS;
pub use formicary_testing::junit_xml;
use formicary_testing::on_disk;
use formicary_testing::python::generate::{GenerationWanted, Style};
use formicary_testing::python::mutate::MutationWanted;
use formicary_testing::python::{self, generate, mutate};
use formicary_testing::{Project, Run, TestRunner, Wanted};
use std::path::PathBuf;

declare!(
    /// Runs the tests of a project in the sandbox, and reports how each ended. Failing tests are `Ok`; `Err` means that none
    /// could be run.
    RunTests, "tests.run", Post "/v1/tests/run", "Run a project's tests, whatever the framework", Some(Scope::Execute), Fetches,
    RunTestsInput => TestReport, run_tests
);
declare!(
    /// Writes tests for Python files by trying what they do. Nothing is written to the tree: the report holds the files.
    GenerateTests, "tests.generate", Post "/v1/tests/generate", "Write tests for Python files by trying what they do",
    Some(Scope::Execute), Fetches, GenerateTestsInput => GenerationReport, generate_tests
);
declare!(
    /// Judges a project's Python tests by mutants of its files.
    MutateTests, "tests.mutate", Post "/v1/tests/mutate", "Judge Python tests by mutants", Some(Scope::Execute), Fetches,
    MutateTestsInput => MutationReport, mutate_tests
);

fn run_tests(
    platform: &Platform,
    context: &Context<'_>,
    input: RunTestsInput,
) -> Result<TestReport, Failure> {
    let (mut project, file) = platform.test_project(context, &input.code)?;
    let wanted = Wanted {
        framework: input.framework,
        select: file.into_iter().chain(input.only).collect(),
        filter: input.filter,
        arguments: input.args,
        coverage: input.coverage,
        test_seconds: input.test_seconds,
        seconds: Some(input.seconds.get()),
    };
    if wanted.framework.as_deref() == Some("nextest") || project.has(".config/nextest.toml") {
        project.nextest = platform.host_program("cargo-nextest");
    }
    let base = platform.base(input.environment);
    context.step("running the tests");
    platform.with_runs(context, context.observer, |run| {
        TestRunner { run, base: &base }.run_tests(&project, &wanted)
    })
}

fn generate_tests(
    platform: &Platform,
    context: &Context<'_>,
    input: GenerateTestsInput,
) -> Result<GenerationReport, Failure> {
    let (project, file) = platform.test_project(context, &input.code)?;
    let named: Vec<String> = file.into_iter().chain(input.only).collect();
    let wanted = GenerationWanted {
        files: python::sources(&project, &named)?,
        functions: input.functions,
        seconds: input.seconds.get(),
        style: match input.style {
            TestStyle::Pytest => Style::Pytest,
            TestStyle::Unittest => Style::Unittest,
        },
        workers: input.workers.unwrap_or_else(workers),
    };
    let base = platform.base(input.environment);
    context.step("trying what the code does");
    platform.with_runs(context, &context.aside(), |run| {
        let Some(spec) = &input.model else { return generate::generate(run, &base, &project, &wanted) };
        suggest::suggest_tests(platform, context, run, (&base, &project, &wanted), spec)
    })
}

fn mutate_tests(
    platform: &Platform,
    context: &Context<'_>,
    input: MutateTestsInput,
) -> Result<MutationReport, Failure> {
    let (project, file) = platform.test_project(context, &input.code)?;
    let named: Vec<String> = file.into_iter().chain(input.only).collect();
    let wanted = MutationWanted {
        files: python::sources(&project, &named)?,
        functions: input.functions,
        tests: input.tests,
        filter: input.filter,
        framework: input.framework,
        seconds: input.seconds.get(),
        most: input.most.count(),
        workers: input.workers.unwrap_or_else(workers),
    };
    let base = platform.base(input.environment);
    context.step("judging the tests by mutants");
    platform.with_runs(context, &context.aside(), |run| mutate::mutate(run, &base, &project, &wanted))
}

/// Directories of a project that its tests are shown from where they really are.
const SHOWN: [&str; 3] = ["node_modules", ".venv", "venv"];

/// As many workers as there are processors, within reason.
fn workers() -> usize {
    std::thread::available_parallelism().map_or(2, usize::from).clamp(1, 8)
}

impl Platform {
    /// The project that the code is, and the file of it that is named, if one is.
    fn test_project(&self, context: &Context<'_>, code: &Code) -> Result<(Project, Option<String>), Failure> {
        let ([] | [_]) = code.paths.as_slice() else {
            return Err(Failure::new(FailureKind::InvalidInput, "several paths are given")
                .hint("name the project's directory, or one file of it; `only` names several tests"));
        };
        let path = code.paths.first();
        if !code.files.is_empty() {
            if let Some(path) =
                path.filter(|path| *path != "." && !code.files.iter().any(|file| file.path == **path))
            {
                return Err(Failure::new(
                    FailureKind::InvalidInput,
                    format!("{path} is not among the files"),
                )
                .hint("name one of files, or leave paths out"));
            }
            let files = checked_files(&code.files)?;
            return Ok((Project::of_files(files), path.filter(|path| *path != ".").cloned()));
        }
        let workspace = context.workspace(code)?;
        if let Files::Beneath(root) = context.policy.files() {
            // What a caller may not name is not shown to its tests either.
            let named = workspace.first_path();
            let project = if root.folder().join(&named).is_dir() { named } else { PathBuf::from(".") };
            for shown in SHOWN.map(|name| project.join(name)) {
                if root.folder().join(&shown).is_symlink() {
                    root.beneath(&shown.to_string_lossy())?;
                }
            }
        }
        let most = self.settings().max_code_bytes;
        let (working, path) = (workspace.directory(), workspace.first_path());
        let target = file_or_directory(&working.join(&path), &path)?;
        let (mut project, root, file) = on_disk::read(working, &target, most)?;
        project.node_modules = beside::node_modules(&root).map(|path| path.display().to_string());
        project.venv = beside::venv(&root).map(|path| path.display().to_string());
        Ok((project, file))
    }

    /// A request in this environment, otherwise as the configuration would have it.
    pub(crate) fn base(&self, environment: Environment) -> ExecutionRequest {
        ExecutionRequest { environment, ..self.new_request() }
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

    /// Work that consists of runs, of which this observer hears.
    pub(crate) fn with_runs<T>(
        &self,
        context: &Context<'_>,
        observer: &dyn Observer,
        work: impl FnOnce(&Run<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        work(&|request| {
            if context.cancel.is_cancelled() {
                return Err(Failure::new(FailureKind::Cancelled, "cancelled"));
            }
            let live = Live { stdin: None, observer, cancel: context.cancel.clone() };
            self.execute_as(&context.caller, request, live)
        })
    }
}
