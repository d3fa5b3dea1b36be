//! A job and what came of it, as they lie on the queue.

use crate::class::Class;
use crate::error::ClusterError;
use crate::judging::Judging;
use formicary_model::{
    Caller, ExecutionRequest, ExecutionResult, Failure, FailureKind, JudgeResult, Network,
};
use formicary_platform::ids;
use serde::{Deserialize, Serialize};

/// One job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// Names it; who submits the same name twice has submitted one job.
    pub id: String,
    /// What to run.
    pub request: ExecutionRequest,
    /// The cases, where it is judged and not only run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judging: Option<Box<Judging>>,
    /// Who asked for it, as whoever put it on the queue says: for the worker's monitors and audit log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caller: Option<Caller>,
    /// Where to say that there is a result. Only a hint: the result itself is what counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notify: Option<String>,
}

impl Job {
    /// A job with a name of its own.
    pub fn new(request: ExecutionRequest) -> Result<Self, ClusterError> {
        Ok(Self::named(new_id("j")?, request))
    }

    /// A job of this name.
    pub fn named(id: impl Into<String>, request: ExecutionRequest) -> Self {
        Self { id: id.into(), request, judging: None, caller: None, notify: None }
    }

    /// Whether another machine can run it, its checker too.
    pub fn check(&self) -> Result<(), ClusterError> {
        check_portable(&self.request)?;
        let checker = self.judging.as_ref().and_then(|judging| judging.checker.as_ref());
        checker.map_or(Ok(()), |checker| check_portable(checker))
    }

    /// The class in whose line it waits, if the job is one that another machine can run.
    pub fn class(&self) -> Result<Class, ClusterError> {
        check_id(&self.id)?;
        self.check()?;
        Class::of(&self.request)
    }
}

/// What came of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The job.
    pub job: String,
    /// Who ran it, or who cancelled it or gave it up.
    pub worker: String,
    /// Which attempt it was, from 1; 0 where it was never started.
    pub attempt: u64,
    /// The result, or why there is none.
    pub ended: Ended,
}

/// How a job ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// It was run.
    Result(Box<ExecutionResult>),
    /// It was judged.
    Judged(Box<JudgeResult>),
    /// Formicary failed.
    Failure(Failure),
}

impl Outcome {
    /// The outcome of a job that was cancelled.
    pub fn cancelled(job: &str) -> Self {
        let failure = Failure::new(FailureKind::Cancelled, format!("job {job} was cancelled"));
        Self { job: job.to_owned(), worker: String::new(), attempt: 0, ended: Ended::Failure(failure) }
    }

    /// As a caller of the library has it.
    pub fn into_result(self) -> Result<ExecutionResult, Failure> {
        match self.ended {
            Ended::Result(result) => Ok(*result),
            Ended::Judged(_) => Err(other(&self.job, "judged, and was only to be run")),
            Ended::Failure(failure) => Err(failure),
        }
    }

    /// The same for one that was judged.
    pub fn into_judged(self) -> Result<JudgeResult, Failure> {
        match self.ended {
            Ended::Judged(result) => Ok(*result),
            Ended::Result(_) => Err(other(&self.job, "only run: its worker is too old to judge")),
            Ended::Failure(failure) => Err(failure),
        }
    }
}

fn other(job: &str, what: &str) -> Failure {
    Failure::new(FailureKind::Internal, format!("job {job} was {what}"))
}

/// A name of a job or of a worker: short, and fit to be a key.
pub fn check_id(id: &str) -> Result<(), ClusterError> {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if id.is_empty() || id.len() > 64 || !id.chars().all(fits) {
        let shown: String = id.chars().take(70).collect();
        return Err(ClusterError::invalid(
            format!("the name {shown:?} is not 1 to 64 letters, digits, - and _"),
            "choose another name, or leave it out",
        ));
    }
    Ok(())
}

/// A new name with this letter in front.
pub fn new_id(letter: &str) -> Result<String, ClusterError> {
    let random = ids::random::<12>();
    random
        .map(|random| format!("{letter}{random}"))
        .map_err(|failure| ClusterError::Queue { what: "make a name", why: failure.message })
}

/// Paths of the caller's machine mean nothing on another, or something that nobody wanted; a worker's network is its
/// operator's. Both ends check.
pub fn check_portable(request: &ExecutionRequest) -> Result<(), ClusterError> {
    let refused = [
        ("mounts", !request.mounts.is_empty() || !request.insist_on_mounts.is_empty()),
        ("a venv", request.venv.is_some()),
        ("a file of this machine", request.path.is_some()),
        ("the host's network", request.network == Network::Host),
    ];
    match refused.iter().find(|(_, wanted)| *wanted) {
        Some((what, _)) => Err(ClusterError::invalid(
            format!("the request wants {what}, which a job on another machine cannot have"),
            "send files with the request, name packages, or run it on this machine",
        )),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use formicary_model::{Environment, Mount};

    #[test]
    fn names_are_new_and_fit() {
        let (one, two) = (new_id("j").unwrap(), new_id("j").unwrap());
        assert_ne!(one, two);
        check_id(&one).unwrap();
        for bad in ["", "a.b", "a b", "*", "../x", &"a".repeat(65)] {
            assert!(check_id(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn what_cannot_travel_is_refused() {
        let mount = Mount { host: "/etc".into(), guest: "/etc2".into(), access: Default::default() };
        let cases = [
            ExecutionRequest {
                environment: Environment { mounts: vec![mount], ..Environment::default() },
                ..Default::default()
            },
            ExecutionRequest {
                environment: Environment { venv: Some("/venv".into()), ..Environment::default() },
                ..Default::default()
            },
            ExecutionRequest {
                environment: Environment { network: Network::Host, ..Environment::default() },
                ..Default::default()
            },
            ExecutionRequest { path: Some("main.py".into()), ..Default::default() },
        ];
        for request in cases {
            assert!(check_portable(&request).is_err(), "{request:?}");
        }
        assert!(check_portable(&ExecutionRequest::default()).is_ok());
    }
}
