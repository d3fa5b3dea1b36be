//! A program that can be stopped: whichever debugger it stands under, it is asked in the same way.

use super::adapters;
use super::dap::Adapted;
use super::debugger::{Debugger, Happened, Trouble};
use super::drivers::{self, Planned};
use super::line;
use super::own::{Ears, OwnDriver};
use super::wire::Move;
use formicary_execution::Live;
use formicary_model::{Breakpoint, Evaluated, ExecutionRequest, ExecutionResult, Failure, FailureKind};
use formicary_sandbox::Cancel;
use formicary_sandbox::provider::Stdin;

/// A program that can be stopped.
#[derive(Debug)]
pub struct Session {
    debugger: Box<dyn Debugger>,
    name: String,
    /// What log points noted.
    pub logs: Vec<String>,
    /// What is worth knowing besides.
    pub notes: Vec<String>,
}

impl Session {
    /// Which debugger it is.
    pub fn debugger(&self) -> &str {
        &self.name
    }

    /// Sets a breakpoint; the line at which the program will really stop, where that is known.
    pub fn set(&mut self, point: &Breakpoint) -> Result<Option<u32>, Trouble> {
        self.debugger.set(point)
    }

    /// Whether exceptions that the program catches stop it too.
    pub fn every_exception(&mut self, every: bool) -> Result<(), Trouble> {
        self.debugger.every_exception(every)
    }

    /// Evaluates in a frame, 0 for the innermost.
    pub fn evaluate(&mut self, frame: u32, expression: &str) -> Evaluated {
        let expression = expression.trim();
        self.debugger.evaluate(frame, expression).unwrap_or_else(|trouble| Evaluated {
            expression: expression.to_owned(),
            error: Some(trouble.to_string()),
            ..Evaluated::default()
        })
    }

    /// Lets the program go on; the first move starts it.
    pub fn go(&mut self, way: Move) -> Result<Happened, Trouble> {
        self.debugger.go(way, &mut self.logs)
    }
}

/// Why there is no session.
enum NoSession {
    /// None of these debuggers is there.
    Missing(String),
    /// A debugger could not begin, and says why.
    Refused(String, Trouble),
    /// Nothing ever spoke: the program could not be built, for instance.
    Silent,
}

/// Waits until the program is built and a debugger has it.
fn begin(line: line::Line, planned: &Planned) -> Result<Session, NoSession> {
    let mut ears = Ears::new(line);
    let told = loop {
        let message = ears.message().ok_or(NoSession::Silent)?;
        match message.event.as_deref() {
            Some("debugger") => break message,
            Some("missing") => return Err(NoSession::Missing(message.text.unwrap_or_default())),
            _ => {}
        }
    };
    let name = told.text.unwrap_or_default();
    let debugger: Box<dyn Debugger> = match adapters::named(&name) {
        Some(adapter) => {
            let mut facts = planned.facts.clone();
            facts.told = told.told;
            let begun = Adapted::begin(adapter, facts, ears.into_line());
            Box::new(begun.map_err(|trouble| NoSession::Refused(name.clone(), trouble))?)
        }
        None => Box::new(OwnDriver::begin(ears).ok_or(NoSession::Silent)?),
    };
    let notes = planned.notes.iter().filter(|(of, _)| *of == name).map(|(_, note)| note.clone()).collect();
    Ok(Session { debugger, name, logs: Vec::new(), notes })
}

/// Runs what [`drivers::plan`] made and gives its session to `work`. When that is done with it, the program is ended.
/// `execute` runs requests.
pub fn with_session<T>(
    planned: Planned,
    cancel: &Cancel,
    execute: impl FnOnce(ExecutionRequest, Live<'_>) -> Result<ExecutionResult, Failure> + Send,
    work: impl FnOnce(&mut Session) -> T,
) -> Result<(T, ExecutionResult), Failure> {
    // When whoever asks is done the program is too, however it feels about that.
    let inner = Cancel::default();
    let (line, orders, ears) = line::lay(cancel.clone(), inner.clone());
    let request = planned.request.clone();
    std::thread::scope(|scope| {
        let run = scope.spawn(move || {
            let stdin = Some(Stdin::Reader(Box::new(orders)));
            // Here the ears go when the run is over, and whoever waits hears of it.
            let ears = ears;
            execute(request, Live { stdin, observer: &ears, cancel: inner })
        });
        let outcome = begin(line, &planned).map(|mut session| {
            let outcome = work(&mut session);
            session.debugger.quit();
            outcome
        });
        let joined = run
            .join()
            .unwrap_or_else(|_| Err(Failure::new(FailureKind::Internal, "an inspection broke off")));
        match outcome {
            Ok(outcome) => joined.map(|result| (outcome, result)),
            Err(why) => Err(told(&why).unwrap_or_else(|| match joined {
                // One that floods us is ended by us: nobody else cancelled it.
                Err(failure) if failure.kind == FailureKind::Cancelled && !cancel.is_cancelled() => {
                    flooded(&why)
                }
                Err(failure) => failure,
                Ok(result) => never_built(&result),
            })),
        }
    })
}

/// There was no session, for a reason that was told: the debugger is missing or does not begin.
fn told(why: &NoSession) -> Option<Failure> {
    match why {
        NoSession::Missing(names) => Some(missing(names)),
        NoSession::Refused(name, trouble) if *trouble != Trouble::Over => Some(
            Failure::new(FailureKind::InvalidInput, format!("{name} cannot inspect it: {trouble}"))
                .hint("see that it runs (formicary run), or name another debugger with --adapter"),
        ),
        _ => None,
    }
}

/// Whoever spoke said more than anybody could hear, and was ended.
fn flooded(why: &NoSession) -> Failure {
    let who = if let NoSession::Refused(name, _) = why { name.as_str() } else { "the debugger" };
    Failure::new(
        FailureKind::InvalidInput,
        format!("{who} cannot inspect it: it says more than can be heard"),
    )
    .hint("name another debugger with --adapter")
}

/// There was no session: the program could not be built.
fn never_built(result: &ExecutionResult) -> Failure {
    let said: Vec<&str> = result.stderr.lines().rev().take(12).collect();
    let said: Vec<&str> = said.into_iter().rev().collect();
    Failure::new(
        FailureKind::InvalidInput,
        format!("the program cannot be inspected ({}): {}", result.status, said.join("\n")),
    )
    .hint("see that it builds and runs: formicary run")
}

/// Debuggers that are not there, with how to get each.
fn missing(names: &str) -> Failure {
    let names: Vec<&str> = names.split_whitespace().collect();
    let message = match names.as_slice() {
        [one] => format!("the debugger {one} is not installed"),
        several => format!("none of the debuggers {} is installed", several.join(", ")),
    };
    let ways: Vec<String> = names
        .iter()
        .filter_map(|name| drivers::how_to_get(name).map(|get| format!("{name}: {get}")))
        .collect();
    Failure::new(FailureKind::ToolchainMissing, message).hint(format!("install it: {}", ways.join("; or ")))
}
