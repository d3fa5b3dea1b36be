//! What can go wrong between machines, and how the doors tell it.

use formicary_model::failure::code;
use formicary_model::{Failure, FailureKind};

/// Why something could not be done by the cluster.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ClusterError {
    /// A setting, a name or a request is wrong.
    #[error("{message}")]
    Invalid {
        /// What is wrong with which input.
        message: String,
        /// The remedy.
        hint: String,
    },
    /// There is no way to the queue.
    #[error("the queue at {address} cannot be reached: {why}")]
    Unreachable {
        /// Its address, without secrets.
        address: String,
        /// What the connection said.
        why: String,
    },
    /// The queue did not do what it was asked for.
    #[error("the queue could not {what}: {why}")]
    Queue {
        /// What it was asked for.
        what: &'static str,
        /// What it said.
        why: String,
    },
    /// Nobody is there who could run it.
    #[error("no worker can run {needs}")]
    NoWorker {
        /// What the job needs.
        needs: String,
        /// What the workers that are there offer.
        offered: String,
    },
    /// The worker that held a session is gone, and the session with it.
    #[error("session_lost: worker {worker} that held session {session} is gone, and its state with it")]
    SessionLost {
        /// The session.
        session: String,
        /// The worker that made it.
        worker: String,
    },
    /// A worker holds a session of this name already.
    #[error("session {session:?} is there already")]
    SessionTaken {
        /// The name that was requested.
        session: String,
    },
    /// No worker holds a session of this name.
    #[error("there is no session {session:?} in the cluster")]
    NoSession {
        /// The name that was asked for.
        session: String,
    },
    /// Formicary's own failure, here or on the worker.
    #[error(transparent)]
    Failed(#[from] Failure),
}

impl ClusterError {
    /// A wrong input, with the remedy.
    pub fn invalid(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Invalid { message: message.into(), hint: hint.into() }
    }

    /// The word by which programs tell the cases apart.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Invalid { .. } => "invalid_input",
            Self::Unreachable { .. } => "queue_unreachable",
            Self::Queue { .. } => "queue_failed",
            Self::NoWorker { .. } => "no_worker",
            Self::SessionLost { .. } => "session_lost",
            Self::SessionTaken { .. } => "session_taken",
            Self::NoSession { .. } => "no_session",
            Self::Failed(_) => "failed",
        }
    }
}

/// An adapter for `map_err`: what was asked for, and whatever the queue's client said.
pub(crate) fn refused<E: std::fmt::Display>(what: &'static str) -> impl Fn(E) -> ClusterError {
    move |error| ClusterError::Queue { what, why: error.to_string() }
}

impl From<ClusterError> for Failure {
    fn from(error: ClusterError) -> Self {
        let message = error.to_string();
        match error {
            ClusterError::Failed(failure) => failure,
            ClusterError::Invalid { hint, .. } => Self::new(FailureKind::InvalidInput, message).hint(hint),
            ClusterError::Unreachable { .. } => Self::new(FailureKind::Internal, message)
                .hint("start nats-server with JetStream (-js), and check address, credentials and TLS files"),
            ClusterError::Queue { .. } => Self::new(FailureKind::Internal, message)
                .hint("look at the NATS server: is JetStream on, is its disk full, may this user use it?"),
            ClusterError::NoWorker { offered, .. } => Self::new(FailureKind::ToolchainMissing, message)
                .hint(format!("start one with `formicary worker --cluster URL`; {offered}")),
            ClusterError::SessionLost { .. } => Self::new(FailureKind::Internal, message)
                .code(code::LOST_SESSION)
                .hint("make a new session; what must outlive a machine belongs into files of the caller"),
            ClusterError::SessionTaken { .. } => Self::new(FailureKind::InvalidInput, message)
                .code(code::TAKEN_SESSION)
                .hint("choose another name, or close it first"),
            ClusterError::NoSession { .. } => Self::new(FailureKind::InvalidInput, message)
                .code(code::UNKNOWN_SESSION)
                .hint("make it first; one that was idle too long is gone"),
        }
    }
}
