//! From events to spans: one for the execution, and under it queue, guard, sandbox, compile, run and collect.

use crate::metrics::failure_word;
use formicary_model::{Caller, Event, EventKind, Phase};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

/// Spans that one run may have: a run that compiles in many steps is cut short here, not its totals.
const MOST_SPANS: usize = 64;

/// One stretch of time.
#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    /// What happened in it.
    pub name: &'static str,
    /// Nanoseconds since the Unix epoch.
    pub start: u64,
    /// The same of its end.
    pub end: u64,
    /// What else is known.
    pub attributes: Vec<(&'static str, Value)>,
    /// Why it failed, if it did.
    pub error: Option<String>,
}

/// A run: the first span is all of it, the others lie under it.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    /// The run.
    pub run_id: String,
    /// Its spans.
    pub spans: Vec<Span>,
}

/// Runs that are under way.
#[derive(Default)]
pub struct Spans {
    runs: BTreeMap<String, Run>,
}

struct Run {
    start: u64,
    began: Option<(Phase, u64)>,
    attributes: Vec<(&'static str, Value)>,
    spans: Vec<Span>,
}

impl Spans {
    /// Takes an event that is heard now; gives the whole run when it was its last.
    pub fn take(&mut self, caller: &Caller, event: &Event) -> Option<Trace> {
        if matches!(event.kind, EventKind::Output { .. } | EventKind::Sample { .. }) {
            return None;
        }
        let now = now();
        if !self.runs.contains_key(&event.run_id) {
            self.runs.insert(event.run_id.clone(), Run::new(caller, event, now));
        }
        let run = self.runs.get_mut(&event.run_id)?;
        run.take(event, now);
        if !matches!(event.kind, EventKind::Finished { .. } | EventKind::Failed { .. }) {
            return None;
        }
        let run = self.runs.remove(&event.run_id)?;
        Some(run.done(event, now))
    }
}

impl Run {
    fn new(caller: &Caller, event: &Event, now: u64) -> Self {
        let mut attributes =
            vec![("formicary.run_id", json!(event.run_id)), ("enduser.id", json!(caller.name))];
        if let Some(tenant) = &caller.tenant {
            attributes.push(("formicary.tenant", json!(tenant)));
        }
        Self { start: now, began: None, attributes, spans: Vec::new() }
    }

    fn take(&mut self, event: &Event, now: u64) {
        match &event.kind {
            EventKind::Received { code_hash, code_bytes, .. } => {
                self.attributes.push(("formicary.code_hash", json!(code_hash)));
                self.attributes.push(("formicary.code_bytes", json!(code_bytes)));
            }
            EventKind::Accepted { language, provider, .. } => {
                self.attributes.push(("formicary.language", json!(language)));
                self.attributes.push(("formicary.provider", json!(provider)));
            }
            EventKind::Step { step, seconds } => {
                let start = now.saturating_sub(nanoseconds(*seconds));
                self.start = self.start.min(start);
                self.push(Span { name: step.word(), start, end: now, attributes: Vec::new(), error: None });
            }
            EventKind::PhaseStarted { phase } => self.began = Some((*phase, now)),
            EventKind::PhaseFinished { phase, status, duration } => {
                let length = nanoseconds(*duration);
                let began = self.began.take().filter(|(of, _)| of == phase);
                let start = began.map_or_else(|| now.saturating_sub(length), |(_, start)| start);
                self.push(Span {
                    name: match phase {
                        Phase::Install => "install",
                        Phase::Compile => "compile",
                        Phase::Run => "run",
                    },
                    start,
                    end: (start + length).min(now),
                    attributes: vec![("formicary.status", json!(status))],
                    error: None,
                });
            }
            _ => {}
        }
    }

    fn push(&mut self, span: Span) {
        if self.spans.len() < MOST_SPANS {
            self.spans.push(span);
        }
    }

    fn done(mut self, event: &Event, now: u64) -> Trace {
        let mut error = None;
        match &event.kind {
            EventKind::Finished { status, exit_code, usage, level, .. } => {
                self.attributes.push(("formicary.status", json!(status)));
                self.attributes.push(("formicary.protection", json!(level)));
                self.attributes.push(("formicary.cpu_seconds", json!(usage.cpu_user + usage.cpu_system)));
                if let Some(code) = exit_code {
                    self.attributes.push(("process.exit.code", json!(code)));
                }
                if let Some(bytes) = usage.memory_peak {
                    self.attributes.push(("formicary.memory_peak", json!(bytes)));
                }
            }
            EventKind::Failed { kind, message } => {
                self.attributes.push(("error.type", json!(failure_word(*kind))));
                error = Some(message.clone());
            }
            _ => {}
        }
        let whole =
            Span { name: "execution", start: self.start, end: now, attributes: self.attributes, error };
        let mut spans = vec![whole];
        spans.append(&mut self.spans);
        Trace { run_id: event.run_id.clone(), spans }
    }
}

fn nanoseconds(seconds: f64) -> u64 {
    (seconds.max(0.0) * 1e9) as u64
}

pub(super) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}
