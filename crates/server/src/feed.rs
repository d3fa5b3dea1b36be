//! What happens in a run, numbered and kept for whoever reads it: at once, later, or again from a number on.
//!
//! Bounded: a reader that does not keep up misses the oldest and is told how much, and neither the run nor other readers
//! wait for it.

use formicary_model::{Event, EventKind, Observer, Phase, Stream};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// Bytes kept of one run.
const MOST_BYTES: usize = 4 << 20;

/// One event as it is sent.
#[derive(Debug, Clone)]
pub struct Told {
    /// Its number, from 1.
    pub number: u64,
    /// Its name.
    pub name: &'static str,
    /// Its JSON.
    pub data: Arc<str>,
}

/// The events of one run.
#[derive(Debug)]
pub struct Feed {
    state: Mutex<State>,
    grown: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct State {
    events: VecDeque<Told>,
    bytes: usize,
    last: u64,
    closed: bool,
    run_id: Option<String>,
}

impl Default for Feed {
    fn default() -> Self {
        Self { state: Mutex::default(), grown: watch::Sender::new(0) }
    }
}

impl Feed {
    /// Adds an event.
    pub fn push(&self, name: &'static str, data: &impl Serialize) {
        let data: Arc<str> = serde_json::to_string(data).unwrap_or_else(|_| "null".into()).into();
        let mut state = self.lock();
        if state.closed {
            return;
        }
        state.last += 1;
        state.bytes += data.len();
        let number = state.last;
        state.events.push_back(Told { number, name, data });
        while state.bytes > MOST_BYTES && state.events.len() > 1 {
            if let Some(oldest) = state.events.pop_front() {
                state.bytes -= oldest.data.len();
            }
        }
        drop(state);
        self.grown.send_replace(number);
    }

    /// The first run that it tells of.
    pub fn run_id(&self) -> Option<String> {
        self.lock().run_id.clone()
    }

    /// Says which run it tells of, where that was known before.
    pub fn is_of(&self, run_id: Option<String>) {
        self.lock().run_id = run_id;
    }

    /// Bytes that it keeps.
    pub fn bytes(&self) -> usize {
        self.lock().bytes
    }

    /// Nothing more will come.
    pub fn close(&self) {
        self.lock().closed = true;
        self.grown.send_modify(|_| ());
    }

    /// The event after this number, as soon as there is one; nothing where there will be none. What was missed is an event
    /// named `lost`.
    pub async fn after(&self, number: u64) -> Option<Told> {
        let mut grown = self.grown.subscribe();
        loop {
            grown.mark_unchanged();
            {
                let state = self.lock();
                let first = state.events.front().map_or(state.last + 1, |event| event.number);
                if number + 1 < first && number < state.last {
                    let data = json!({ "events": first - number - 1 }).to_string();
                    return Some(Told { number: first - 1, name: "lost", data: data.into() });
                }
                let found = usize::try_from((number + 1).saturating_sub(first)).unwrap_or(usize::MAX);
                if let Some(event) = state.events.get(found) {
                    return Some(event.clone());
                }
                if state.closed {
                    return None;
                }
            }
            grown.changed().await.ok()?;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Feed {
    fn event(&self, event: &Event) {
        if matches!(event.kind, EventKind::Accepted { .. }) {
            self.lock().run_id.get_or_insert_with(|| event.run_id.clone());
        }
        match &event.kind {
            EventKind::Output { phase, stream, data } => self.push("output", &output(*phase, *stream, data)),
            EventKind::Sample { .. } => self.push("sample", event),
            // How it ended is told by the last event, with everything.
            EventKind::Finished { .. } | EventKind::Failed { .. } => {}
            _ => self.push("stage", event),
        }
    }

    fn reads_along(&self) -> bool {
        true
    }
}

/// Output on the wire: text where it is, base64 where it is not.
pub fn output(phase: Phase, stream: Stream, data: &[u8]) -> Value {
    match std::str::from_utf8(data) {
        Ok(text) => json!({ "phase": phase, "stream": stream, "text": text }),
        Err(_) => {
            let encoded = serde_json::to_value(formicary_model::judging::Bytes(data.to_vec()));
            let base64 = encoded.ok().and_then(|value| value.get("base64").cloned());
            json!({ "phase": phase, "stream": stream, "base64": base64 })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn events_are_read_from_any_number_on() {
        let feed = Feed::default();
        for n in 0..3 {
            feed.push("n", &n);
        }
        assert_eq!(&*feed.after(0).await.unwrap().data, "0");
        assert_eq!(&*feed.after(2).await.unwrap().data, "2");
        feed.close();
        assert!(feed.after(3).await.is_none() && feed.after(99).await.is_none());
        feed.push("late", &1);
        assert!(feed.after(3).await.is_none());
    }

    #[tokio::test]
    async fn who_does_not_keep_up_is_told() {
        let feed = Feed::default();
        let large = "x".repeat(MOST_BYTES / 2);
        for _ in 0..4 {
            feed.push("n", &large);
        }
        let lost = feed.after(0).await.unwrap();
        assert_eq!((lost.name, lost.number, &*lost.data), ("lost", 3, r#"{"events":3}"#));
        assert_eq!(feed.after(lost.number).await.unwrap().number, 4);
    }

    #[tokio::test]
    async fn a_reader_is_woken() {
        let feed = Arc::new(Feed::default());
        let reader = tokio::spawn({
            let feed = Arc::clone(&feed);
            async move { feed.after(0).await.unwrap().number }
        });
        tokio::task::yield_now().await;
        feed.push("n", &());
        assert_eq!(reader.await.unwrap(), 1);
    }

    #[test]
    fn bytes_that_are_no_text_are_base64() {
        assert_eq!(output(Phase::Run, Stream::Stdout, b"\xff\x00")["base64"], "/wA=");
        assert_eq!(output(Phase::Run, Stream::Stdout, b"hi")["text"], "hi");
    }
}
