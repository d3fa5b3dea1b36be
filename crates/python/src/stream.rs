//! A run's events as they come. The run never waits for its reader: what a slow reader has not taken is bounded, and output
//! beyond the bound is left out of the events; the result at the end has its head and tail all the same.

use crate::failure::raised;
use crate::operations::{self, Core, execute};
use crate::waiting::{Inbox, guarded, spawn};
use formicary_model::{Event, EventKind, Failure, FailureKind};
use formicary_platform::Cancel;
use formicary_platform::execute::Execute;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};

/// Bytes of events that may wait for the reader.
const MOST_WAITING: usize = 16 << 20;

enum News {
    Event(String),
    Ended(Result<String, Failure>),
}

/// An iterator over events as JSON; the last item is `{"event": "result", "result": …}`.
#[pyclass(frozen, module = "formicary._formicary")]
pub(crate) struct Stream {
    inbox: Inbox<News>,
    waiting: Arc<AtomicUsize>,
    cancel: Cancel,
    process: u32,
}

impl Stream {
    pub(crate) fn start(core: Arc<Core>, request: String) -> Result<Self, Failure> {
        let (sender, receiver) = mpsc::channel();
        let (waiting, cancel) = (Arc::new(AtomicUsize::new(0)), Cancel::default());
        let (count, switch) = (Arc::clone(&waiting), cancel.clone());
        spawn(move || {
            let events = Mutex::new(sender.clone());
            let observer = |event: &Event| {
                let bulky = matches!(event.kind, EventKind::Output { .. } | EventKind::Sample { .. });
                if bulky && count.load(Ordering::Relaxed) > MOST_WAITING {
                    return;
                }
                let (Ok(text), Ok(events)) = (serde_json::to_string(event), events.lock()) else { return };
                count.fetch_add(text.len(), Ordering::Relaxed);
                let _ = events.send(News::Event(text));
            };
            let ended = guarded(|| {
                let request = execute::request(&core, &request)?;
                let context = operations::context(&core, &switch)?.observed(&observer);
                operations::written(&core.platform.perform::<Execute>(&context, request)?)
            });
            let _ = sender.send(News::Ended(ended));
        })?;
        Ok(Self { inbox: Inbox::new(receiver), waiting, cancel, process: std::process::id() })
    }
}

#[pymethods]
impl Stream {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<String>> {
        if self.process != std::process::id() {
            let message = "this run belongs to the process before the fork";
            return Err(raised(Failure::new(FailureKind::Internal, message)));
        }
        Ok(match self.inbox.next(py, &self.cancel)? {
            None => None,
            Some(News::Event(text)) => {
                self.waiting.fetch_sub(text.len(), Ordering::Relaxed);
                Some(text)
            }
            Some(News::Ended(Ok(result))) => Some(format!("{{\"event\":\"result\",\"result\":{result}}}")),
            Some(News::Ended(Err(failure))) => return Err(raised(failure)),
        })
    }

    /// Ends the run and waits until nothing of it is left.
    fn close(&self, py: Python<'_>) {
        self.cancel.cancel();
        if self.process == std::process::id() {
            py.detach(|| self.inbox.drain());
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}
