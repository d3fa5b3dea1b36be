//! The line into a sandbox: bytes to the standard input of what runs there, bytes from its standard output.
//!
//! Whoever speaks inside is not to be trusted: what it says and nobody has heard yet is bounded, and waiting has an end.

use formicary_model::{Event, EventKind, Observer, Phase, Stream};
use formicary_sandbox::Cancel;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Instant;

/// So much may be said before anybody hears it; who says more is ended.
const MOST_UNHEARD: usize = 64 * 1024 * 1024;

/// Why nothing was heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Silence {
    /// There is nobody any more.
    Over,
    /// Nothing was said in time.
    Late,
}

/// The caller's end.
#[derive(Debug)]
pub struct Line {
    orders: Sender<Vec<u8>>,
    heard: Receiver<Vec<u8>>,
    unheard: Arc<AtomicUsize>,
    rest: Vec<u8>,
}

impl Line {
    /// Says something. `false`: there is nobody.
    pub fn send(&self, bytes: Vec<u8>) -> bool {
        self.orders.send(bytes).is_ok()
    }

    /// What was said next; without an end to waiting where none is given.
    pub fn receive(&mut self, until: Option<Instant>) -> Result<Vec<u8>, Silence> {
        if !self.rest.is_empty() {
            return Ok(std::mem::take(&mut self.rest));
        }
        let bytes = match until {
            None => self.heard.recv().map_err(|_| Silence::Over)?,
            Some(until) => {
                let patience = until.saturating_duration_since(Instant::now());
                self.heard.recv_timeout(patience).map_err(|error| match error {
                    RecvTimeoutError::Disconnected => Silence::Over,
                    RecvTimeoutError::Timeout => Silence::Late,
                })?
            }
        };
        self.unheard.fetch_sub(bytes.len(), Ordering::AcqRel);
        Ok(bytes)
    }

    /// Gives back what was said too much of.
    pub fn unread(&mut self, bytes: Vec<u8>) {
        self.rest = bytes;
    }
}

/// A line: the caller's end, its orders as standard input, and the ears.
pub fn lay(outer: Cancel, inner: Cancel) -> (Line, Orders, Ears) {
    let (orders, ears) = mpsc::channel();
    let (mouth, heard) = mpsc::channel();
    let unheard = Arc::new(AtomicUsize::new(0));
    let line = Line { orders, heard, unheard: Arc::clone(&unheard), rest: Vec::new() };
    (line, Orders { ears, rest: Vec::new() }, Ears { mouth, unheard, outer, inner })
}

/// Commands, as standard input.
#[derive(Debug)]
pub struct Orders {
    ears: Receiver<Vec<u8>>,
    rest: Vec<u8>,
}

impl Read for Orders {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.rest.is_empty() {
            // No sender left: the end of the file.
            let Ok(next) = self.ears.recv() else { return Ok(0) };
            self.rest = next;
        }
        let count = self.rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Ok(count)
    }
}

/// Hears what is said among the events of the run.
#[derive(Debug)]
pub struct Ears {
    mouth: Sender<Vec<u8>>,
    unheard: Arc<AtomicUsize>,
    outer: Cancel,
    inner: Cancel,
}

impl Observer for Ears {
    fn event(&self, event: &Event) {
        if self.outer.is_cancelled() {
            self.inner.cancel();
        }
        let EventKind::Output { phase: Phase::Run, stream: Stream::Stdout, data } = &event.kind else {
            return;
        };
        if self.unheard.fetch_add(data.len(), Ordering::AcqRel) + data.len() > MOST_UNHEARD {
            self.inner.cancel();
            return;
        }
        let _ = self.mouth.send(data.clone());
    }
}
