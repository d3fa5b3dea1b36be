//! The way to the session server, which is started where it does not run.

use crate::place::Place;
use crate::wire::{self, Answer, Ask, Asked, VERSION};
use formicary_execution::guard::validate_session_id;
use formicary_model::failure::code;
use formicary_model::{
    Artifact, CellRequest, CellResult, Failure, FailureKind, SessionFile, SessionInfo, SessionRequest,
    SourceFile, Stream,
};
use formicary_sandbox::service;
use std::io;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How long a server may take to listen.
const START: Duration = Duration::from_secs(20);
const PAUSE: Duration = Duration::from_millis(10);

/// Hears output as it comes.
pub type Watch<'a> = dyn FnMut(Stream, &[u8]) + Send + 'a;

/// How the server is started.
#[derive(Debug, Clone)]
pub struct ServerStart {
    /// This program, absolute.
    pub program: PathBuf,
    /// The words that make it the server.
    pub arguments: Vec<String>,
    /// Its whole environment, as `NAME=value`.
    pub environment: Vec<String>,
}

/// Speaks to the server.
pub struct SessionClient {
    place: Place,
    start: ServerStart,
}

impl SessionClient {
    /// A client of the server at `place`.
    pub fn new(place: Place, start: ServerStart) -> Self {
        Self { place, start }
    }

    /// Makes a session.
    pub fn create(&self, request: SessionRequest) -> Result<SessionInfo, Failure> {
        match self.ask(Ask::Create(Box::new(request)))? {
            Answer::Session(info) => Ok(info),
            _ => Err(nonsense()),
        }
    }

    /// Runs a cell, its output shown to `watch` as it comes, where that is wanted.
    pub fn run(
        &self,
        id: &str,
        cell: CellRequest,
        watch: Option<&mut Watch<'_>>,
    ) -> Result<CellResult, Failure> {
        let ask = Ask::Run { id: id.into(), cell, watch: watch.is_some() };
        match self.of(id, ask, watch)? {
            Answer::Cell(result) => Ok(*result),
            _ => Err(nonsense()),
        }
    }

    /// Interrupts the cell that runs; whether one did.
    pub fn interrupt(&self, id: &str) -> Result<bool, Failure> {
        match self.of(id, Ask::Interrupt { id: id.into() }, None)? {
            Answer::Interrupted(running) => Ok(running),
            _ => Err(nonsense()),
        }
    }

    /// The files of a session.
    pub fn files(&self, id: &str) -> Result<Vec<SessionFile>, Failure> {
        match self.of(id, Ask::Files { id: id.into() }, None)? {
            Answer::Files(files) => Ok(files),
            _ => Err(nonsense()),
        }
    }

    /// Writes files into a session.
    pub fn put(&self, id: &str, files: Vec<SourceFile>) -> Result<(), Failure> {
        self.done(id, Ask::Put { id: id.into(), files })
    }

    /// Reads a file of a session.
    pub fn get(&self, id: &str, path: &str) -> Result<Artifact, Failure> {
        match self.of(id, Ask::Get { id: id.into(), path: path.into() }, None)? {
            Answer::File(file) => Ok(file),
            _ => Err(nonsense()),
        }
    }

    /// Removes files of a session.
    pub fn remove(&self, id: &str, paths: Vec<String>) -> Result<(), Failure> {
        self.done(id, Ask::Remove { id: id.into(), paths })
    }

    /// All sessions. No server is started for that: where none runs, there is no session.
    pub fn list(&self) -> Result<Vec<SessionInfo>, Failure> {
        match self.try_ask(&Ask::List, None) {
            Ok(Answer::Sessions(sessions)) => Ok(sessions),
            Ok(Answer::Failed(failure)) => Err(failure),
            Ok(_) => Err(nonsense()),
            Err(error) if is_absent(&error) => Ok(Vec::new()),
            Err(error) => Err(unreachable(&error)),
        }
    }

    /// Forgets a session's state and keeps its files.
    pub fn reset(&self, id: &str) -> Result<(), Failure> {
        self.done(id, Ask::Reset { id: id.into() })
    }

    /// Ends a session.
    pub fn close(&self, id: &str) -> Result<(), Failure> {
        self.done(id, Ask::Close { id: id.into() })
    }

    fn done(&self, id: &str, ask: Ask) -> Result<(), Failure> {
        match self.of(id, ask, None)? {
            Answer::Done => Ok(()),
            _ => Err(nonsense()),
        }
    }

    /// Asks about a session that is there. No server is started for that: where none runs, there is no session.
    fn of(&self, id: &str, ask: Ask, watch: Option<&mut Watch<'_>>) -> Result<Answer, Failure> {
        match self.try_ask(&ask, watch) {
            Ok(Answer::Failed(failure)) => Err(failure),
            Ok(answer) => Ok(answer),
            Err(error) if is_absent(&error) => {
                validate_session_id(id)?;
                let failure = Failure::new(FailureKind::InvalidInput, format!("there is no session {id:?}"))
                    .code(code::UNKNOWN_SESSION);
                Err(failure.hint("there is none at all; `formicary session new LANG` makes one"))
            }
            Err(error) => Err(unreachable(&error)),
        }
    }

    /// Asks, and starts the server where none runs.
    fn ask(&self, ask: Ask) -> Result<Answer, Failure> {
        let deadline = Instant::now() + START;
        let mut started = None;
        loop {
            match self.try_ask(&ask, None) {
                Ok(Answer::Failed(failure)) => return Err(failure),
                Ok(answer) => return Ok(answer),
                Err(error) if !is_absent(&error) => return Err(unreachable(&error)),
                Err(error) if Instant::now() >= deadline => return Err(unreachable(&error)),
                Err(_) => {}
            }
            // One that ends just now makes room for another only when it is gone: it may take a second start.
            let due = started.is_none_or(|at: Instant| at.elapsed() > Duration::from_secs(3));
            if due {
                started = Some(Instant::now());
                self.start_server()?;
            }
            std::thread::sleep(PAUSE);
        }
    }

    fn try_ask(&self, ask: &Ask, mut watch: Option<&mut Watch<'_>>) -> io::Result<Answer> {
        let mut stream = UnixStream::connect(self.place.socket())?;
        wire::send(&mut stream, &Asked { version: VERSION.into(), ask: ask.clone() })?;
        loop {
            match (wire::receive(&mut stream)?, &mut watch) {
                (Answer::Output { stream, data }, Some(watch)) => watch(stream, &data),
                (Answer::Output { .. }, None) => {}
                (answer, _) => return Ok(answer),
            }
        }
    }

    fn start_server(&self) -> Result<(), Failure> {
        let program = self.start.program.to_string_lossy();
        let arguments: Vec<&str> = self.start.arguments.iter().map(String::as_str).collect();
        service::start_detached(&program, &arguments, &self.start.environment).map_err(|error| {
            Failure::new(
                FailureKind::Internal,
                format!("the session server {program} cannot be started: {error}"),
            )
        })
    }
}

/// Nobody listens: never begun, or ended before it took the question.
fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused)
}

fn unreachable(error: &io::Error) -> Failure {
    Failure::new(FailureKind::Internal, format!("the session server does not answer: {error}"))
        .hint("try again; if it was killed, its sessions are gone")
}

fn nonsense() -> Failure {
    Failure::new(FailureKind::Internal, "the session server gave another answer than was asked for")
}
