//! Counts and percentiles over all runs of a process.

use crate::fanout::Listener;
use crate::sketch::Sketch;
use formicary_model::{Caller, Event, EventKind, FailureKind, Observer, Status, Step, Usage};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Series kept; tenants that come when there are so many are counted together.
const MOST_SERIES: usize = 2_000;
/// Their name.
const OTHERS: &str = "(others)";

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
    /// Seconds of runs.
    pub duration: Percentiles,
    /// Peak memory of runs, in bytes.
    pub memory: Percentiles,
    /// The same for each language.
    pub by_language: BTreeMap<String, PartMetrics>,
    /// The same for each isolation provider.
    pub by_provider: BTreeMap<String, PartMetrics>,
    /// The same for each tenant; the one without a name are those of none.
    pub by_tenant: BTreeMap<String, PartMetrics>,
    /// Seconds of what is around programs: waiting, checking, making sandboxes, bringing files back.
    pub by_step: BTreeMap<&'static str, Percentiles>,
}

/// One part's figures.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PartMetrics {
    /// Runs that ended with a result.
    pub finished: u64,
    /// Results by status.
    pub by_status: BTreeMap<&'static str, u64>,
    /// Seconds of runs.
    pub duration: Percentiles,
    /// Peak memory of runs, in bytes.
    pub memory: Percentiles,
    /// CPU seconds, all together.
    pub cpu_seconds: f64,
}

/// Nearest-rank percentiles of a series, within two in a hundred; zeros where it is empty.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Percentiles {
    /// Values they were taken from.
    pub count: u64,
    /// All of them together.
    pub sum: f64,
    /// The median.
    pub p50: f64,
    /// Nine of ten are not above it.
    pub p90: f64,
    /// Ninety-nine of a hundred are not above it.
    pub p99: f64,
    /// The largest.
    pub max: f64,
}

impl From<&Sketch> for Percentiles {
    fn from(sketch: &Sketch) -> Self {
        let [p50, p90, p99] = [50, 90, 99].map(|percent| sketch.percentile(percent));
        Self { count: sketch.count(), sum: sketch.sum(), p50, p90, p99, max: sketch.max() }
    }
}

/// Whose runs a series is of.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Labels {
    /// The language's identifier.
    pub language: String,
    /// The isolation provider.
    pub provider: String,
    /// The tenant; empty where there is none.
    pub tenant: String,
}

/// The figures of one language, provider and tenant.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Series {
    /// Results by status.
    pub by_status: BTreeMap<&'static str, u64>,
    /// Seconds of runs.
    pub durations: Sketch,
    /// Peak memory, in bytes.
    pub memory: Sketch,
    /// CPU seconds, all together.
    pub cpu_seconds: f64,
}

impl Series {
    fn push(&mut self, status: Status, duration: f64, usage: &Usage) {
        *self.by_status.entry(status.word()).or_default() += 1;
        self.durations.add(duration);
        self.cpu_seconds += usage.cpu_user + usage.cpu_system;
        if let Some(bytes) = usage.memory_peak {
            self.memory.add(bytes as f64);
        }
    }

    fn merge(&mut self, other: &Self) {
        for (status, count) in &other.by_status {
            *self.by_status.entry(status).or_default() += count;
        }
        self.durations.merge(&other.durations);
        self.memory.merge(&other.memory);
        self.cpu_seconds += other.cpu_seconds;
    }

    fn part(&self) -> PartMetrics {
        PartMetrics {
            finished: self.by_status.values().sum(),
            by_status: self.by_status.clone(),
            duration: Percentiles::from(&self.durations),
            memory: Percentiles::from(&self.memory),
            cpu_seconds: self.cpu_seconds,
        }
    }
}

/// Counts runs, by language, status, provider and tenant.
#[derive(Default)]
pub struct MetricsCollector {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    accepted: u64,
    failed: u64,
    by_failure: BTreeMap<String, u64>,
    /// Whose each run is that is under way.
    active: BTreeMap<String, Labels>,
    series: BTreeMap<Labels, Series>,
    steps: BTreeMap<Step, Sketch>,
}

impl State {
    fn series(&mut self, mut labels: Labels) -> &mut Series {
        if self.series.len() >= MOST_SERIES && !self.series.contains_key(&labels) {
            labels.tenant = OTHERS.into();
        }
        self.series.entry(labels).or_default()
    }
}

/// Counts at one moment, with everything that a histogram is made of.
#[derive(Debug, Clone, Default)]
pub struct Counted {
    /// Runs that the guard let in.
    pub accepted: u64,
    /// Runs that are under way.
    pub active: u64,
    /// Failures by kind.
    pub by_failure: BTreeMap<String, u64>,
    /// Figures of runs.
    pub series: BTreeMap<Labels, Series>,
    /// Seconds of what is around programs.
    pub steps: BTreeMap<Step, Sketch>,
}

impl MetricsCollector {
    /// Nothing counted yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Everything at this moment, for people and programs.
    pub fn snapshot(&self) -> MetricsSnapshot {
        let state = self.lock();
        let mut all = Series::default();
        let (mut languages, mut providers, mut tenants) = (Parts::new(), Parts::new(), Parts::new());
        for (labels, series) in &state.series {
            all.merge(series);
            for (parts, name) in [
                (&mut languages, &labels.language),
                (&mut providers, &labels.provider),
                (&mut tenants, &labels.tenant),
            ] {
                parts.entry(name.clone()).or_default().merge(series);
            }
        }
        let parts = |parts: Parts| parts.into_iter().map(|(name, series)| (name, series.part())).collect();
        let part = all.part();
        MetricsSnapshot {
            accepted: state.accepted,
            active: state.active.len() as u64,
            finished: part.finished,
            failed: state.failed,
            by_status: part.by_status,
            by_failure: state.by_failure.clone(),
            duration: part.duration,
            memory: part.memory,
            by_language: parts(languages),
            by_provider: parts(providers),
            by_tenant: parts(tenants),
            by_step: state.steps.iter().map(|(step, sketch)| (step.word(), sketch.into())).collect(),
        }
    }

    /// Everything at this moment, as it was counted.
    pub fn counted(&self) -> Counted {
        let state = self.lock();
        Counted {
            accepted: state.accepted,
            active: state.active.len() as u64,
            by_failure: state.by_failure.clone(),
            series: state.series.clone(),
            steps: state.steps.clone(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

type Parts = BTreeMap<String, Series>;

impl Observer for MetricsCollector {
    fn event(&self, event: &Event) {
        self.heard(&Caller::default(), event);
    }
}

impl Listener for MetricsCollector {
    fn heard(&self, caller: &Caller, event: &Event) {
        match &event.kind {
            EventKind::Accepted { language, provider, .. } => {
                let mut state = self.lock();
                state.accepted += 1;
                let labels = Labels {
                    language: language.clone(),
                    provider: provider.clone(),
                    tenant: caller.tenant().to_owned(),
                };
                state.active.insert(event.run_id.clone(), labels);
            }
            EventKind::Step { step, seconds } => self.lock().steps.entry(*step).or_default().add(*seconds),
            EventKind::Finished { status, duration, usage, .. } => {
                let mut state = self.lock();
                let labels = state.active.remove(&event.run_id).unwrap_or_default();
                state.series(labels).push(*status, *duration, usage);
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
    fn tenants_and_providers_are_told_apart_and_bounded() {
        let metrics = MetricsCollector::new();
        for n in 0..MOST_SERIES as u64 + 500 {
            let (run, caller) = (n.to_string(), Caller::new("x").of(format!("t{n}")));
            metrics.heard(&caller, &accepted(&run, "bash"));
            metrics.heard(&caller, &finished(&run, Status::Success, n as f64, n));
        }
        let snapshot = metrics.snapshot();
        assert_eq!(snapshot.finished, MOST_SERIES as u64 + 500);
        assert_eq!(snapshot.by_provider["native"].finished, MOST_SERIES as u64 + 500);
        assert_eq!(snapshot.by_tenant["t7"].finished, 1);
        assert_eq!(snapshot.by_tenant[OTHERS].finished, 500);
        assert!(metrics.counted().series.len() <= MOST_SERIES + 1);
    }
}
