//! Events of the engines as the protocol's progress notifications: what is being done, not every byte of it.

use formicary_model::{Event, EventKind, Phase};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::Sender;

/// Between two notifications of the same kind.
const PAUSE: Duration = Duration::from_millis(100);

/// Where one call tells how far it is. Nothing waits here: what a slow client misses is no loss.
pub(crate) struct Progress {
    sender: Option<Sender<String>>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    told: Option<(String, Instant)>,
    phase: &'static str,
    elapsed: f64,
    written: u64,
}

impl Progress {
    /// Tells it to whoever receives; nobody asked where there is none.
    pub(crate) fn new(sender: Option<Sender<String>>) -> Self {
        Self { sender, state: Mutex::default() }
    }

    /// Something new is being done: told at once.
    pub(crate) fn step(&self, what: &str) {
        self.tell(what, what.to_owned(), true);
    }

    /// So much of it is done: told now and then.
    pub(crate) fn count(&self, what: &str, done: usize, total: usize) {
        let of = if total == 0 { String::new() } else { format!("/{total}") };
        self.tell(what, format!("{what} {done}{of}"), false);
    }

    /// A program runs: how long, and how much it has written by now.
    fn runs(&self, change: impl FnOnce(&mut State)) {
        let message = {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            change(&mut state);
            let State { phase, elapsed, written, .. } = &*state;
            let phase = if phase.is_empty() { "running" } else { phase };
            format!("{phase} for {elapsed:.1} s, {written} bytes of output")
        };
        self.tell("goes on", message, false);
    }

    /// Output of a program.
    pub(crate) fn wrote(&self, bytes: usize) {
        self.runs(|state| state.written += bytes as u64);
    }

    /// An event of a run.
    pub(crate) fn event(&self, event: &Event) {
        match &event.kind {
            EventKind::PhaseStarted { phase } => {
                let phase = match phase {
                    Phase::Install => "installing packages",
                    Phase::Compile => "compiling",
                    Phase::Run => "running",
                };
                self.state.lock().unwrap_or_else(PoisonError::into_inner).phase = phase;
                self.step(phase);
            }
            EventKind::Output { data, phase: Phase::Run, .. } => self.wrote(data.len()),
            EventKind::Sample { elapsed, .. } => self.runs(|state| state.elapsed = *elapsed),
            _ => {}
        }
    }

    fn tell(&self, kind: &str, message: String, at_once: bool) {
        let Some(sender) = &self.sender else { return };
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let recent = state.told.as_ref().is_some_and(|(_, at)| at.elapsed() < PAUSE);
        let same = state.told.as_ref().is_some_and(|(told, _)| told == kind);
        if recent && (same || !at_once) {
            return;
        }
        state.told = Some((kind.to_owned(), Instant::now()));
        // Full: the client is slow, and later news will be better news.
        let _ = sender.try_send(message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_told_and_floods_are_not() {
        let (sender, mut receiver) = tokio::sync::mpsc::channel(64);
        let progress = Progress::new(Some(sender));
        progress.step("compiling");
        progress.step("running");
        for _ in 0..10_000 {
            progress.wrote(10);
        }
        drop(progress);
        let mut told = Vec::new();
        while let Ok(message) = receiver.try_recv() {
            told.push(message);
        }
        assert_eq!(told[..2], ["compiling", "running"]);
        assert!(told.len() < 60, "{}", told.len());
        Progress::new(None).step("nobody listens");
    }
}
