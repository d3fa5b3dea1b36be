//! Events of one run, told to its observer.

use super::run_id::now_ms;
use formicary_model::{Event, EventKind, Observer, Phase, Step};
use formicary_sandbox::provider::Progress;
use std::time::Duration;

/// Tells one run's events.
pub struct Teller<'a> {
    /// The run.
    pub run_id: &'a str,
    /// Who listens.
    pub observer: &'a dyn Observer,
}

impl Teller<'_> {
    /// One event.
    pub fn tell(&self, kind: EventKind) {
        self.observer.event(&Event { run_id: self.run_id.to_string(), at_ms: now_ms(), kind });
    }

    /// Something around the program took this long.
    pub fn took(&self, step: Step, time: Duration) {
        self.tell(EventKind::Step { step, seconds: time.as_secs_f64() });
    }

    /// What a running job says.
    pub fn progress(&self, phase: Phase, progress: &Progress<'_>) {
        self.tell(match progress {
            Progress::Started => EventKind::PhaseStarted { phase },
            Progress::Output(stream, data) => {
                EventKind::Output { phase, stream: *stream, data: data.to_vec() }
            }
            Progress::Sample(elapsed, usage) => {
                EventKind::Sample { elapsed: elapsed.as_secs_f64(), usage: (*usage).clone() }
            }
            // The verdict tells of it when the run has ended.
            Progress::MemoryKills(_) => return,
        });
    }
}
