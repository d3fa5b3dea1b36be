//! What came of a run. A failing program is a result; a failing Formicary is a [`crate::Failure`].

use crate::{Artifact, Enforcement, SkippedArtifact, Violation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How the program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Exit code 0.
    Success,
    /// The compiler refused it; nothing ran.
    CompileError,
    /// It ended by itself with another exit code.
    NonzeroExit,
    /// A signal that it raised itself ended it.
    Signaled,
    /// The wall clock ran out.
    Timeout,
    /// Its CPU time ran out.
    CpuLimit,
    /// It wanted more memory than it may have.
    MemoryLimit,
    /// It wanted more processes or threads than it may have, and failed.
    ProcessLimit,
    /// It wanted more disk or larger files than it may have, and failed.
    DiskLimit,
    /// It wrote more than it may.
    OutputLimit,
    /// It tried what the sandbox refuses, and failed.
    Denied,
}

crate::words!(Status {
    Success => "success",
    CompileError => "compile_error",
    NonzeroExit => "nonzero_exit",
    Signaled => "signaled",
    Timeout => "timeout",
    CpuLimit => "cpu_limit",
    MemoryLimit => "memory_limit",
    ProcessLimit => "process_limit",
    DiskLimit => "disk_limit",
    OutputLimit => "output_limit",
    Denied => "denied",
});

/// What the run used. `None`: could not be measured on this host.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    /// CPU seconds in user mode.
    pub cpu_user: f64,
    /// CPU seconds in the kernel.
    pub cpu_system: f64,
    /// Largest memory of all processes together, in bytes.
    pub memory_peak: Option<u64>,
    /// Bytes read from storage.
    pub io_read: Option<u64>,
    /// Bytes written to storage.
    pub io_write: Option<u64>,
    /// Most processes and threads at one time.
    pub processes_peak: Option<u64>,
}

/// How much the program wrote, whatever was kept of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OutputCounts {
    /// Bytes written to stdout.
    pub stdout_bytes: u64,
    /// Bytes written to stderr.
    pub stderr_bytes: u64,
    /// Bytes of stdout left out between head and tail.
    pub stdout_omitted: u64,
    /// Bytes of stderr left out between head and tail.
    pub stderr_omitted: u64,
}

/// What the compile step said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CompileResult {
    /// `success`, or how the compiler ended.
    pub status: Status,
    /// Compiler's stdout.
    pub stdout: String,
    /// Compiler's stderr.
    pub stderr: String,
    /// Exit code, if it exited.
    pub exit_code: Option<i32>,
    /// Seconds.
    pub duration: f64,
    /// What it used.
    pub usage: Usage,
    /// Whether the artefacts came from the compile cache.
    pub cached: bool,
}

/// The result of one execution.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExecutionResult {
    /// Names this run in events, logs and the audit trail.
    pub run_id: String,
    /// The language's identifier.
    pub language: String,
    /// How it ended.
    pub status: Status,
    /// Standard output; bytes that are not UTF-8 are replaced here and whole in `stdout_base64`.
    pub stdout: String,
    /// Standard error, likewise.
    pub stderr: String,
    /// The exact bytes, present only where `stdout` could not hold them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdout_base64: Option<String>,
    /// The exact bytes, present only where `stderr` could not hold them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr_base64: Option<String>,
    /// Exit code, if the program exited.
    pub exit_code: Option<i32>,
    /// The signal's number, if one ended it.
    pub signal: Option<i32>,
    /// Seconds from the program's start to its end.
    pub duration: f64,
    /// What it used.
    pub usage: Usage,
    /// Whether stdout or stderr was cut in the middle.
    pub truncated: bool,
    /// How much was written and left out.
    pub output: OutputCounts,
    /// The compile step, for languages that have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compile: Option<CompileResult>,
    /// Which protections held.
    pub enforcement: Enforcement,
    /// What the program tried and was refused.
    pub violations: Vec<Violation>,
    /// Files brought back.
    pub artifacts: Vec<Artifact>,
    /// Files that were asked for and could not be brought back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped_artifacts: Vec<SkippedArtifact>,
    /// One sentence for people; absent on success.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_message: Option<String>,
}

impl ExecutionResult {
    /// Whether the program ended with exit code 0.
    pub fn success(&self) -> bool {
        self.status == Status::Success
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wire_word_is_the_displayed_word() {
        for status in Status::ALL {
            assert_eq!(serde_json::to_string(&status).unwrap(), format!("\"{status}\""));
        }
    }
}
