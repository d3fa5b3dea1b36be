//! Asking an adapter, hearing what it says, and waiting no longer than is sensible.

use super::framing::{Frames, framed};
use super::protocol::{Exited, Output, Refusal, Request, Said, Stopped};
use crate::inspect::debugger::Trouble;
use crate::inspect::line::{Line, Silence};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// An answer comes within this time, or not at all.
pub const PATIENCE: Duration = Duration::from_secs(20);
/// Events that are kept until somebody asks for them.
const MOST_EVENTS: usize = 1_000;
/// Characters of a text that an adapter gives as a reason.
const MOST_REASON: usize = 700;

/// What happened, as far as it is of interest.
#[derive(Debug)]
pub enum Happening {
    /// Breakpoints may be set.
    Initialized,
    /// The program stands still.
    Stopped(Stopped),
    /// The program ended.
    Exited(i32),
    /// There is nothing to debug any more.
    Terminated,
    /// The debugger itself said something.
    Remark(String),
}

/// A client of one adapter.
#[derive(Debug)]
pub struct Client {
    adapter: String,
    line: Line,
    frames: Frames,
    seq: i64,
    events: VecDeque<Happening>,
    broken: Option<String>,
}

/// What came next.
enum Next {
    Answer(Said),
    /// Something that was put aside, answered or dropped.
    Other,
}

impl Client {
    /// A client at a line on which an adapter speaks.
    pub fn new(adapter: &str, line: Line) -> Self {
        Self {
            adapter: adapter.to_owned(),
            line,
            frames: Frames::default(),
            seq: 0,
            events: VecDeque::new(),
            broken: None,
        }
    }

    /// Sends a request without waiting for its answer; its number.
    pub fn send<A: Serialize>(&mut self, command: &str, arguments: A) -> Result<i64, Trouble> {
        if let Some(why) = &self.broken {
            return Err(Trouble::Broken(why.clone()));
        }
        self.seq += 1;
        let request = Request { seq: self.seq, kind: "request", command, arguments };
        let body = serde_json::to_vec(&request).map_err(|error| Trouble::Refused(error.to_string()))?;
        if self.line.send(framed(&body)) { Ok(self.seq) } else { Err(Trouble::Over) }
    }

    /// Asks, and waits for the answer.
    pub fn ask<A: Serialize, B: DeserializeOwned + Default>(
        &mut self,
        command: &str,
        arguments: A,
        patience: Duration,
    ) -> Result<B, Trouble> {
        let seq = self.send(command, arguments)?;
        self.answer(seq, command, Instant::now() + patience)
    }

    /// The answer to a request that was sent.
    pub fn answer<B: DeserializeOwned + Default>(
        &mut self,
        seq: i64,
        command: &str,
        until: Instant,
    ) -> Result<B, Trouble> {
        loop {
            // An answer to a request that nobody waits for any more is passed over.
            let Next::Answer(said) = self.next(Some(until), command)? else { continue };
            if said.request_seq != seq {
                continue;
            }
            if !said.success {
                return Err(Trouble::Refused(reason(&said, command)));
            }
            let body = without_nulls(said.body);
            return match body {
                Value::Null => Ok(B::default()),
                body => serde_json::from_value(body)
                    .map_err(|error| self.break_off(&format!("gave no sense to {command}: {error}"))),
            };
        }
    }

    /// The next event; without an end to waiting where none is given.
    pub fn event(&mut self, until: Option<Instant>) -> Result<Happening, Trouble> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Ok(event);
            }
            self.next(until, "an event")?;
        }
    }

    /// The next event; or, where this request was refused before one came, why.
    pub fn event_or_refusal(
        &mut self,
        seq: i64,
        until: Instant,
    ) -> Result<Result<Happening, String>, Trouble> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Ok(Ok(event));
            }
            if let Next::Answer(said) = self.next(Some(until), "its start")?
                && said.request_seq == seq
                && !said.success
            {
                return Ok(Err(reason(&said, &said.command)));
            }
        }
    }

    /// The next event of those that have been heard already.
    pub fn heard(&mut self) -> Option<Happening> {
        self.events.pop_front()
    }

    fn next(&mut self, until: Option<Instant>, wanted: &str) -> Result<Next, Trouble> {
        if let Some(why) = &self.broken {
            return Err(Trouble::Broken(why.clone()));
        }
        loop {
            match self.frames.message() {
                Ok(Some(body)) => return self.understand(&body),
                Ok(None) => {}
                Err(why) => return Err(self.break_off(&format!("speaks no protocol: {why}"))),
            }
            // One that talks without a pause and never answers is late too.
            if until.is_some_and(|until| Instant::now() >= until) {
                return Err(self.late(wanted));
            }
            match self.line.receive(until) {
                Ok(bytes) => self.frames.push(&bytes),
                Err(Silence::Over) => return Err(Trouble::Over),
                Err(Silence::Late) => return Err(self.late(wanted)),
            }
        }
    }

    fn late(&self, wanted: &str) -> Trouble {
        Trouble::Refused(format!("{} gave no answer to {wanted} in time", self.adapter))
    }

    fn break_off(&mut self, how: &str) -> Trouble {
        let why: String = format!("the debugger {} {how}", self.adapter).chars().take(MOST_REASON).collect();
        self.broken = Some(why.clone());
        Trouble::Broken(why)
    }

    fn understand(&mut self, body: &[u8]) -> Result<Next, Trouble> {
        let Ok(value) = serde_json::from_slice::<Value>(body) else {
            return Err(self.break_off("speaks no protocol: a message that is no JSON"));
        };
        let Ok(said) = serde_json::from_value::<Said>(without_nulls(value)) else {
            return Err(self.break_off("speaks no protocol: a message of another form"));
        };
        match said.kind.as_str() {
            "response" => return Ok(Next::Answer(said)),
            "event" => self.put_aside(said),
            "request" => self.refuse(&said),
            _ => {}
        }
        Ok(Next::Other)
    }

    fn put_aside(&mut self, said: Said) {
        let body = said.body;
        let event = match said.event.as_str() {
            "initialized" => Happening::Initialized,
            "terminated" => Happening::Terminated,
            "stopped" => Happening::Stopped(of_body::<Stopped>(body)),
            "exited" => Happening::Exited(of_body::<Exited>(body).exit_code),
            "output" => {
                let Output { category, output } = of_body(body);
                // What the program writes has its own way.
                if category.is_some_and(|category| category != "console") {
                    return;
                }
                Happening::Remark(output.chars().take(MOST_REASON).collect())
            }
            _ => return,
        };
        if self.events.len() >= MOST_EVENTS {
            self.events.pop_front();
        }
        self.events.push_back(event);
    }

    fn refuse(&mut self, said: &Said) {
        self.seq += 1;
        let refusal = Refusal {
            seq: self.seq,
            kind: "response",
            request_seq: said.seq,
            success: false,
            command: &said.command,
            message: "not possible here",
        };
        if let Ok(body) = serde_json::to_vec(&refusal) {
            self.line.send(framed(&body));
        }
    }
}

fn of_body<B: DeserializeOwned + Default>(body: Value) -> B {
    serde_json::from_value(body).unwrap_or_default()
}

/// Why a request was refused: the longer of the texts that an adapter gives for it.
fn reason(said: &Said, command: &str) -> String {
    let message = said.message.clone().unwrap_or_default();
    let format = said.body.pointer("/error/format").and_then(Value::as_str).unwrap_or_default();
    let longer = if format.contains(message.trim()) { format } else { &message };
    let text: String = longer.trim().chars().take(MOST_REASON).collect();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    if text.is_empty() { format!("{command} was refused") } else { text.to_owned() }
}

/// Adapters write `null` for what is not there.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(fields) => Value::Object(
            fields
                .into_iter()
                .filter(|(_, value)| !value.is_null())
                .map(|(name, value)| (name, without_nulls(value)))
                .collect(),
        ),
        Value::Array(items) => Value::Array(items.into_iter().map(without_nulls).collect()),
        other => other,
    }
}
