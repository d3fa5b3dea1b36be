//! Drivers of ours behind the common trait: one JSON object a line, in and out.

use super::debugger::{Debugger, Happened, Trouble};
use super::line::Line;
use super::wire::{self, Message, Move, MoveOrder, Numbered, Order};
use formicary_model::{Breakpoint, Evaluated, Stop, StopReason};
use serde::Serialize;

/// A driver that listens.
#[derive(Debug)]
pub struct OwnDriver {
    ears: Ears,
    number: u32,
    /// What was said between an order and its answer.
    early: Vec<Message>,
}

/// Hears messages on a line.
#[derive(Debug)]
pub struct Ears {
    line: Line,
    rest: Vec<u8>,
    skipping: bool,
}

impl Ears {
    /// Ears at a line.
    pub fn new(line: Line) -> Self {
        Self { line, rest: Vec::new(), skipping: false }
    }

    /// The next message; none when there is nobody any more. What is no message is passed over.
    pub fn message(&mut self) -> Option<Message> {
        loop {
            while let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.rest.drain(..=end).collect();
                let whole = !std::mem::take(&mut self.skipping);
                if let Some(message) = whole.then(|| wire::read(&line)).flatten() {
                    return Some(message);
                }
            }
            if self.rest.len() > wire::MOST_LINE {
                (self.rest, self.skipping) = (Vec::new(), true);
            }
            let heard = self.line.receive(None).ok()?;
            self.rest.extend_from_slice(&heard);
        }
    }

    /// The line itself, for whoever speaks otherwise from here on.
    pub fn into_line(mut self) -> Line {
        self.line.unread(self.rest);
        self.line
    }
}

impl OwnDriver {
    /// Waits until the driver listens. None: it never will.
    pub fn begin(mut ears: Ears) -> Option<Self> {
        while let Some(message) = ears.message() {
            if message.event.as_deref() == Some("ready") {
                return Some(Self { ears, number: 0, early: Vec::new() });
            }
        }
        None
    }

    fn ask<T: Serialize>(&mut self, order: &T) -> Result<Message, Trouble> {
        self.number += 1;
        let mut line = serde_json::to_vec(&Numbered { id: self.number, order }).map_err(|_| Trouble::Over)?;
        line.push(b'\n');
        if !self.ears.line.send(line) {
            return Err(Trouble::Over);
        }
        loop {
            let message = self.ears.message().ok_or(Trouble::Over)?;
            if message.id != Some(self.number) {
                if self.early.len() < MOST_EARLY {
                    self.early.push(message);
                }
            } else if let Some(error) = message.error {
                return Err(Trouble::Refused(error));
            } else {
                return Ok(message);
            }
        }
    }
}

/// Messages that are kept for later, and notes of log points.
const MOST_EARLY: usize = 1_000;
const MOST_LOGS: usize = 10_000;

fn note(message: Message, logs: &mut Vec<String>) {
    if message.event.as_deref() == Some("log")
        && let Some(text) = message.text
        && logs.len() < MOST_LOGS
    {
        logs.push(text);
    }
}

impl Debugger for OwnDriver {
    fn set(&mut self, point: &Breakpoint) -> Result<Option<u32>, Trouble> {
        Ok(self.ask(&Order::Break(point))?.line)
    }

    fn every_exception(&mut self, every: bool) -> Result<(), Trouble> {
        let what = if every { "raised" } else { "uncaught" };
        self.ask(&Order::Catch { what }).map(|_| ())
    }

    fn evaluate(&mut self, frame: u32, expression: &str) -> Result<Evaluated, Trouble> {
        let message = self.ask(&Order::Evaluate { frame, expression })?;
        Ok(Evaluated {
            expression: expression.to_owned(),
            kind: message.kind.unwrap_or_default(),
            value: message.value.unwrap_or_default(),
            error: None,
        })
    }

    fn go(&mut self, way: Move, logs: &mut Vec<String>) -> Result<Happened, Trouble> {
        self.ask(&MoveOrder { way })?;
        std::mem::take(&mut self.early).into_iter().for_each(|message| note(message, logs));
        loop {
            let Some(message) = self.ears.message() else { return Ok(Happened::Ended) };
            match message.event.as_deref() {
                Some("stopped") => {
                    let reason = message.reason.unwrap_or(StopReason::Step);
                    let text = message.text.unwrap_or_default();
                    let stop =
                        Stop { reason, text, frames: message.frames, values: Vec::new(), others: Vec::new() };
                    return Ok(Happened::Stopped(stop));
                }
                Some("exited") => return Ok(Happened::Exited(message.code.unwrap_or(-1))),
                _ => note(message, logs),
            }
        }
    }

    fn quit(&mut self) {
        self.ears.line.send(b"{\"id\":0,\"do\":\"quit\"}\n".to_vec());
    }
}
