//! Sending traces and metrics in the background. A run puts its spans into a queue of bounded length and goes on; what does
//! not fit is dropped and counted. What waits when the exporter ends is sent, within a few seconds.

use super::message;
use super::spans::{Spans, Trace, now};
use crate::fanout::Listener;
use crate::metrics::MetricsCollector;
use formicary_model::{Caller, Event};
use serde_json::Value;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Traces that may wait.
const MOST_WAITING: usize = 2_048;
/// Traces in one request.
const BATCH: usize = 256;
/// How long a collector may take to answer.
const PATIENCE: Duration = Duration::from_secs(3);
/// Tries of one request.
const TRIES: u32 = 3;

/// Where to send, and how often.
#[derive(Debug, Clone)]
pub struct OtlpSettings {
    /// The collector's address without a path, such as `http://localhost:4318`.
    pub endpoint: String,
    /// The name of this service.
    pub service: String,
    /// Time between two batches of traces.
    pub traces_every: Duration,
    /// Time between two sendings of metrics.
    pub metrics_every: Duration,
}

impl OtlpSettings {
    /// To this collector, at the usual pace.
    pub fn new(endpoint: impl Into<String>) -> Self {
        Self {
            endpoint: endpoint.into().trim_end_matches('/').to_owned(),
            service: "formicary".into(),
            traces_every: Duration::from_secs(2),
            metrics_every: Duration::from_secs(15),
        }
    }
}

/// What became of traces.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sent {
    /// Traces that the collector took.
    pub sent: u64,
    /// Traces that were dropped: too many, or a collector that does not answer.
    pub dropped: u64,
}

/// Sends traces and metrics until it is dropped.
pub struct Exporter {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    settings: OtlpSettings,
    metrics: Arc<MetricsCollector>,
    started: u64,
    state: Mutex<State>,
    changed: Condvar,
    sent: AtomicU64,
    dropped: AtomicU64,
}

#[derive(Default)]
struct State {
    spans: Spans,
    waiting: Vec<Trace>,
    ending: bool,
}

impl Exporter {
    /// Starts to send.
    pub fn start(settings: OtlpSettings, metrics: Arc<MetricsCollector>) -> std::io::Result<Self> {
        let shared = Arc::new(Shared {
            settings,
            metrics,
            started: now(),
            state: Mutex::default(),
            changed: Condvar::new(),
            sent: AtomicU64::new(0),
            dropped: AtomicU64::new(0),
        });
        let own = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name("otlp".into()).spawn(move || own.work())?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// What became of traces so far.
    pub fn sent(&self) -> Sent {
        let number = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Sent { sent: number(&self.shared.sent), dropped: number(&self.shared.dropped) }
    }
}

impl Drop for Exporter {
    fn drop(&mut self) {
        self.shared.lock().ending = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has nothing to send.
            let _ = thread.join();
        }
    }
}

impl Listener for Exporter {
    fn heard(&self, caller: &Caller, event: &Event) {
        let mut state = self.shared.lock();
        let Some(trace) = state.spans.take(caller, event) else { return };
        if state.waiting.len() >= MOST_WAITING {
            self.shared.dropped.fetch_add(1, Ordering::Relaxed);
            return;
        }
        state.waiting.push(trace);
        if state.waiting.len() >= BATCH {
            self.shared.changed.notify_all();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(PATIENCE))
            .http_status_as_error(false)
            // What the environment says of proxies is not an engine's to read.
            .proxy(None)
            .build();
        let agent = ureq::Agent::new_with_config(config);
        let mut next_metrics = Instant::now() + self.settings.metrics_every;
        loop {
            let (traces, ending) = self.next_batch();
            for batch in traces.chunks(BATCH) {
                let taken = self.send(&agent, "/v1/traces", &message::traces(&self.settings.service, batch));
                let counter = if taken { &self.sent } else { &self.dropped };
                counter.fetch_add(batch.len() as u64, Ordering::Relaxed);
            }
            if ending || Instant::now() >= next_metrics {
                let counted = self.metrics.counted();
                let figures = message::metrics(&self.settings.service, &counted, self.started, now());
                // The next sending tells the same and more.
                self.send(&agent, "/v1/metrics", &figures);
                next_metrics = Instant::now() + self.settings.metrics_every;
            }
            if ending {
                return;
            }
        }
    }

    fn next_batch(&self) -> (Vec<Trace>, bool) {
        let until = Instant::now() + self.settings.traces_every;
        let mut state = self.lock();
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if state.ending || state.waiting.len() >= BATCH || left.is_zero() {
                return (std::mem::take(&mut state.waiting), state.ending);
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Whether the collector took it. One that is busy or not there is asked again, but not when we end.
    fn send(&self, agent: &ureq::Agent, path: &str, body: &Value) -> bool {
        let url = format!("{}{path}", self.settings.endpoint);
        for attempt in 0..TRIES {
            let answer = agent.post(&url).header("content-type", "application/json").send(body.to_string());
            match answer.map(|answer| answer.status().as_u16()) {
                Ok(200..300) => return true,
                Ok(429 | 500..) | Err(_) => {}
                Ok(_) => return false,
            }
            let pause = Duration::from_millis(200 << attempt);
            let state = self.lock();
            let ending = |state: &mut State| !state.ending;
            let waited = self.changed.wait_timeout_while(state, pause, ending);
            if waited.unwrap_or_else(PoisonError::into_inner).0.ending {
                return false;
            }
        }
        false
    }
}
