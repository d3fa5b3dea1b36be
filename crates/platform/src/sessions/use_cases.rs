//! Sessions as use cases: every front end makes, drives and ends them by these, wherever they are.
//!
//! Inside, names of all callers stand beside each other; each caller knows its own ([`SessionNames`]).

use super::{SessionAnswer, SessionCall};
use crate::facade::Platform;
use crate::keys::Scope;
use crate::use_case::{Context, Effect, Route, UseCase};
use formicary_model::{
    Artifact, CellInput, CellResult, Event, EventKind, Failure, FailureKind, FileList, GetFileInput,
    Interrupted, NoInput, Phase, PutFilesInput, RemoveFilesInput, SessionId, SessionInfo, SessionList,
    SessionRequest, Stream,
};
use formicary_sessions::SessionNames;
use std::time::Duration;

/// Between two looks at whether a caller has cancelled, and between two interrupts.
const LOOK_EVERY: Duration = Duration::from_millis(5);
const INTERRUPT_EVERY: Duration = Duration::from_millis(50);

/// A use case of sessions: all need the same scope, and their HTTP routes have methods and names in the path.
macro_rules! session_use_case {
    ($(#[$about:meta])* $case:ident, $name:literal, $path:literal, $line:literal, $effect:ident, $input:ty => $output:ty, $run:expr) => {
        $(#[$about])*
        pub struct $case;

        impl UseCase for $case {
            const NAME: &'static str = $name;
            const PATH: &'static str = $path;
            const ROUTE: Route = Route::Resource;
            const ABOUT: &'static str = $line;
            const SCOPE: Option<Scope> = Some(Scope::Execute);
            const EFFECT: Effect = Effect::$effect;
            type Input = $input;
            type Output = $output;

            fn run(platform: &Platform, context: &Context<'_>, input: $input) -> Result<$output, Failure> {
                $run(platform, context, input)
            }
        }
    };
}

session_use_case!(
    /// Makes a session.
    CreateSession, "session.create", "/v1/sessions", "Start a session", Fetches,
    SessionRequest => SessionInfo, create
);
session_use_case!(
    /// Runs a cell in a session.
    RunCell, "session.run", "/v1/sessions/{id}/cells", "Run a cell in a session", Runs,
    CellInput => CellResult, run_cell
);
session_use_case!(
    /// Lists the caller's sessions.
    ListSessions, "session.list", "/v1/sessions", "List the sessions", Reads,
    NoInput => SessionList, |platform: &Platform, context: &Context<'_>, _| {
        let names = context.policy.sessions();
        let all = platform.sessions_named(names.prefix())?.into_iter();
        Ok(SessionList { items: all.filter_map(|info| names.outside(info)).collect() })
    }
);
session_use_case!(
    /// What a session tells of itself.
    ShowSession, "session.show", "/v1/sessions/{id}", "Show a session", Reads,
    SessionId => SessionInfo, |platform, context: &Context<'_>, input: SessionId| {
        let info = ask(platform, context, &input.id, SessionCall::Info, SessionAnswer::info)?;
        Ok(SessionInfo { id: input.id, ..info })
    }
);
session_use_case!(
    /// Interrupts the cell that runs; state is kept.
    InterruptSession, "session.interrupt", "/v1/sessions/{id}/interrupt", "Interrupt the cell that runs", Settles,
    SessionId => Interrupted, |platform, context, input: SessionId| {
        let interrupted = ask(platform, context, &input.id, SessionCall::Interrupt, SessionAnswer::interrupted)?;
        Ok(Interrupted { interrupted })
    }
);
session_use_case!(
    /// Forgets variables; files stay.
    ResetSession, "session.reset", "/v1/sessions/{id}/reset", "Forget the variables of a session", Discards,
    SessionId => (), |platform, context, input: SessionId| {
        ask(platform, context, &input.id, SessionCall::Reset, SessionAnswer::done)
    }
);
session_use_case!(
    /// Ends a session.
    CloseSession, "session.close", "/v1/sessions/{id}", "End a session", Discards,
    SessionId => (), |platform, context, input: SessionId| {
        ask(platform, context, &input.id, SessionCall::Close, SessionAnswer::done)
    }
);
session_use_case!(
    /// Lists the files of a session.
    ListFiles, "session.files", "/v1/sessions/{id}/files", "List the files of a session", Reads,
    SessionId => FileList, |platform, context, input: SessionId| {
        let items = ask(platform, context, &input.id, SessionCall::Files, SessionAnswer::files)?;
        Ok(FileList { items })
    }
);
session_use_case!(
    /// Writes files into a session.
    PutFiles, "session.put", "/v1/sessions/{id}/files/{*path}", "Write files into a session", Settles,
    PutFilesInput => (), |platform, context, input: PutFilesInput| {
        ask(platform, context, &input.id, |name| SessionCall::Put(name, input.files), SessionAnswer::done)
    }
);
session_use_case!(
    /// Reads a file of a session.
    GetFile, "session.get", "/v1/sessions/{id}/files/{*path}", "Read a file of a session", Reads,
    GetFileInput => Artifact, |platform, context, input: GetFileInput| {
        ask(platform, context, &input.id, |name| SessionCall::Get(name, input.path), SessionAnswer::file)
    }
);
session_use_case!(
    /// Removes files of a session.
    RemoveFiles, "session.remove", "/v1/sessions/{id}/files/{*path}", "Remove files of a session", Discards,
    RemoveFilesInput => (), |platform, context, input: RemoveFilesInput| {
        for path in input.paths {
            ask(platform, context, &input.id, |name| SessionCall::Remove(name, path), SessionAnswer::done)?;
        }
        Ok(())
    }
);

/// Asks the caller's session of this name.
fn ask<T>(
    platform: &Platform,
    context: &Context<'_>,
    id: &str,
    call: impl FnOnce(String) -> SessionCall,
    read: impl FnOnce(SessionAnswer) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let names = context.policy.sessions();
    let answer = platform.session(call(names.inside(id)?)).and_then(read);
    answer.map_err(|failure| names.explain(id, failure))
}

fn create(
    platform: &Platform,
    context: &Context<'_>,
    mut request: SessionRequest,
) -> Result<SessionInfo, Failure> {
    let names = context.policy.sessions();
    let id = names.new_name(request.id.take())?;
    within_share(platform, names)?;
    request.id = id.as_deref().map(|id| names.inside(id)).transpose()?;
    if !request.packages.is_empty() && !platform.is_front() {
        // Where the caller hears of it; the session then finds them installed.
        platform.install(&request.packages, request.assurance, &context.live())?;
    }
    let made = platform.session(SessionCall::Create(Box::new(request))).and_then(SessionAnswer::info);
    let made = made.map_err(|failure| names.explain(id.as_deref().unwrap_or_default(), failure))?;
    Ok(names.outside(made.clone()).unwrap_or(made))
}

/// If several share a host, nobody takes every session that there may be.
fn within_share(platform: &Platform, names: &SessionNames) -> Result<(), Failure> {
    if !names.is_shared() {
        return Ok(());
    }
    let most = platform.settings().sessions.most;
    let own = platform.sessions_named(names.prefix())?.len();
    if own < most.div_ceil(2) {
        return Ok(());
    }
    Err(Failure::new(FailureKind::Forbidden, format!("{own} sessions are open, no more are allowed"))
        .code(formicary_model::failure::code::TOO_MANY_SESSIONS)
        .hint("close one, or let one be idle until it ends"))
}

/// Runs a cell to its end. If the caller cancels, it is interrupted: its state is kept.
fn run_cell(platform: &Platform, context: &Context<'_>, input: CellInput) -> Result<CellResult, Failure> {
    let names = context.policy.sessions();
    let name = names.inside(&input.id)?;
    let mut output = |stream: Stream, bytes: &[u8]| {
        let kind = EventKind::Output { phase: Phase::Run, stream, data: bytes.to_vec() };
        context.observer.event(&Event { run_id: String::new(), at_ms: formicary_execution::now_ms(), kind });
    };
    let result = std::thread::scope(|scope| {
        let run = || platform.run_cell_as(&context.caller, &name, &input.cell, context.observer, &mut output);
        let running = scope.spawn(run);
        while !running.is_finished() {
            if context.cancel.is_cancelled() {
                // The cell may wait for its turn when its caller cancels: it is interrupted when it has begun. Whether there
                // was something to interrupt, the result tells.
                let _ = platform.session(SessionCall::Interrupt(name.clone()));
                std::thread::sleep(INTERRUPT_EVERY);
            }
            std::thread::sleep(LOOK_EVERY);
        }
        running.join().unwrap_or_else(|_| {
            Err(Failure::new(FailureKind::Internal, "a fault of Formicary ended the cell"))
        })
    });
    let result = result.map_err(|failure| names.explain(&input.id, failure))?;
    Ok(CellResult { session_id: input.id, ..result })
}
