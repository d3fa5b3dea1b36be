//! The program's output on the terminal as it comes, byte for byte.
//!
//! Writing happens on a thread of its own. A reader that stands still (a pager, a stuck pipe) then holds up the
//! program, as it would without a sandbox, but not the clock that ends it.

use formicary_model::{Event, EventKind, Observer, Phase, Stream};
use formicary_platform::Cancel;
use std::io::{self, Write as _};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
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

enum Writer {
    Apart(SyncSender<Piece>, JoinHandle<()>),
    /// This host is out of threads: who brings output writes it, and waits for the reader.
    Here,
}

#[derive(Default)]
struct State {
    writer: Option<Writer>,
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
        if let Some(Writer::Apart(sender, thread)) = writer {
            drop(sender);
            // The thread only writes; it has nothing to panic about, and if it did the output is over too.
            let _ = thread.join();
        }
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }

    fn start(&self) -> Writer {
        let (sender, receiver) = sync_channel(WAITING);
        let (failed, cancel) = (Arc::clone(&self.failed), self.cancel.clone());
        let write = move || give_up_on(write_all(receiver), &failed, &cancel);
        match std::thread::Builder::new().name("output".into()).spawn(write) {
            Ok(thread) => Writer::Apart(sender, thread),
            Err(_) => Writer::Here,
        }
    }

    fn send(&self, stream: Stream, data: &[u8]) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let deadline = state.deadline;
        let mut piece = (stream, data.to_vec());
        let Writer::Apart(sender, _) = state.writer.get_or_insert_with(|| self.start()) else {
            return give_up_on(write_all([piece]), &self.failed, &self.cancel);
        };
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

/// A program whose output nobody can have need not run on.
fn give_up_on(written: io::Result<()>, failed: &Mutex<Option<io::Error>>, cancel: &Cancel) {
    if let Err(error) = written {
        failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        cancel.cancel();
    }
}

fn write_all(pieces: impl IntoIterator<Item = Piece>) -> io::Result<()> {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// As on a host that is out of threads.
    #[test]
    fn output_is_written_without_a_thread_too() {
        let live = LiveOutput::new(Cancel::default(), Duration::ZERO, Duration::ZERO);
        live.state.lock().unwrap().writer = Some(Writer::Here);
        live.send(Stream::Stdout, b"");
        assert!(live.finish().is_ok());
    }

    #[test]
    fn a_program_whose_output_is_lost_is_ended() {
        let (failed, cancel) = (Mutex::default(), Cancel::default());
        give_up_on(Ok(()), &failed, &cancel);
        assert!(!cancel.is_cancelled());
        give_up_on(Err(io::ErrorKind::BrokenPipe.into()), &failed, &cancel);
        assert!(cancel.is_cancelled() && failed.lock().unwrap().is_some());
    }
}
