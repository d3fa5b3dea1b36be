//! The program's output on the terminal as it comes, byte for byte.
//!
//! Writing happens on a thread of its own. A reader that stands still (a pager, a stuck pipe) then holds up the
//! program, as it would without a sandbox, but not the clock that ends it.

use formicary_model::{Event, EventKind, Observer, Phase, Stream};
use formicary_platform::Cancel;
use std::io::{self, Write as _};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Pieces of output that may wait for the reader.
const WAITING: usize = 64;
const PAUSE: Duration = Duration::from_millis(2);

type Piece = (Stream, Vec<u8>);

/// Streams output to our own stdout and stderr. The compiler's goes to stderr: stdout is the program's.
pub struct LiveOutput {
    cancel: Cancel,
    /// Wall-clock limits of the compile step and of the run.
    limits: (Duration, Duration),
    state: Mutex<State>,
    failed: Arc<Mutex<Option<io::Error>>>,
}

#[derive(Default)]
struct State {
    writer: Option<(SyncSender<Piece>, JoinHandle<()>)>,
    deadline: Option<Instant>,
}

impl LiveOutput {
    /// Output of a run that `cancel` ends, with the wall-clock limits of its two phases.
    pub fn new(cancel: Cancel, compile_limit: Duration, run_limit: Duration) -> Self {
        let limits = (compile_limit, run_limit);
        Self { cancel, limits, state: Mutex::default(), failed: Arc::default() }
    }

    /// Waits until everything is written; the first write that failed is told here.
    pub fn finish(&self) -> io::Result<()> {
        let writer = self.state.lock().unwrap_or_else(PoisonError::into_inner).writer.take();
        if let Some((sender, thread)) = writer {
            drop(sender);
            // The thread only writes; it has nothing to panic about, and if it did the output is over too.
            let _ = thread.join();
        }
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }

    fn start(&self) -> (SyncSender<Piece>, JoinHandle<()>) {
        let (sender, receiver) = sync_channel(WAITING);
        let (failed, cancel) = (Arc::clone(&self.failed), self.cancel.clone());
        let thread = std::thread::spawn(move || {
            if let Err(error) = write_all(&receiver) {
                // A program whose output nobody can have need not run on.
                *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                cancel.cancel();
            }
        });
        (sender, thread)
    }

    fn send(&self, stream: Stream, data: &[u8]) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let deadline = state.deadline;
        let (sender, _) = state.writer.get_or_insert_with(|| self.start());
        let mut piece = (stream, data.to_vec());
        loop {
            piece = match sender.try_send(piece) {
                Ok(()) | Err(TrySendError::Disconnected(_)) => return,
                Err(TrySendError::Full(piece)) => piece,
            };
            // Past its time the program is about to be ended: its last words are not worth missing that.
            if self.cancel.is_cancelled() || deadline.is_some_and(|deadline| Instant::now() > deadline) {
                return;
            }
            std::thread::sleep(PAUSE);
        }
    }
}

impl Observer for LiveOutput {
    fn event(&self, event: &Event) {
        match &event.kind {
            EventKind::PhaseStarted { phase } => {
                let limit = if *phase == Phase::Compile { self.limits.0 } else { self.limits.1 };
                let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
                state.deadline = Instant::now().checked_add(limit);
            }
            EventKind::Output { phase: Phase::Compile, data, .. } => self.send(Stream::Stderr, data),
            EventKind::Output { phase: Phase::Run, stream, data } => self.send(*stream, data),
            _ => {}
        }
    }
}

fn write_all(pieces: &Receiver<Piece>) -> io::Result<()> {
    let (mut out, mut err) = (io::stdout().lock(), io::stderr().lock());
    for (stream, data) in pieces {
        match stream {
            Stream::Stdout => {
                out.write_all(&data)?;
                out.flush()?;
            }
            Stream::Stderr => err.write_all(&data)?,
        }
    }
    Ok(())
}
