//! What happens while a run goes on. Monitoring consumes these and nothing else.

use crate::{
    AgentStep, Artifact, Assurance, Enforcement, ExecutionRequest, ExecutionResult, Limits, Mount, Network,
    Status, Usage, Violation,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Something that happened in a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Event {
    /// The run.
    pub run_id: String,
    /// Milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// What happened.
    #[serde(flatten)]
    pub kind: EventKind,
}

/// The kinds of event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum EventKind {
    /// Somebody asked for it; nothing is checked yet.
    Received {
        /// The language, as it was named.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        language: Option<String>,
        /// SHA-256 of the code.
        code_hash: String,
        /// Bytes of code.
        code_bytes: u64,
    },
    /// The guard let it in.
    Accepted {
        /// The language's identifier.
        language: String,
        /// The isolation provider.
        provider: String,
        /// Bytes of code.
        code_bytes: u64,
        /// Under which limits and which policy.
        #[serde(default)]
        terms: Box<Terms>,
    },
    /// Something around the program ended: waiting, checking, making the sandbox, bringing files back.
    Step {
        /// What.
        step: Step,
        /// Seconds that it took.
        seconds: f64,
    },
    /// A phase's process started.
    PhaseStarted {
        /// Which.
        phase: Phase,
    },
    /// The program wrote something.
    Output {
        /// Which phase.
        phase: Phase,
        /// Where to.
        stream: Stream,
        /// The bytes, as they came.
        #[serde(with = "crate::request::bytes")]
        #[schemars(with = "crate::request::bytes::Wire")]
        data: Vec<u8>,
    },
    /// A look at what it uses.
    Sample {
        /// Seconds since the phase started.
        elapsed: f64,
        /// So far.
        usage: Usage,
    },
    /// A phase ended.
    PhaseFinished {
        /// Which.
        phase: Phase,
        /// How.
        status: Status,
        /// Seconds.
        duration: f64,
    },
    /// The run ended with a result.
    Finished {
        /// How.
        status: Status,
        /// Exit code, if it exited.
        exit_code: Option<i32>,
        /// Seconds, all phases and the sandbox around them.
        duration: f64,
        /// What the run phase used.
        usage: Usage,
        /// The protection level that held.
        level: crate::Level,
        /// Every protection and its state.
        #[serde(default)]
        enforcement: Enforcement,
        /// What it tried and was refused.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        violations: Vec<Violation>,
        /// The files that were brought back.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        files: Vec<FileWritten>,
    },
    /// Formicary failed; there is no result.
    Failed {
        /// The failure's kind.
        kind: crate::FailureKind,
        /// Its message.
        message: String,
    },
}

impl EventKind {
    /// The end of a run with this result, which took so many seconds in all.
    pub fn finished(result: &ExecutionResult, seconds: f64) -> Self {
        Self::Finished {
            status: result.status,
            exit_code: result.exit_code,
            duration: seconds,
            usage: result.usage.clone(),
            level: result.enforcement.level,
            enforcement: result.enforcement.clone(),
            violations: result.violations.clone(),
            files: result.artifacts.iter().map(FileWritten::from).collect(),
        }
    }
}

/// Under which limits and which policy a program runs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Terms {
    /// Its limits.
    pub limits: Limits,
    /// The network that it sees.
    pub network: Network,
    /// How much protection must hold.
    pub assurance: Assurance,
    /// Host folders and files that it sees.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mounts: Vec<Mount>,
    /// The image that it sees in the place of the host's files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// Packages that it may import.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub packages: Vec<String>,
}

impl Terms {
    /// What a request asks for, with the limits that hold.
    pub fn new(request: &ExecutionRequest, limits: &Limits) -> Self {
        Self {
            limits: limits.clone(),
            network: request.network.clone(),
            assurance: request.assurance,
            mounts: request.mounts.clone(),
            image: request.image.clone(),
            packages: request.packages.requirements.clone(),
        }
    }
}

/// A file that was brought back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileWritten {
    /// Path relative to the working folder.
    pub path: String,
    /// Its size in bytes.
    pub size: u64,
}

impl From<&Artifact> for FileWritten {
    fn from(artifact: &Artifact) -> Self {
        Self { path: artifact.path.clone(), size: artifact.size }
    }
}

/// Something around the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Waiting for a turn.
    Queue,
    /// Checking the request and planning what to do.
    Guard,
    /// Making the sandbox, up to the program's start.
    Sandbox,
    /// Bringing back files and taking the sandbox apart.
    Collect,
}

impl Step {
    /// The word on the wire.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Queue => "queue",
            Self::Guard => "guard",
            Self::Sandbox => "sandbox",
            Self::Collect => "collect",
        }
    }
}

/// A part of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Packages being installed.
    Install,
    /// The compiler.
    Compile,
    /// The program.
    Run,
}

/// Where output went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// Someone who wants to hear of events. Called from the thread that runs the program: be quick.
pub trait Observer: Send + Sync {
    /// One event.
    fn event(&self, event: &Event);

    /// Whether somebody reads a program's output while it runs. Its runtime then writes each line as it comes, which takes longer
    /// for large outputs.
    fn reads_along(&self) -> bool {
        false
    }

    /// An event of one of many runs that serve one purpose: to be accounted for, not to be shown.
    fn aside(&self, event: &Event) {
        self.event(event);
    }

    /// How far a use case has come, besides the events of its runs.
    fn progress(&self, _progress: &Progress) {}

    /// A part of a use case's output that is ready before the whole.
    fn part(&self, _name: &'static str, _part: &serde_json::Value) {}
    /// A step of the agent.
    fn step(&self, step: &AgentStep) {
        if let Some(what) = step.what() {
            self.progress(&Progress::step(what));
        }
    }
}

/// How far work has come: the one form in which every use case reports it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Progress {
    /// What is being done, in the words of a sentence: `judging candidates`.
    pub what: String,
    /// How much of it is done; 0 where nothing is counted.
    pub done: u64,
    /// How much there is; 0 where nobody knows.
    pub total: u64,
}

impl Progress {
    /// Something new is being done.
    pub fn step(what: impl Into<String>) -> Self {
        Self { what: what.into(), done: 0, total: 0 }
    }

    /// So much of it is done.
    pub fn count(what: impl Into<String>, done: usize, total: usize) -> Self {
        Self { what: what.into(), done: done as u64, total: total as u64 }
    }
}

/// Nobody listens.
impl Observer for () {
    fn event(&self, _event: &Event) {}
}

impl<F: Fn(&Event) + Send + Sync> Observer for F {
    fn event(&self, event: &Event) {
        self(event);
    }
}
