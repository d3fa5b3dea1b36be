//! What happens while a run goes on. Monitoring consumes these and nothing else.

use crate::{Status, Usage};
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
    /// The guard let it in.
    Accepted {
        /// The language's identifier.
        language: String,
        /// The isolation provider.
        provider: String,
        /// Bytes of code.
        code_bytes: u64,
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
        #[schemars(with = "String")]
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
    },
    /// Formicary failed; there is no result.
    Failed {
        /// The failure's kind.
        kind: crate::FailureKind,
        /// Its message.
        message: String,
    },
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
