//! A running sandbox and its guest agent: orders go in, reports come out, output is kept in bounded memory.

use formicary_guest::frame::{Assembler, encode};
use formicary_guest::message::session::{LARGEST, Order, Report};
use formicary_model::{Stream, Usage};
use formicary_sandbox::capture::Capture;
use formicary_sandbox::provider::Stdin;
use formicary_sandbox::{Cancel, Captured, Job, Outcome, Progress, Provider, RunIo, SandboxError};
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Bytes of reports that may wait to be heard: an agent that was taken over could send without end.
const MOST_WAITING: usize = 200 * 1024 * 1024;
/// A share of one processor below which a session counts as idle.
const WORKING: f64 = 0.05;

/// What a sandbox tells of itself.
#[derive(Debug)]
pub enum News {
    /// The agent said something other than output.
    Report(Report),
    /// The kernel ended this many of its processes for memory so far.
    MemoryKills(u64),
    /// The sandbox ended.
    Ended(Box<Result<Outcome, SandboxError>>),
}

/// Output that nobody has watched yet: bytes at the most, more are counted.
const MOST_FRESH: usize = 8 * 1024 * 1024;

/// Bytes that are shown at once.
const HELPING: usize = 64 * 1024;

/// Output as it comes, for whoever watches.
#[derive(Default)]
struct Fresh {
    pieces: Vec<(Stream, Vec<u8>)>,
    bytes: usize,
    omitted: u64,
    muted: bool,
}

impl Fresh {
    fn push(&mut self, stream: Stream, bytes: &[u8]) {
        if self.muted {
            return;
        }
        if self.bytes + bytes.len() > MOST_FRESH {
            self.omitted += bytes.len() as u64;
        } else {
            self.bytes += bytes.len();
            match self.pieces.last_mut() {
                // Lines come one by one: whoever watches wants them in helpings.
                Some((last, piece)) if *last == stream && piece.len() < HELPING => {
                    piece.extend_from_slice(bytes)
                }
                _ => self.pieces.push((stream, bytes.to_vec())),
            }
        }
    }
}

/// What is known of a running sandbox at any time, whoever's turn it is.
pub struct Pulse {
    kept: Mutex<Streams>,
    fresh: Mutex<Fresh>,
    usage: Mutex<Usage>,
    worked: Mutex<Instant>,
    waiting: AtomicUsize,
    garbled: AtomicBool,
}

struct Streams {
    stdout: Capture,
    stderr: Capture,
    limit: u64,
}

impl Pulse {
    fn new(limit: u64) -> Self {
        let streams = Streams { stdout: Capture::new(limit), stderr: Capture::new(limit), limit };
        Self {
            kept: Mutex::new(streams),
            fresh: Mutex::default(),
            usage: Mutex::default(),
            worked: Mutex::new(Instant::now()),
            waiting: AtomicUsize::new(0),
            garbled: AtomicBool::new(false),
        }
    }

    /// What was written since the last time this was asked.
    pub fn take_output(&self) -> (Captured, Captured) {
        let mut kept = lock(&self.kept);
        let limit = kept.limit;
        let stdout = std::mem::replace(&mut kept.stdout, Capture::new(limit));
        let stderr = std::mem::replace(&mut kept.stderr, Capture::new(limit));
        (stdout.finish(), stderr.finish())
    }

    /// What was written and not yet watched, in order.
    pub fn take_fresh(&self) -> Vec<(Stream, Vec<u8>)> {
        let mut fresh = lock(&self.fresh);
        let omitted = std::mem::take(&mut fresh.omitted);
        fresh.bytes = 0;
        let mut pieces = std::mem::take(&mut fresh.pieces);
        if omitted > 0 {
            let note = format!("\n[… {omitted} bytes left out …]\n");
            pieces.push((Stream::Stdout, note.into_bytes()));
        }
        pieces
    }

    /// Whether what is written now is nobody's to watch: an interpreter that starts.
    pub fn mute(&self, muted: bool) {
        lock(&self.fresh).muted = muted;
    }

    fn push(&self, stream: Stream, bytes: &[u8]) {
        let mut kept = lock(&self.kept);
        match stream {
            Stream::Stdout => kept.stdout.push(bytes),
            Stream::Stderr => kept.stderr.push(bytes),
        }
        lock(&self.fresh).push(stream, bytes);
    }

    /// Bytes written since then.
    pub fn written(&self) -> u64 {
        let kept = lock(&self.kept);
        kept.stdout.total() + kept.stderr.total()
    }

    /// What it used so far.
    pub fn usage(&self) -> Usage {
        lock(&self.usage).clone()
    }

    /// When it last did any work, or was asked to.
    pub fn worked(&self) -> Instant {
        *lock(&self.worked)
    }

    /// Notes that something is going on.
    pub fn touch(&self) {
        *lock(&self.worked) = Instant::now();
    }

    fn sample(&self, elapsed: Duration, usage: &Usage, before: &mut (Duration, f64)) {
        let cpu = usage.cpu_user + usage.cpu_system;
        // Over a second at least: a single tick of the kernel's clock is no work.
        if elapsed >= before.0 + Duration::from_secs(1) {
            if cpu - before.1 > WORKING * (elapsed - before.0).as_secs_f64() {
                self.touch();
            }
            *before = (elapsed, cpu);
        }
        lock(&self.usage).clone_from(usage);
    }
}

/// A running sandbox.
pub struct Kept {
    orders: Sender<Vec<u8>>,
    news: Receiver<News>,
    cancel: Cancel,
    /// What is known of it at any time.
    pub pulse: Arc<Pulse>,
    thread: Option<JoinHandle<()>>,
}

/// A way to give orders from outside a session's turn.
#[derive(Clone)]
pub struct Voice(Sender<Vec<u8>>);

impl Voice {
    /// One order. A sandbox that has ended does not hear it.
    pub fn order(&self, order: &Order) {
        let _ = self.0.send(encode(order));
    }
}

impl Kept {
    /// Starts `job`, whose program is the guest agent. At most `keep` bytes of each output are kept.
    pub fn start(provider: Arc<dyn Provider>, job: Job, keep: u64) -> io::Result<Self> {
        let (orders, ordered) = channel();
        let (tell, news) = channel();
        let (cancel, pulse) = (Cancel::default(), Arc::new(Pulse::new(keep)));
        let thread = {
            let (cancel, pulse) = (cancel.clone(), Arc::clone(&pulse));
            std::thread::Builder::new().name("formicary-session".into()).spawn(move || {
                let outcome = attend(provider.as_ref(), &job, ordered, cancel, &pulse, &tell);
                // Nobody waits for it where the session was closed.
                let _ = tell.send(News::Ended(Box::new(outcome)));
            })?
        };
        Ok(Self { orders, news, cancel, pulse, thread: Some(thread) })
    }

    /// One order.
    pub fn order(&self, order: &Order) {
        self.voice().order(order);
    }

    /// A way to give orders from elsewhere.
    pub fn voice(&self) -> Voice {
        Voice(self.orders.clone())
    }

    /// The next news, or nothing within `wait`.
    pub fn next(&self, wait: Duration) -> Option<News> {
        match self.news.recv_timeout(wait) {
            Ok(news) => {
                if let News::Report(report) = &news {
                    self.pulse.waiting.fetch_sub(size(report), Ordering::Relaxed);
                }
                Some(news)
            }
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(News::Ended(Box::new(Err(SandboxError::Cancelled)))),
        }
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.cancel.cancel();
        if let Some(thread) = self.thread.take() {
            // It ends within moments of the cancellation, and nothing of the sandbox is left then.
            let _ = thread.join();
        }
    }
}

/// Runs the job and sorts what its guest agent says.
fn attend(
    provider: &dyn Provider,
    job: &Job,
    ordered: Receiver<Vec<u8>>,
    cancel: Cancel,
    pulse: &Pulse,
    tell: &Sender<News>,
) -> Result<Outcome, SandboxError> {
    let mut frames = Assembler::new(LARGEST);
    let mut before = (Duration::ZERO, 0.0);
    let ended_by_us = cancel.clone();
    let mut watch = |progress: Progress<'_>| match progress {
        Progress::Output(Stream::Stdout, bytes) => {
            if !hear(&mut frames, bytes, pulse, tell) {
                pulse.garbled.store(true, Ordering::Relaxed);
                ended_by_us.cancel();
            }
        }
        // Only an agent that fails writes here; cells have streams of their own.
        Progress::Output(Stream::Stderr, _) | Progress::Started => {}
        Progress::Sample(elapsed, usage) => pulse.sample(elapsed, usage, &mut before),
        Progress::MemoryKills(count) => drop(tell.send(News::MemoryKills(count))),
    };
    let io = RunIo { stdin: Stdin::Reader(Box::new(Ordered::new(ordered))), watch: &mut watch, cancel };
    let outcome = provider.run(job, io);
    if pulse.garbled.load(Ordering::Relaxed) {
        return Err(SandboxError::InvalidJob("the session's sandbox spoke out of turn and was ended".into()));
    }
    outcome
}

/// Sorts a piece of the guest agent's stream. `false`: it is not an agent's, or there is too much of it.
fn hear(frames: &mut Assembler, bytes: &[u8], pulse: &Pulse, tell: &Sender<News>) -> bool {
    frames.push(bytes);
    loop {
        match frames.message::<Report>() {
            Ok(None) => return true,
            Ok(Some(Report::Output(bytes))) => pulse.push(Stream::Stdout, &bytes),
            Ok(Some(Report::Error(bytes))) => pulse.push(Stream::Stderr, &bytes),
            Ok(Some(report)) => {
                let waiting = pulse.waiting.fetch_add(size(&report), Ordering::Relaxed);
                if waiting > MOST_WAITING || tell.send(News::Report(report)).is_err() {
                    return false;
                }
            }
            Err(_) => return false,
        }
    }
}

/// What a report weighs, roughly.
fn size(report: &Report) -> usize {
    64 + match report {
        Report::Reply { bytes, .. } | Report::File { content: bytes, .. } => bytes.len(),
        Report::Files(files) => files.iter().map(|file| file.path.len() + 64).sum(),
        Report::NotStarted(text) | Report::Refused(text) => text.len(),
        _ => 0,
    }
}

/// Orders as the bytes of a stream; it ends when nobody can give any more.
struct Ordered {
    orders: Receiver<Vec<u8>>,
    piece: Vec<u8>,
    read: usize,
}

impl Ordered {
    fn new(orders: Receiver<Vec<u8>>) -> Self {
        Self { orders, piece: Vec::new(), read: 0 }
    }
}

impl Read for Ordered {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.read == self.piece.len() {
            match self.orders.recv() {
                Ok(piece) => (self.piece, self.read) = (piece, 0),
                Err(_) => return Ok(0),
            }
        }
        let rest = &self.piece[self.read..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.read += count;
        Ok(count)
    }
}

/// A lock whose holder may have panicked: what it guards is plain data.
pub fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
