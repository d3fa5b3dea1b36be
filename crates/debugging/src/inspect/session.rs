//! A program that can be stopped: commands go in by its driver's stdin, answers come by its stdout.

use super::wire::{self, Message, Move, MoveOrder, Numbered, Order};
use formicary_execution::Live;
use formicary_model::{
    Breakpoint, Evaluated, Event, EventKind, ExecutionRequest, ExecutionResult, Failure, FailureKind, Phase,
    Stop, StopReason, Stream,
};
use formicary_sandbox::Cancel;
use formicary_sandbox::provider::Stdin;
use serde::Serialize;
use std::io::{self, Read};
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, Sender};

/// What came of a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Happened {
    /// It stands still again.
    Stopped(Stop),
    /// It ended by itself.
    Exited(i32),
    /// The sandbox ended it: a limit, or a cancellation. The result tells.
    Ended,
}

/// Why a command was not obeyed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// The debugger says why.
    Refused(String),
    /// There is no program any more.
    Over,
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Refused(why) => f.write_str(why),
            Self::Over => f.write_str("the program is over"),
        }
    }
}

/// A program that can be stopped.
#[derive(Debug)]
pub struct Session {
    orders: Sender<Vec<u8>>,
    messages: Receiver<Message>,
    number: u32,
    /// What log points noted.
    pub logs: Vec<String>,
}

impl Session {
    /// Waits until the program is built and its debugger listens. `false`: it never will.
    fn ready(&mut self) -> bool {
        while let Ok(message) = self.messages.recv() {
            if message.event.as_deref() == Some("ready") {
                return true;
            }
        }
        false
    }

    /// Sets a breakpoint; the line at which the program will really stop, where that is known.
    pub fn set(&mut self, point: &Breakpoint) -> Result<Option<u32>, Trouble> {
        Ok(self.ask(&Order::Break(point))?.line)
    }

    /// Whether exceptions that the program catches stop it too.
    pub fn every_exception(&mut self, every: bool) -> Result<(), Trouble> {
        let what = if every { "raised" } else { "uncaught" };
        self.ask(&Order::Catch { what }).map(|_| ())
    }

    /// Evaluates in a frame, 0 for the innermost.
    pub fn evaluate(&mut self, frame: u32, expression: &str) -> Evaluated {
        let expression = expression.trim();
        let empty = Evaluated { expression: expression.to_owned(), ..Evaluated::default() };
        match self.ask(&Order::Evaluate { frame, expression }) {
            Ok(message) => Evaluated {
                kind: message.kind.unwrap_or_default(),
                value: message.value.unwrap_or_default(),
                ..empty
            },
            Err(trouble) => Evaluated { error: Some(trouble.to_string()), ..empty },
        }
    }

    /// Lets the program go on; the first move starts it.
    pub fn go(&mut self, way: Move) -> Result<Happened, Trouble> {
        self.ask(&MoveOrder { way })?;
        loop {
            let Ok(message) = self.messages.recv() else { return Ok(Happened::Ended) };
            match message.event.as_deref() {
                Some("stopped") => {
                    let reason = message.reason.unwrap_or(StopReason::Step);
                    let text = message.text.unwrap_or_default();
                    let stop = Stop { reason, text, frames: message.frames, values: Vec::new() };
                    return Ok(Happened::Stopped(stop));
                }
                Some("exited") => return Ok(Happened::Exited(message.code.unwrap_or(-1))),
                _ => self.note(message),
            }
        }
    }

    fn ask<T: Serialize>(&mut self, order: &T) -> Result<Message, Trouble> {
        self.number += 1;
        let mut line = serde_json::to_vec(&Numbered { id: self.number, order }).map_err(|_| Trouble::Over)?;
        line.push(b'\n');
        self.orders.send(line).map_err(|_| Trouble::Over)?;
        loop {
            let message = self.messages.recv().map_err(|_| Trouble::Over)?;
            if message.id != Some(self.number) {
                self.note(message);
            } else if let Some(error) = message.error {
                return Err(Trouble::Refused(error));
            } else {
                return Ok(message);
            }
        }
    }

    fn note(&mut self, message: Message) {
        if message.event.as_deref() == Some("log")
            && let Some(text) = message.text
            && self.logs.len() < 10_000
        {
            self.logs.push(text);
        }
    }
}

/// Runs a request that [`super::drivers::plan`] made and gives its session to `work`. When that is done with it, the
/// program is ended. `execute` runs requests.
pub fn with_session<T>(
    request: ExecutionRequest,
    cancel: &Cancel,
    execute: impl FnOnce(ExecutionRequest, Live<'_>) -> Result<ExecutionResult, Failure> + Send,
    work: impl FnOnce(&mut Session) -> T,
) -> Result<(T, ExecutionResult), Failure> {
    let (orders, ears) = mpsc::channel();
    let (mouth, messages) = mpsc::channel();
    let mut session = Session { orders, messages, number: 0, logs: Vec::new() };
    // When whoever asks is done the program is too, however it feels about that.
    let inner = Cancel::default();
    let (inner_cancel, outer_cancel) = (inner.clone(), cancel.clone());
    std::thread::scope(|scope| {
        let run = scope.spawn(move || {
            let listener = Listener {
                mouth: Mutex::new((mouth, Vec::new())),
                outer: outer_cancel,
                inner: inner_cancel.clone(),
            };
            let stdin = Some(Stdin::Reader(Box::new(Orders { ears, rest: Vec::new() })));
            execute(request, Live { stdin, observer: &listener, cancel: inner_cancel })
        });
        let outcome = session.ready().then(|| work(&mut session));
        if outcome.is_some() {
            let _ = session.orders.send(b"{\"id\":0,\"do\":\"quit\"}\n".to_vec());
        }
        drop(session);
        let joined = run
            .join()
            .unwrap_or_else(|_| Err(Failure::new(FailureKind::Internal, "an inspection broke off")));
        let result = joined?;
        match outcome {
            Some(outcome) => Ok((outcome, result)),
            None => Err(never_began(&result)),
        }
    })
}

/// The driver never listened: the program could not be built, or its debugger is missing.
fn never_began(result: &ExecutionResult) -> Failure {
    let said: Vec<&str> = result.stderr.lines().rev().take(12).collect();
    let said: Vec<&str> = said.into_iter().rev().collect();
    if said.iter().any(|line| line.contains("gdb") && line.contains("not found")) {
        return Failure::new(FailureKind::ToolchainMissing, "gdb is not installed")
            .hint("install it: apt-get install gdb");
    }
    Failure::new(
        FailureKind::InvalidInput,
        format!("the program cannot be inspected ({}): {}", result.status, said.join("\n")),
    )
    .hint("see that it builds and runs: formicary run")
}

/// Commands, as standard input.
struct Orders {
    ears: Receiver<Vec<u8>>,
    rest: Vec<u8>,
}

impl Read for Orders {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            // No sender left: the end of the file.
            self.rest = self.ears.recv().unwrap_or_default();
        }
        let count = self.rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Ok(count)
    }
}

/// Hears the driver's lines among the events of the run.
struct Listener {
    mouth: Mutex<(Sender<Message>, Vec<u8>)>,
    outer: Cancel,
    inner: Cancel,
}

impl formicary_model::Observer for Listener {
    fn event(&self, event: &Event) {
        if self.outer.is_cancelled() {
            self.inner.cancel();
        }
        let EventKind::Output { phase: Phase::Run, stream: Stream::Stdout, data } = &event.kind else {
            return;
        };
        let mut heard = self.mouth.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let (mouth, rest) = &mut *heard;
        for part in data.split_inclusive(|byte| *byte == b'\n') {
            if rest.len() + part.len() <= wire::MOST_LINE {
                rest.extend_from_slice(part);
            }
            if part.ends_with(b"\n") {
                if let Some(message) = wire::read(rest) {
                    let _ = mouth.send(message);
                }
                rest.clear();
            }
        }
    }
}
