//! Counts and percentiles over all runs of a process.

use formicary_model::{Event, EventKind, FailureKind, Observer, Status};
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Values kept per series for percentiles: the latest ones.
const WINDOW: usize = 4_096;

/// Everything that the collector knows, at one moment.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct MetricsSnapshot {
    /// Runs that the guard let in.
    pub accepted: u64,
    /// Runs that are under way.
    pub active: u64,
    /// Runs that ended with a result.
    pub finished: u64,
    /// Runs in which Formicary failed.
    pub failed: u64,
    /// Results by status.
    pub by_status: BTreeMap<&'static str, u64>,
    /// Failures by kind.
    pub by_failure: BTreeMap<String, u64>,
    /// Seconds of the latest runs.
    pub duration: Percentiles,
    /// Peak memory of the latest runs, in bytes.
    pub memory: Percentiles,
    /// The same for each language.
    pub by_language: BTreeMap<String, LanguageMetrics>,
}

/// One language's part.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct LanguageMetrics {
    /// Runs that ended with a result.
    pub finished: u64,
    /// Results by status.
    pub by_status: BTreeMap<&'static str, u64>,
    /// Seconds of the latest runs.
    pub duration: Percentiles,
    /// Peak memory of the latest runs, in bytes.
    pub memory: Percentiles,
}

/// Nearest-rank percentiles of a series; zeros where it is empty.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Percentiles {
    /// Values they were taken from.
    pub count: u64,
    /// The median.
    pub p50: f64,
    /// Nine of ten are not above it.
    pub p90: f64,
    /// Ninety-nine of a hundred are not above it.
    pub p99: f64,
    /// The largest.
    pub max: f64,
}

impl Percentiles {
    fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut sorted: Vec<f64> = values.collect();
        sorted.sort_by(f64::total_cmp);
        let Some(max) = sorted.last().copied() else { return Self::default() };
        let rank = |percent: usize| sorted[(sorted.len() * percent).div_ceil(100).max(1) - 1];
        Self { count: sorted.len() as u64, p50: rank(50), p90: rank(90), p99: rank(99), max }
    }
}

/// Counts runs and remembers their latest durations and memory peaks.
#[derive(Default)]
pub struct MetricsCollector {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    accepted: u64,
    failed: u64,
    by_failure: BTreeMap<String, u64>,
    /// Language of each run that is under way.
    active: BTreeMap<String, String>,
    all: Series,
    by_language: BTreeMap<String, Series>,
}

#[derive(Default)]
struct Series {
    by_status: BTreeMap<&'static str, u64>,
    durations: VecDeque<f64>,
    memory: VecDeque<f64>,
}

impl Series {
    fn push(&mut self, status: Status, duration: f64, memory: Option<u64>) {
        *self.by_status.entry(status.word()).or_default() += 1;
        push_bounded(&mut self.durations, duration);
        if let Some(bytes) = memory {
            push_bounded(&mut self.memory, bytes as f64);
        }
    }

    fn snapshot(&self) -> LanguageMetrics {
        LanguageMetrics {
            finished: self.by_status.values().sum(),
            by_status: self.by_status.clone(),
            duration: Percentiles::of(self.durations.iter().copied()),
            memory: Percentiles::of(self.memory.iter().copied()),
        }
    }
}

fn push_bounded(series: &mut VecDeque<f64>, value: f64) {
    if series.len() == WINDOW {
        series.pop_front();
    }
    series.push_back(value);
}

impl MetricsCollector {
    /// Nothing counted yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Everything at this moment.
    pub fn snapshot(&self) -> MetricsSnapshot {
        let state = self.lock();
        let all = state.all.snapshot();
        MetricsSnapshot {
            accepted: state.accepted,
            active: state.active.len() as u64,
            finished: all.finished,
            failed: state.failed,
            by_status: all.by_status,
            by_failure: state.by_failure.clone(),
            duration: all.duration,
            memory: all.memory,
            by_language: state.by_language.iter().map(|(id, s)| (id.clone(), s.snapshot())).collect(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for MetricsCollector {
    fn event(&self, event: &Event) {
        match &event.kind {
            EventKind::Accepted { language, .. } => {
                let mut state = self.lock();
                state.accepted += 1;
                state.active.insert(event.run_id.clone(), language.clone());
            }
            EventKind::Finished { status, duration, usage, .. } => {
                let mut state = self.lock();
                state.all.push(*status, *duration, usage.memory_peak);
                if let Some(language) = state.active.remove(&event.run_id) {
                    state.by_language.entry(language).or_default().push(
                        *status,
                        *duration,
                        usage.memory_peak,
                    );
                }
            }
            EventKind::Failed { kind, .. } => {
                let mut state = self.lock();
                state.failed += 1;
                state.active.remove(&event.run_id);
                *state.by_failure.entry(failure_word(*kind)).or_default() += 1;
            }
            _ => {}
        }
    }
}

/// The failure kind's word on the wire.
pub(crate) fn failure_word(kind: FailureKind) -> String {
    serde_json::to_value(kind).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{accepted, failed, finished};

    #[test]
    fn percentiles_are_nearest_rank() {
        let cases: [(&[f64], [f64; 4]); 4] = [
            (&[], [0.0, 0.0, 0.0, 0.0]),
            (&[7.0], [7.0, 7.0, 7.0, 7.0]),
            (&[2.0, 1.0], [1.0, 2.0, 2.0, 2.0]),
            (&[5.0, 1.0, 4.0, 2.0, 3.0], [3.0, 5.0, 5.0, 5.0]),
        ];
        for (values, [p50, p90, p99, max]) in cases {
            let expected = Percentiles { count: values.len() as u64, p50, p90, p99, max };
            assert_eq!(Percentiles::of(values.iter().copied()), expected, "{values:?}");
        }
        let hundred = Percentiles::of((1..=100).map(f64::from));
        assert_eq!((hundred.p50, hundred.p90, hundred.p99), (50.0, 90.0, 99.0));
    }

    #[test]
    fn counts_by_language_status_and_failure() {
        let metrics = MetricsCollector::new();
        for (run, language, status) in [
            ("1", "python", Status::Success),
            ("2", "python", Status::Timeout),
            ("3", "go", Status::Success),
            ("4", "go", Status::MemoryLimit),
        ] {
            metrics.event(&accepted(run, language));
            metrics.event(&finished(run, status, 0.5, 1024));
        }
        metrics.event(&accepted("5", "c"));
        metrics.event(&failed("5"));
        metrics.event(&accepted("6", "rust"));
        let snapshot = metrics.snapshot();
        assert_eq!((snapshot.accepted, snapshot.active, snapshot.finished, snapshot.failed), (6, 1, 4, 1));
        assert_eq!(snapshot.by_status["success"], 2);
        assert_eq!(snapshot.by_failure["sandbox_failed"], 1);
        assert_eq!(snapshot.by_language["python"].by_status["timeout"], 1);
        assert_eq!(snapshot.by_language["go"].memory.p50, 1024.0);
        assert!(serde_json::to_string(&snapshot).unwrap().contains(r#""p99":0.5"#));
    }

    #[test]
    fn the_window_is_bounded_and_the_counts_are_not() {
        let metrics = MetricsCollector::new();
        for n in 0..WINDOW as u64 + 10 {
            let run = n.to_string();
            metrics.event(&accepted(&run, "bash"));
            metrics.event(&finished(&run, Status::Success, n as f64, n));
        }
        let snapshot = metrics.snapshot();
        assert_eq!(snapshot.finished, WINDOW as u64 + 10);
        assert_eq!(snapshot.duration.count, WINDOW as u64);
    }
}
