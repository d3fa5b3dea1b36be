//! One confined process: what it is given, and what came of it.

use formicary_model::{
    Assurance, CollectRequest, Enforcement, Limits, Mount, Network, OutputCounts, SkippedArtifact, Status,
    Usage, Violation,
};
use std::sync::Arc;
use std::time::Duration;

/// Everything a provider needs to run one process. Checked by the guard before it gets here.
#[derive(Debug, Clone)]
pub struct Job {
    /// Program (absolute path inside, or found on the inside `PATH`) and arguments.
    pub command: Vec<String>,
    /// The whole environment; nothing is inherited.
    pub env: Vec<(String, String)>,
    /// Where it starts, absolute and inside.
    pub cwd: String,
    /// Files placed in the working folder before the start.
    pub files: Vec<InputFile>,
    /// Host paths visible inside besides the system's: toolchains and the caller's own mounts.
    pub mounts: Vec<Mount>,
    /// What it may use.
    pub limits: Limits,
    /// What it sees of the network.
    pub network: Network,
    /// Which files to bring back from the working folder.
    pub collect: CollectRequest,
    /// How much protection must hold.
    pub assurance: Assurance,
    /// What may stand ready before the job comes.
    pub warmth: Warmth,
    /// The image whose files it sees in the place of the host's; for providers that have images.
    pub image: Option<String>,
}

/// What a provider may start ahead of a job. It changes when things happen, never what happens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Warmth {
    /// The sandbox.
    #[default]
    Sandbox,
    /// The sandbox and in it a CPython interpreter, which so many words of the command start; the others are the
    /// program's arguments.
    Python(usize),
    /// The same with node.
    Node(usize),
}

impl Job {
    /// The folder, inside, that belongs to the program.
    pub const WORK: &'static str = "/work";

    /// A job that runs `command` in an empty working folder under default limits.
    pub fn new(command: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            command: command.into_iter().map(Into::into).collect(),
            env: Vec::new(),
            cwd: Self::WORK.into(),
            files: Vec::new(),
            mounts: Vec::new(),
            limits: Limits::default(),
            network: Network::None,
            collect: CollectRequest::default(),
            assurance: Assurance::default(),
            warmth: Warmth::default(),
            image: None,
        }
    }

    /// Refuses a job that wants an image, for a provider that has none.
    pub(crate) fn refuse_image(&self, provider: &str) -> Result<(), crate::SandboxError> {
        match &self.image {
            None => Ok(()),
            Some(image) => Err(crate::SandboxError::InvalidJob(format!(
                "provider {provider} has no images: image {image:?} needs the provider docker"
            ))),
        }
    }
}

/// A file placed in the working folder.
#[derive(Debug, Clone)]
pub struct InputFile {
    /// Path relative to the working folder, already sanitised.
    pub path: String,
    /// Its bytes.
    pub content: Arc<[u8]>,
    /// Whether it may be executed.
    pub executable: bool,
}

/// What came of a job. A failing program is an outcome too.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The verdict: one of the statuses but `CompileError`, which only a recipe can tell.
    pub status: Status,
    /// How the process ended.
    pub end: End,
    /// From its start to its end.
    pub duration: Duration,
    /// What it wrote to stdout.
    pub stdout: Captured,
    /// What it wrote to stderr.
    pub stderr: Captured,
    /// What it used.
    pub usage: Usage,
    /// What it tried and was refused.
    pub violations: Vec<Violation>,
    /// What held.
    pub enforcement: Enforcement,
    /// Files brought back.
    pub files: Vec<Collected>,
    /// Files that matched and could not be brought back.
    pub skipped: Vec<SkippedArtifact>,
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// By itself, with this code.
    Exited(i32),
    /// By this signal.
    Signaled(i32),
}

/// Output as it was kept: all of it, or head and tail.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Captured {
    /// The beginning; everything, where nothing was left out.
    pub head: Vec<u8>,
    /// The end, where something was left out.
    pub tail: Vec<u8>,
    /// Bytes written in all.
    pub total: u64,
}

impl Captured {
    /// Bytes left out between head and tail.
    pub fn omitted(&self) -> u64 {
        self.total - self.head.len() as u64 - self.tail.len() as u64
    }

    /// Head, a line that says how much is missing, and tail.
    pub fn joined(&self) -> Vec<u8> {
        let mut bytes = self.head.clone();
        if self.omitted() > 0 {
            bytes.extend_from_slice(format!("\n[… {} bytes left out …]\n", self.omitted()).as_bytes());
        }
        bytes.extend_from_slice(&self.tail);
        bytes
    }
}

impl Outcome {
    /// How much was written and left out.
    pub fn output_counts(&self) -> OutputCounts {
        OutputCounts {
            stdout_bytes: self.stdout.total,
            stderr_bytes: self.stderr.total,
            stdout_omitted: self.stdout.omitted(),
            stderr_omitted: self.stderr.omitted(),
        }
    }
}

/// A file brought back from the sandbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collected {
    /// Path relative to the working folder.
    pub path: String,
    /// Its bytes.
    pub content: Vec<u8>,
    /// Whether its owner may execute it.
    pub executable: bool,
}
