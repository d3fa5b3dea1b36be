//! Work without the interpreter's lock. It runs on a thread of its own, so that the caller's thread can look after signals:
//! Ctrl-C calls the work off and is raised once the work has cleaned up behind itself.

use crate::failure::raised;
use formicary_model::{Failure, FailureKind};
use formicary_platform::Cancel;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

/// How often signals are looked for.
const TICK: Duration = Duration::from_millis(20);
/// How long work that was called off may take to clean up before the caller goes on. What is left then ends by itself.
const PATIENCE: Duration = Duration::from_secs(5);

/// Something that work sends to the thread that waits for it. Shared across `detach`, hence the mutex.
pub(crate) struct Inbox<T>(Mutex<Receiver<T>>);

impl<T: Send> Inbox<T> {
    pub(crate) fn new(receiver: Receiver<T>) -> Self {
        Self(Mutex::new(receiver))
    }

    /// The next thing; none where the sender is gone. Raises what a signal's handler raises, after the work has ended.
    pub(crate) fn next(&self, py: Python<'_>, cancel: &Cancel) -> PyResult<Option<T>> {
        loop {
            match py.detach(|| self.within(TICK)) {
                Ok(thing) => return Ok(Some(thing)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(interrupt) = py.check_signals() {
                        cancel.cancel();
                        py.detach(|| self.drain());
                        return Err(interrupt);
                    }
                }
            }
        }
    }

    /// Waits until the sender is gone, or patience is.
    pub(crate) fn drain(&self) {
        let started = Instant::now();
        while started.elapsed() < PATIENCE {
            if let Err(RecvTimeoutError::Disconnected) = self.within(TICK) {
                return;
            }
        }
    }

    fn within(&self, time: Duration) -> Result<T, RecvTimeoutError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(time)
    }
}

/// Does work on a thread of its own and waits for it.
pub(crate) fn wait(
    py: Python<'_>,
    cancel: &Cancel,
    work: impl FnOnce() -> Result<String, Failure> + Send + 'static,
) -> PyResult<String> {
    let (sender, receiver) = mpsc::channel();
    spawn(move || {
        // Nobody waits any more: then the answer is not wanted.
        let _ = sender.send(guarded(work));
    })
    .map_err(raised)?;
    match Inbox::new(receiver).next(py, cancel)? {
        Some(answer) => answer.map_err(raised),
        None => Err(raised(fault())),
    }
}

/// A fault of ours becomes a failure: a panic never reaches Python.
pub(crate) fn guarded(work: impl FnOnce() -> Result<String, Failure>) -> Result<String, Failure> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(fault()))
}

pub(crate) fn spawn(work: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    let spawned = std::thread::Builder::new().name("formicary".into()).spawn(work);
    spawned.map(drop).map_err(|error| {
        Failure::new(FailureKind::Internal, format!("a thread could not be started: {error}"))
            .hint("raise the number of processes that this user may have")
    })
}

fn fault() -> Failure {
    Failure::new(FailureKind::Internal, "Formicary failed; what it said is on stderr")
}
