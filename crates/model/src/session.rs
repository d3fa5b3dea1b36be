//! Sessions: a sandbox that lives on between cells, and what came of each cell.

use crate::use_case::{Input, Judge, Purpose};
use crate::{CompileResult, Enforcement, Environment, Failure, OutputCounts, SourceFile, Status, Usage};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

/// What a new session is to be. Nothing in it is trusted: the policy of the caller judges it, then the guard checks it.
///
/// Unknown fields are refused where a request is read ([`crate::use_case::read`]): serde cannot do it beside a flattened field.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields, extend("required" = ["language"]))]
pub struct SessionRequest {
    /// The name by which it is called; made up if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// A language's identifier or alias.
    pub language: String,
    /// Where its cells run. Limits hold for the session as far as they bound the sandbox (memory, disk, processes, cores), and
    /// for each cell as far as they bound time and output.
    #[serde(flatten)]
    pub environment: Environment,
    /// Seconds without a cell and without background work after which it ends; the configured time if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idle_seconds: Option<f64>,
    /// Files placed in the working directory at its start.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<SourceFile>,
}

// Most of what a session is asked for is its environment, as with a run.
impl Deref for SessionRequest {
    type Target = Environment;

    fn deref(&self) -> &Environment {
        &self.environment
    }
}

impl DerefMut for SessionRequest {
    fn deref_mut(&mut self) -> &mut Environment {
        &mut self.environment
    }
}

impl Input for SessionRequest {
    fn parts(&mut self, judge: &mut dyn Judge) -> Result<(), Failure> {
        judge.environment(&mut self.environment, Purpose::Run)
    }
}

/// One cell to run in a session.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CellRequest {
    /// The code.
    #[serde(with = "crate::request::bytes")]
    #[schemars(with = "crate::request::bytes::Wire")]
    pub code: Vec<u8>,
    /// Wall-clock time for this cell, in seconds; the session's where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wall_seconds: Option<f64>,
    /// Arguments of the program, for languages without a live interpreter.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Standard input, for languages without a live interpreter.
    #[serde(with = "crate::request::bytes", skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "crate::request::bytes::Wire")]
    pub stdin: Vec<u8>,
}

/// A cell and the session that runs it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields, extend("required" = ["id", "code"]))]
pub struct CellInput {
    /// The session.
    pub id: String,
    /// The cell.
    #[serde(flatten)]
    pub cell: CellRequest,
}

/// Which session is meant.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionId {
    /// The session.
    pub id: String,
}

impl From<&str> for SessionId {
    fn from(id: &str) -> Self {
        Self { id: id.to_owned() }
    }
}

/// Files for a session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PutFilesInput {
    /// The session.
    pub id: String,
    /// The files.
    pub files: Vec<SourceFile>,
}

/// A file of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetFileInput {
    /// The session.
    pub id: String,
    /// The file, relative to the working directory.
    pub path: String,
}

/// Files of a session that are to go.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RemoveFilesInput {
    /// The session.
    pub id: String,
    /// The files, relative to the working directory.
    pub paths: Vec<String>,
}

/// Nothing needs to be said.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoInput {}

/// A session holds nothing of the caller's that a policy bounds: whose it is, its name says.
macro_rules! without_parts {
    ($($input:ty),*) => {$(
        impl Input for $input {
            fn parts(&mut self, _: &mut dyn Judge) -> Result<(), Failure> {
                Ok(())
            }
        }
    )*};
}

without_parts!(CellInput, SessionId, PutFilesInput, GetFileInput, RemoveFilesInput, NoInput);

/// The caller's sessions.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SessionList {
    /// Each of them.
    pub items: Vec<SessionInfo>,
}

/// The files of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileList {
    /// Each of them.
    pub items: Vec<SessionFile>,
}

/// Whether there was something to interrupt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Interrupted {
    /// `false` if nothing ran.
    pub interrupted: bool,
}

/// One object in several forms, by MIME type; images are base64, as notebooks have it.
pub type MimeBundle = BTreeMap<String, String>;

/// An exception that ended a cell.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CellException {
    /// Its type's name.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its message.
    pub message: String,
    /// Where it came from, the outermost call first; the driver's own frames are left out.
    pub frames: Vec<CellFrame>,
    /// The whole, as the language itself would print it.
    pub traceback: String,
}

/// One call on the way to an exception.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CellFrame {
    /// The file, or `<cell 3>`.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
    /// The function.
    pub function: String,
    /// The line's text, where it is known.
    pub text: String,
}

/// What came of one cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CellResult {
    /// The session.
    pub session_id: String,
    /// Names this run in events, logs and the audit trail.
    pub run_id: String,
    /// How many cells the session has run, this one included.
    pub execution_count: u64,
    /// The language's identifier.
    pub language: String,
    /// How it ended. An exception is `nonzero_exit`, an interrupt by the caller `signaled` by signal 2.
    pub status: Status,
    /// Standard output since the cell before, background work's included.
    pub stdout: String,
    /// Standard error, likewise.
    pub stderr: String,
    /// The last expression's value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<MimeBundle>,
    /// What was displayed, figures among it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub displays: Vec<MimeBundle>,
    /// The exception that ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exception: Option<CellException>,
    /// Exit code, where there is one.
    pub exit_code: Option<i32>,
    /// The signal's number, if one ended it.
    pub signal: Option<i32>,
    /// Seconds.
    pub duration: f64,
    /// CPU time of this cell; peaks are the session's.
    pub usage: Usage,
    /// Whether stdout or stderr was cut in the middle.
    pub truncated: bool,
    /// How much was written and left out.
    pub output: OutputCounts,
    /// Whether variables, functions and the like are gone. Files are kept.
    pub state_lost: bool,
    /// The compile step, for languages that have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compile: Option<CompileResult>,
    /// Which protections held.
    pub enforcement: Enforcement,
    /// One sentence for people; absent on success.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_message: Option<String>,
}

/// A session as it is listed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SessionInfo {
    /// The name by which it is called.
    pub id: String,
    /// The language's identifier.
    pub language: String,
    /// What it is doing.
    pub state: SessionState,
    /// Cells run so far.
    pub execution_count: u64,
    /// Whether the interpreter's state lives on between cells.
    pub keeps_state: bool,
    /// Seconds since it was made.
    pub age: f64,
    /// Seconds since anything happened in it.
    pub idle: f64,
    /// Largest memory so far, in bytes.
    pub memory: Option<u64>,
    /// The isolation provider.
    pub provider: String,
}

/// What a session is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SessionState {
    /// Waiting for a cell.
    Ready,
    /// Running one.
    Running,
}

impl SessionState {
    /// The word on the wire.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Running => "running",
        }
    }
}

/// A file in a session's working folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionFile {
    /// Path relative to the working folder; bytes that are not UTF-8 are replaced.
    pub path: String,
    /// Its size in bytes.
    pub size: u64,
    /// Whether its owner may execute it.
    pub executable: bool,
}
