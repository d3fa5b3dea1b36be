//! A session asked for whatever it can do, wherever it is: in this process or with another machine.

use formicary_execution::sessions::SessionManager;
use formicary_model::failure::code;
use formicary_model::{
    Artifact, Caller, CellRequest, CellResult, Failure, FailureKind, SessionFile, SessionInfo,
    SessionRequest, SourceFile,
};
use serde::{Deserialize, Serialize};

/// What a session can be asked.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionCall {
    /// Make one.
    Create(Box<SessionRequest>),
    /// Run a cell.
    Run(String, CellRequest),
    /// Run a cell of somebody whom a door knows.
    RunAs(String, CellRequest, Caller),
    /// End the cell that runs.
    Interrupt(String),
    /// Forget variables; files stay.
    Reset(String),
    /// Which files are there.
    Files(String),
    /// Put files.
    Put(String, Vec<SourceFile>),
    /// Get one file.
    Get(String, String),
    /// Remove one file.
    Remove(String, String),
    /// Tell of itself.
    Info(String),
    /// End it.
    Close(String),
}

/// What it answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionAnswer {
    /// Made, or told of itself.
    Info(SessionInfo),
    /// A cell's result.
    Cell(Box<CellResult>),
    /// Whether something was interrupted.
    Interrupted(bool),
    /// The files.
    Files(Vec<SessionFile>),
    /// One file.
    File(Artifact),
    /// Done.
    Done,
}

impl SessionCall {
    /// The session that is meant, once it is made.
    pub fn session(&self) -> Option<&str> {
        match self {
            Self::Create(_) => None,
            Self::Run(id, _) | Self::RunAs(id, ..) | Self::Interrupt(id) | Self::Reset(id) => Some(id),
            Self::Files(id) | Self::Put(id, _) | Self::Get(id, _) | Self::Remove(id, _) => Some(id),
            Self::Info(id) | Self::Close(id) => Some(id),
        }
    }
}

impl SessionAnswer {
    /// What a session tells of itself.
    pub fn info(self) -> Result<SessionInfo, Failure> {
        if let Self::Info(info) = self { Ok(info) } else { Err(self.unexpected()) }
    }

    /// A cell's result.
    pub fn cell(self) -> Result<CellResult, Failure> {
        if let Self::Cell(result) = self { Ok(*result) } else { Err(self.unexpected()) }
    }

    /// Whether something was interrupted.
    pub fn interrupted(self) -> Result<bool, Failure> {
        if let Self::Interrupted(something) = self { Ok(something) } else { Err(self.unexpected()) }
    }

    /// The files.
    pub fn files(self) -> Result<Vec<SessionFile>, Failure> {
        if let Self::Files(files) = self { Ok(files) } else { Err(self.unexpected()) }
    }

    /// One file.
    pub fn file(self) -> Result<Artifact, Failure> {
        if let Self::File(file) = self { Ok(file) } else { Err(self.unexpected()) }
    }

    /// Nothing but that it is done.
    pub fn done(self) -> Result<(), Failure> {
        if self == Self::Done { Ok(()) } else { Err(self.unexpected()) }
    }

    fn unexpected(&self) -> Failure {
        let kind = match self {
            Self::Info(_) => "of itself",
            Self::Cell(_) => "of a cell",
            Self::Interrupted(_) => "of an interrupt",
            Self::Files(_) | Self::File(_) => "of files",
            Self::Done => "that it is done",
        };
        Failure::new(
            FailureKind::Internal,
            format!("a session was asked for something else and tells {kind}"),
        )
        .hint("do the servers and workers of the cluster have the same version?")
    }
}

/// Whether this says that nobody holds such a session.
pub fn is_no_session(failure: &Failure) -> bool {
    failure.is(code::UNKNOWN_SESSION)
}

/// Whether this says that the machine which held the session is gone, and the session with it.
pub fn is_lost_session(failure: &Failure) -> bool {
    failure.is(code::LOST_SESSION)
}

/// Asks a session of this process. `run` runs a cell: for a caller, where one is named.
pub fn perform(
    all: &SessionManager,
    call: SessionCall,
    run: impl Fn(Option<&Caller>, &str, &CellRequest) -> Result<CellResult, Failure>,
) -> Result<SessionAnswer, Failure> {
    let cell = |result| Ok::<_, Failure>(SessionAnswer::Cell(Box::new(result?)));
    Ok(match call {
        SessionCall::Create(request) => SessionAnswer::Info(all.create(*request)?),
        SessionCall::Run(id, request) => cell(run(None, &id, &request))?,
        SessionCall::RunAs(id, request, caller) => cell(run(Some(&caller), &id, &request))?,
        SessionCall::Interrupt(id) => SessionAnswer::Interrupted(all.find(&id)?.interrupt()),
        SessionCall::Reset(id) => {
            all.find(&id)?.reset()?;
            SessionAnswer::Done
        }
        SessionCall::Files(id) => SessionAnswer::Files(all.find(&id)?.files()?),
        SessionCall::Put(id, files) => {
            all.find(&id)?.put(&files)?;
            SessionAnswer::Done
        }
        SessionCall::Get(id, path) => SessionAnswer::File(all.find(&id)?.get(&path)?),
        SessionCall::Remove(id, path) => {
            all.find(&id)?.remove(&path)?;
            SessionAnswer::Done
        }
        SessionCall::Info(id) => SessionAnswer::Info(all.find(&id)?.info()),
        SessionCall::Close(id) => {
            all.close(&id)?;
            SessionAnswer::Done
        }
    })
}
