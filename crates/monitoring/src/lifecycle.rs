//! Which runs are under way, where each stands, and what became of the last ones.

use crate::fanout::Listener;
use formicary_model::{Caller, Event, EventKind, FailureKind, Observer, Phase, Status, Stream};
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Where a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "stage")]
pub enum Stage {
    /// Let in, nothing started.
    Accepted,
    /// A phase is going on.
    Running {
        /// Which.
        phase: Phase,
    },
    /// A phase has ended, the next has not begun.
    Between {
        /// The one that ended.
        phase: Phase,
    },
    /// It has a result.
    Finished {
        /// How it ended.
        status: Status,
    },
    /// Formicary failed.
    Failed {
        /// Why.
        kind: FailureKind,
    },
}

/// One run as it is known by its events.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunRecord {
    /// The run.
    pub run_id: String,
    /// The language's identifier; empty when the run failed before the guard let it in.
    pub language: String,
    /// The isolation provider; empty in the same case.
    pub provider: String,
    /// Who has it made.
    pub caller: Caller,
    /// Milliseconds since the Unix epoch of its first event.
    pub started_ms: u64,
    /// Milliseconds since the Unix epoch of its latest event.
    pub updated_ms: u64,
    /// Where it stands.
    #[serde(flatten)]
    pub stage: Stage,
    /// Bytes seen on stdout.
    pub stdout_bytes: u64,
    /// Bytes seen on stderr.
    pub stderr_bytes: u64,
}

impl RunRecord {
    fn first_seen(caller: &Caller, event: &Event) -> Self {
        Self {
            run_id: event.run_id.clone(),
            language: String::new(),
            provider: String::new(),
            caller: caller.clone(),
            started_ms: event.at_ms,
            updated_ms: event.at_ms,
            stage: Stage::Accepted,
            stdout_bytes: 0,
            stderr_bytes: 0,
        }
    }

    fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Finished { .. } | Stage::Failed { .. })
    }

    fn apply(&mut self, event: &Event) {
        self.updated_ms = event.at_ms;
        match &event.kind {
            EventKind::Accepted { language, provider, .. } => {
                self.language.clone_from(language);
                self.provider.clone_from(provider);
            }
            EventKind::PhaseStarted { phase } => self.stage = Stage::Running { phase: *phase },
            EventKind::Output { stream: Stream::Stdout, data, .. } => self.stdout_bytes += data.len() as u64,
            EventKind::Output { stream: Stream::Stderr, data, .. } => self.stderr_bytes += data.len() as u64,
            EventKind::Received { .. } | EventKind::Sample { .. } | EventKind::Step { .. } => {}
            EventKind::PhaseFinished { phase, .. } => self.stage = Stage::Between { phase: *phase },
            EventKind::Finished { status, .. } => self.stage = Stage::Finished { status: *status },
            EventKind::Failed { kind, .. } => self.stage = Stage::Failed { kind: *kind },
        }
    }
}

/// Follows overlapping runs from their first event to their last. Keeps the latest ended ones, no more.
pub struct ExecutionMonitor {
    state: Mutex<State>,
    keep: usize,
}

#[derive(Default)]
struct State {
    active: BTreeMap<String, RunRecord>,
    ended: VecDeque<RunRecord>,
}

impl ExecutionMonitor {
    /// A monitor that remembers the last `keep` runs that ended.
    pub fn new(keep: usize) -> Self {
        Self { state: Mutex::default(), keep }
    }

    /// The runs that are under way, by their identifiers.
    pub fn active(&self) -> Vec<RunRecord> {
        self.lock().active.values().cloned().collect()
    }

    /// The runs that ended, latest first.
    pub fn ended(&self) -> Vec<RunRecord> {
        self.lock().ended.iter().rev().cloned().collect()
    }

    /// One run, under way or ended.
    pub fn run(&self, run_id: &str) -> Option<RunRecord> {
        let state = self.lock();
        state.active.get(run_id).or_else(|| state.ended.iter().rev().find(|r| r.run_id == run_id)).cloned()
    }

    // A panic of another observer's thread must not blind the monitor: its state is valid at every moment.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for ExecutionMonitor {
    fn default() -> Self {
        Self::new(1_000)
    }
}

impl Observer for ExecutionMonitor {
    fn event(&self, event: &Event) {
        self.heard(&Caller::default(), event);
    }
}

impl Listener for ExecutionMonitor {
    fn heard(&self, caller: &Caller, event: &Event) {
        let mut state = self.lock();
        // Output comes in thousands of pieces: only a run's first event makes a record.
        if !state.active.contains_key(&event.run_id) {
            state.active.insert(event.run_id.clone(), RunRecord::first_seen(caller, event));
        }
        let Some(record) = state.active.get_mut(&event.run_id) else { return };
        record.apply(event);
        if record.is_over()
            && let Some(record) = state.active.remove(&event.run_id)
        {
            state.ended.push_back(record);
            while state.ended.len() > self.keep {
                state.ended.pop_front();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{accepted, failed, successful_run};

    #[test]
    fn overlapping_runs_are_kept_apart() {
        let monitor = ExecutionMonitor::default();
        let (a, b) = (successful_run("a", "python", 0.1), successful_run("b", "go", 0.2));
        for (left, right) in a.iter().zip(&b).take(3) {
            monitor.event(left);
            monitor.event(right);
        }
        let stages: Vec<_> = monitor.active().into_iter().map(|r| (r.run_id, r.language, r.stage)).collect();
        let running = Stage::Running { phase: Phase::Run };
        assert_eq!(stages, [("a".into(), "python".into(), running), ("b".into(), "go".into(), running)]);
        a.iter().skip(3).for_each(|e| monitor.event(e));
        assert_eq!(monitor.active().len(), 1);
        assert_eq!(monitor.ended()[0].stage, Stage::Finished { status: Status::Success });
        assert_eq!(monitor.run("a").map(|r| r.stdout_bytes), Some(3));
    }

    #[test]
    fn a_failure_ends_a_run_at_any_stage() {
        let monitor = ExecutionMonitor::default();
        monitor.event(&failed("refused"));
        monitor.event(&accepted("started", "c"));
        monitor.event(&failed("started"));
        assert!(monitor.active().is_empty());
        assert_eq!(monitor.ended().len(), 2);
        assert_eq!(monitor.ended()[0].language, "c");
    }

    #[test]
    fn memory_stays_bounded() {
        let monitor = ExecutionMonitor::new(10);
        for n in 0..1_000 {
            successful_run(&format!("r{n}"), "bash", 0.01).iter().for_each(|e| monitor.event(e));
        }
        assert_eq!(monitor.ended().len(), 10);
        assert_eq!(monitor.ended()[0].run_id, "r999");
    }
}
