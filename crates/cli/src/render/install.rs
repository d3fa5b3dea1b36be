//! A moving line on the terminal while packages are installed: how many, and what is going on.

use crate::terminal;
use formicary_model::visible::one_line;
use formicary_model::{Event, EventKind, Observer, Phase};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

const TICK: Duration = Duration::from_millis(120);

/// Shows the installing phase, and nothing of any other.
pub struct InstallProgress {
    bar: ProgressBar,
    line: Mutex<Line>,
}

#[derive(Default)]
struct Line {
    begun: Vec<u8>,
    packages: u64,
}

impl InstallProgress {
    /// A line that appears when something is installed, if a person looks on.
    pub fn new(quiet: bool) -> Self {
        let target = match quiet || !terminal::stderr_is_terminal() {
            true => ProgressDrawTarget::hidden(),
            false => ProgressDrawTarget::stderr(),
        };
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) =
            ProgressStyle::with_template("{spinner} installing packages, {pos} found, {elapsed}: {wide_msg}")
        {
            bar.set_style(style);
        }
        Self { bar, line: Mutex::default() }
    }

    fn take(&self, data: &[u8]) {
        let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        for byte in data {
            if *byte != b'\n' {
                // What an installer says is short; something else may be shown cut.
                if line.begun.len() < 500 {
                    line.begun.push(*byte);
                }
                continue;
            }
            let text = String::from_utf8_lossy(&std::mem::take(&mut line.begun)).trim().to_string();
            if text.starts_with("Collecting ") || text.starts_with("+ ") {
                line.packages += 1;
            }
            if !text.is_empty() {
                self.bar.set_position(line.packages);
                self.bar.set_message(one_line(&text));
            }
        }
    }
}

impl Observer for InstallProgress {
    fn event(&self, event: &Event) {
        match &event.kind {
            EventKind::PhaseStarted { phase: Phase::Install } => self.bar.enable_steady_tick(TICK),
            EventKind::Output { phase: Phase::Install, data, .. } => self.take(data),
            EventKind::PhaseFinished { phase: Phase::Install, .. } | EventKind::Failed { .. } => {
                self.bar.finish_and_clear();
            }
            _ => {}
        }
    }
}

impl Drop for InstallProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
