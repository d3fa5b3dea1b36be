//! What the tests share: executors on a scripted provider and on the native one.

use formicary_execution::{CustomLanguage, ExecutionSettings, Executor, Live, ToolchainSearch};
use formicary_model::{
    Enforcement, ExecutionRequest, ExecutionResult, Failure, Source, SourceFile, Status, Usage,
};
use formicary_sandbox::provider::Progress;
use formicary_sandbox::registry::{SandboxSettings, all};
use formicary_sandbox::{Captured, Collected, End, Job, Outcome, Provider, RunIo, SandboxError};
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

/// A provider that answers from a script and remembers what it was asked.
#[derive(Default)]
pub struct Scripted {
    /// Answers, in order.
    pub answers: Mutex<VecDeque<Outcome>>,
    /// Jobs, in order.
    pub jobs: Mutex<Vec<Job>>,
}

impl Provider for Scripted {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn capabilities(&self) -> Enforcement {
        Enforcement::new("scripted")
    }

    fn run(&self, job: &Job, io: RunIo<'_>) -> Result<Outcome, SandboxError> {
        (io.watch)(Progress::Started);
        self.jobs.lock().unwrap().push(job.clone());
        Ok(self.answers.lock().unwrap().pop_front().unwrap_or_else(|| outcome(Status::Success)))
    }
}

/// An outcome of this status with nothing else to tell.
pub fn outcome(status: Status) -> Outcome {
    let end = match status {
        Status::Success => End::Exited(0),
        Status::NonzeroExit => End::Exited(1),
        Status::Signaled => End::Signaled(6),
        _ => End::Signaled(9),
    };
    Outcome {
        status,
        end,
        duration: Duration::from_millis(5),
        stdout: Captured::default(),
        stderr: Captured::default(),
        usage: Usage::default(),
        violations: Vec::new(),
        enforcement: Enforcement::new("scripted"),
        files: Vec::new(),
        skipped: Vec::new(),
    }
}

/// Captured bytes, all of them.
pub fn said(text: &str) -> Captured {
    Captured { head: text.as_bytes().to_vec(), tail: Vec::new(), total: text.len() as u64 }
}

/// A collected file.
pub fn left(path: &str, content: &str) -> Collected {
    Collected { path: path.into(), content: content.as_bytes().to_vec(), executable: true }
}

/// An executor on a scripted provider.
pub fn scripted(answers: Vec<Outcome>) -> (Arc<Scripted>, Executor) {
    let provider = Arc::new(Scripted { answers: Mutex::new(answers.into()), ..Scripted::default() });
    let settings = ExecutionSettings { provider: "scripted".into(), ..settings() };
    let executor = Executor::new(settings, vec![Arc::clone(&provider) as Arc<dyn Provider>]).unwrap();
    (provider, executor)
}

/// Settings as a door would resolve them on this host.
pub fn settings() -> ExecutionSettings {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let perl = "extension = 'pl'\nid = 'perl'\ncheck = ['perl', '-c', '{file}']\n\
                run = ['perl', '{file}', '{args}']\nversion = ['perl', '--version']";
    let tiny = "extension = 'tiny'\nid = 'tiny'\ncompile = ['gcc', '-x', 'c', '-o', '{out}', '{file}']\nrun = ['{out}']";
    ExecutionSettings {
        toolchains: ToolchainSearch {
            path: std::env::split_paths(&path).collect(),
            home: std::env::var_os("HOME").map(PathBuf::from),
            ..ToolchainSearch::default()
        },
        languages: [perl, tiny].map(|table| toml::from_str::<CustomLanguage>(table).unwrap()).to_vec(),
        ..ExecutionSettings::default()
    }
}

/// The executor on the native provider.
pub static NATIVE: LazyLock<Executor> =
    LazyLock::new(|| Executor::new(settings(), all(&SandboxSettings::default())).unwrap());

/// A request for a snippet.
pub fn snippet(language: &str, code: &str) -> ExecutionRequest {
    ExecutionRequest { language: Some(language.into()), source: Source::code(code), ..Default::default() }
}

/// A request for files.
pub fn folder(language: Option<&str>, entry: Option<&str>, files: &[(&str, &str)]) -> ExecutionRequest {
    let file = |(path, text): &(&str, &str)| SourceFile {
        path: (*path).into(),
        content: text.as_bytes().to_vec(),
        executable: false,
    };
    ExecutionRequest {
        language: language.map(str::to_string),
        source: Source::Files { files: files.iter().map(file).collect(), entry: entry.map(str::to_string) },
        ..Default::default()
    }
}

/// Runs in the native sandbox.
pub fn run(request: ExecutionRequest) -> ExecutionResult {
    try_run(request).unwrap_or_else(|failure| panic!("{} ({:?})", failure.message, failure.hint))
}

/// Runs in the native sandbox; Formicary may fail.
pub fn try_run(request: ExecutionRequest) -> Result<ExecutionResult, Failure> {
    NATIVE.execute(request, Live::default())
}

/// Runs and checks the verdict.
pub fn check(request: ExecutionRequest, status: Status) -> ExecutionResult {
    let result = run(request);
    assert_eq!(result.status, status, "{}", shown(&result));
    result
}

/// A result for a failed assertion.
pub fn shown(result: &ExecutionResult) -> String {
    let compile = result.compile.as_ref().map(|c| format!("{}\n{}{}", c.status, c.stdout, c.stderr));
    format!(
        "{} {} exit {:?} signal {:?} {:?}\nstdout: {}\nstderr: {}\ncompile: {compile:?}",
        result.language,
        result.status,
        result.exit_code,
        result.signal,
        result.error_message,
        result.stdout,
        result.stderr
    )
}
