//! What each run used over time, from the samples that the executor sends.

use formicary_model::{Event, EventKind, Observer, Phase, Usage};
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// One look at a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ResourcePoint {
    /// The phase.
    pub phase: Phase,
    /// Seconds since the phase started.
    pub elapsed: f64,
    /// Used so far.
    pub usage: Usage,
}

/// A run's use of resources over time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Timeline {
    /// Points in the order of time. A long run is thinned evenly, never cut off.
    pub points: Vec<ResourcePoint>,
    /// Every how many samples one was kept.
    pub stride: u64,
    /// Samples seen.
    pub samples: u64,
    phase: Phase,
}

impl Timeline {
    fn new() -> Self {
        Self { points: Vec::new(), stride: 1, samples: 0, phase: Phase::Run }
    }

    // When the line is full every second point goes and the stride doubles: the shape of the whole run stays.
    fn push(&mut self, elapsed: f64, usage: &Usage, capacity: usize) {
        if self.samples.is_multiple_of(self.stride) {
            if self.points.len() >= capacity {
                let mut index = 0;
                self.points.retain(|_| {
                    index += 1;
                    index % 2 == 1
                });
                self.stride *= 2;
            }
            if self.samples.is_multiple_of(self.stride) {
                self.points.push(ResourcePoint { phase: self.phase, elapsed, usage: usage.clone() });
            }
        }
        self.samples += 1;
    }
}

/// Keeps a bounded timeline for each of a bounded number of runs.
pub struct ResourceMonitor {
    state: Mutex<State>,
    max_runs: usize,
    max_points: usize,
}

#[derive(Default)]
struct State {
    timelines: BTreeMap<String, Timeline>,
    order: VecDeque<String>,
}

impl ResourceMonitor {
    /// A monitor of at most `max_runs` runs with at most `max_points` points each (at least two).
    pub fn new(max_runs: usize, max_points: usize) -> Self {
        Self { state: Mutex::default(), max_runs: max_runs.max(1), max_points: max_points.max(2) }
    }

    /// The timeline of one run.
    pub fn timeline(&self, run_id: &str) -> Option<Timeline> {
        self.lock().timelines.get(run_id).cloned()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for ResourceMonitor {
    fn default() -> Self {
        Self::new(256, 512)
    }
}

impl State {
    fn of(&mut self, run_id: &str, max_runs: usize) -> &mut Timeline {
        if !self.timelines.contains_key(run_id) {
            self.order.push_back(run_id.to_owned());
            if self.order.len() > max_runs
                && let Some(oldest) = self.order.pop_front()
            {
                self.timelines.remove(&oldest);
            }
        }
        self.timelines.entry(run_id.to_owned()).or_insert_with(Timeline::new)
    }
}

impl Observer for ResourceMonitor {
    fn event(&self, event: &Event) {
        match &event.kind {
            EventKind::PhaseStarted { phase } => {
                self.lock().of(&event.run_id, self.max_runs).phase = *phase;
            }
            EventKind::Sample { elapsed, usage } => {
                self.lock().of(&event.run_id, self.max_runs).push(*elapsed, usage, self.max_points);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{event, usage};

    fn sample(run_id: &str, n: u64) -> Event {
        event(run_id, n, EventKind::Sample { elapsed: n as f64, usage: usage(n) })
    }

    #[test]
    fn a_long_run_is_thinned_over_its_whole_length() {
        let monitor = ResourceMonitor::new(4, 16);
        (0..10_000).for_each(|n| monitor.event(&sample("long", n)));
        let line = monitor.timeline("long").unwrap();
        assert_eq!(line.samples, 10_000);
        assert!(line.points.len() <= 16, "{}", line.points.len());
        assert_eq!(line.points[0].elapsed, 0.0);
        assert!(line.points.last().unwrap().elapsed > 8_000.0);
        let steps: Vec<f64> = line.points.windows(2).map(|w| w[1].elapsed - w[0].elapsed).collect();
        assert!(steps.iter().all(|step| *step == line.stride as f64), "{steps:?}");
    }

    #[test]
    fn the_oldest_run_makes_room() {
        let monitor = ResourceMonitor::new(2, 8);
        for run in ["a", "b", "c"] {
            monitor.event(&sample(run, 1));
        }
        assert!(monitor.timeline("a").is_none());
        assert!(monitor.timeline("b").is_some() && monitor.timeline("c").is_some());
    }

    #[test]
    fn points_know_their_phase() {
        let monitor = ResourceMonitor::default();
        monitor.event(&event("r", 0, EventKind::PhaseStarted { phase: Phase::Compile }));
        monitor.event(&sample("r", 1));
        monitor.event(&event("r", 2, EventKind::PhaseStarted { phase: Phase::Run }));
        monitor.event(&sample("r", 3));
        let phases: Vec<_> = monitor.timeline("r").unwrap().points.iter().map(|p| p.phase).collect();
        assert_eq!(phases, [Phase::Compile, Phase::Run]);
    }
}
