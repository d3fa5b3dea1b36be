//! What can go wrong on our side of a sandbox.

use formicary_model::{Failure, FailureKind, Level};
use std::io;

/// The sandbox failed. The program's own failures are outcomes, not errors.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// A step of the confinement failed.
    #[error("sandbox step \"{step}\" failed: {source}")]
    Step {
        /// The step, with what it was done to.
        step: String,
        /// The system's word.
        source: io::Error,
    },
    /// The host lacks a protection that the caller insists on.
    #[error("this host reaches protection level {reached}, {wanted} is required: {missing}")]
    LevelNotReached {
        /// What would hold.
        reached: Level,
        /// What was asked for.
        wanted: Level,
        /// The protections that are missing or watched, with reasons.
        missing: String,
    },
    /// The program to run does not exist inside.
    #[error("program {program:?} cannot be started in the sandbox: {source}")]
    ProgramNotStarted {
        /// What was to run.
        program: String,
        /// The system's word.
        source: io::Error,
    },
    /// The provider is not available on this host.
    #[error("provider {provider} is not available: {why}")]
    Unavailable {
        /// Which.
        provider: &'static str,
        /// Why, with the remedy.
        why: String,
        /// What to do.
        hint: String,
    },
    /// The job itself is malformed.
    #[error("{0}")]
    InvalidJob(String),
    /// The caller cancelled.
    #[error("cancelled")]
    Cancelled,
}

impl SandboxError {
    /// A step's failure from its errno.
    pub fn step(step: impl Into<String>, source: io::Error) -> Self {
        Self::Step { step: step.into(), source }
    }
}

impl From<SandboxError> for Failure {
    fn from(error: SandboxError) -> Self {
        let message = error.to_string();
        match error {
            SandboxError::Step { ref step, ref source } => {
                Self::new(FailureKind::SandboxFailed, message).hint(remedy(step, source))
            }
            SandboxError::LevelNotReached { .. } => Self::new(FailureKind::IsolationUnavailable, message)
                .hint("`formicary doctor` tells how to get it; `--best-effort` runs with what there is"),
            SandboxError::ProgramNotStarted { ref source, .. } => match shortage(source) {
                Some(remedy) => Self::new(FailureKind::SandboxFailed, message).hint(remedy),
                None => Self::new(FailureKind::InvalidInput, message)
                    .hint("give a program that exists inside the sandbox, or mount the folder that holds it"),
            },
            SandboxError::Unavailable { ref hint, .. } => {
                let hint = hint.clone();
                Self::new(FailureKind::IsolationUnavailable, message).hint(hint)
            }
            SandboxError::InvalidJob(_) => Self::new(FailureKind::InvalidInput, message),
            SandboxError::Cancelled => Self::new(FailureKind::Cancelled, message),
        }
    }
}

/// What to do about a step that failed.
fn remedy(step: &str, source: &io::Error) -> &'static str {
    // The kernel's word for too many namespaces is that there is no space.
    let makes_namespaces = step.starts_with("clone3") || step.starts_with("unshare");
    if makes_namespaces && source.kind() == io::ErrorKind::StorageFull {
        return "this host is out of namespaces: run fewer at a time, or raise the limits with `sysctl -w \
                user.max_user_namespaces=10000 user.max_net_namespaces=10000` and the like";
    }
    if let Some(remedy) = shortage(source) {
        return remedy;
    }
    "`formicary doctor` tells what this host offers and what is missing"
}

/// What to do where the host has too little of something to start anything.
fn shortage(source: &io::Error) -> Option<&'static str> {
    match source.kind() {
        // The kernel's word for too many processes is that one should try again.
        io::ErrorKind::WouldBlock => Some(
            "this host is out of processes: run fewer at a time, or raise `ulimit -u` and the `pids.max` of this cgroup",
        ),
        io::ErrorKind::OutOfMemory => {
            Some("this host is out of memory: run fewer at a time, or give this process's cgroup more of it")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_host_lacks_is_named() {
        let started = |errno| SandboxError::ProgramNotStarted {
            program: "x".into(),
            source: io::Error::from_raw_os_error(errno),
        };
        let step = |step: &str, errno| SandboxError::step(step, io::Error::from_raw_os_error(errno));
        for (error, hint) in [
            (step("clone3", libc::ENOSPC), "out of namespaces"),
            (step("clone3", libc::EAGAIN), "out of processes"),
            (step("start the jail", libc::ENOMEM), "out of memory"),
            (started(libc::EAGAIN), "out of processes"),
            (started(libc::ENOMEM), "out of memory"),
            (started(libc::ENOENT), "exists inside"),
            (step("mount", libc::EPERM), "doctor"),
        ] {
            let told = Failure::from(error);
            assert!(told.hint.as_ref().is_some_and(|said| said.contains(hint)), "{told:?}");
        }
    }
}
