//! One run beside a guest agent: give the order, move bytes, watch limits, end it, ask for files.

use super::gather;
use crate::capture::Capture;
use crate::collect::{self, Collection};
use crate::job::Captured;
use crate::provider::{Progress, RunIo, Stdin};
use crate::providers::native::verdict::{self, Killed, Observed};
use crate::sys::poll::{self, Interest};
use crate::sys::socket;
use crate::{End, Job, SandboxError};
use formicary_guest::frame::{self, Assembler};
use formicary_guest::message::Entry;
use formicary_guest::message::run::{self, Ended, Failed, Kind, Order, Sample};
use formicary_model::{Stream, Usage, Violation};
use globset::GlobSet;
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

/// How long everything may take to stand.
const SET_UP: Duration = Duration::from_secs(30);
/// How long a killed run may take to be gone before its ground is destroyed.
const FAREWELL: Duration = Duration::from_secs(5);
/// How long bringing files back may take.
const GATHERING: Duration = Duration::from_secs(60);
/// How long all that follows the program may take: ending it, bringing files back, saying so.
pub const AFTERWARDS: Duration = Duration::from_secs(90);
/// The longest wait between two looks.
const TICK: Duration = Duration::from_millis(40);
const SAMPLE_EVERY: Duration = Duration::from_millis(100);
/// The part of the memory that the kernel may hold for a program in no group's account.
const SHARE_BESIDE: u64 = 4;
/// Standard input travels in helpings of this size.
const HELPING: usize = 64 * 1024;

/// Our ends of the two pipes.
#[derive(Debug)]
pub struct Ends {
    /// What we say.
    pub to: OwnedFd,
    /// What we hear.
    pub from: OwnedFd,
}

/// What can run out under a guest agent's feet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exhausted {
    /// Memory.
    Memory,
    /// Processes and threads.
    Processes,
}

/// When a guest agent fell silent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// Nothing of the job's has run.
    BeforeTheStart,
    /// The program was running.
    InTheMiddle,
}

/// What the guest agent stands on: a container, a guest, a process.
pub trait Ground {
    /// What is used, seen from outside, and how it changes what the guest agent saw.
    fn look(&mut self, inside: Sample) -> Sample {
        inside
    }

    /// The agent is there, and is about to start the program.
    fn awake(&mut self) {}

    /// Ends it without mercy.
    fn destroy(&mut self);

    /// What ran out, so that the guest agent itself was ended with the program. Asked when it fell silent.
    fn exhausted(&mut self) -> Option<Exhausted> {
        None
    }

    /// Why the guest agent fell silent.
    fn silence(&mut self, moment: Moment) -> SandboxError;

    /// Whether use of memory is ours to act upon, the kernel not doing it.
    fn is_watched(&self) -> bool {
        false
    }

    /// Whether more processes than allowed are ours to end, nobody refusing them.
    fn counts_processes(&self) -> bool {
        false
    }
}

/// What came of a run, but for the report of what held.
pub struct Told {
    /// All that was seen.
    pub observed: Observed,
    /// What the program tried and was refused.
    pub violations: Vec<Violation>,
    /// What it used.
    pub usage: Usage,
    /// What it wrote to stdout.
    pub stdout: Captured,
    /// What it wrote to stderr.
    pub stderr: Captured,
    /// What was brought back.
    pub collection: Collection,
    /// Whether the guest agent said itself how it ended, all below it being gone by then.
    pub gave_an_account: bool,
}

/// Runs a job by a guest agent at the other side of `ends`.
pub fn run(
    job: &Job,
    io: RunIo<'_>,
    order: &Order,
    ends: Ends,
    ground: &mut dyn Ground,
) -> Result<Told, SandboxError> {
    let patterns =
        collect::patterns(&job.collect).map_err(|error| SandboxError::InvalidJob(error.to_string()))?;
    for end in [&ends.to, &ends.from] {
        socket::set_nonblocking(end)
            .map_err(|error| SandboxError::step("speak with the guest agent", error))?;
    }
    let RunIo { stdin, watch, cancel } = io;
    let mut talk = Talk::new(job, stdin, ends, ground)?;
    talk.say(Kind::Order, &postcard::to_allocvec(order).map_err(invalid)?);
    while !talk.over() {
        talk.turn(watch);
        if cancel.is_cancelled() {
            talk.kill(Killed::Cancelled);
        }
        if talk.started.is_some() && cancel.take_interrupt() {
            talk.say(Kind::Interrupt, &[]);
        }
    }
    talk.finish(&patterns)
}

fn invalid(error: postcard::Error) -> SandboxError {
    SandboxError::InvalidJob(error.to_string())
}

struct Talk<'a> {
    job: &'a Job,
    ground: &'a mut dyn Ground,
    to: Option<OwnedFd>,
    from: Option<OwnedFd>,
    heard: Assembler,
    unsaid: Vec<u8>,
    input: Input,
    may_give: bool,
    outputs: [Capture; 2],
    entries: Vec<Entry>,
    fetched: Option<Result<Vec<u8>, String>>,
    listed: bool,
    deadline: Instant,
    next_sample: Instant,
    started: Option<Instant>,
    killed: Option<Killed>,
    ended: Option<Ended>,
    failure: Option<SandboxError>,
    last: Sample,
    peak_memory: u64,
    peak_processes: u64,
    disk_was_full: bool,
}

enum Input {
    Bytes(Vec<u8>, usize),
    Pipe(OwnedFd),
    Over,
}

impl<'a> Talk<'a> {
    fn new(job: &'a Job, stdin: Stdin, ends: Ends, ground: &'a mut dyn Ground) -> Result<Self, SandboxError> {
        let input = match stdin {
            Stdin::Bytes(bytes) => Input::Bytes(bytes, 0),
            Stdin::Reader(reader) => {
                Input::Pipe(pumped(reader).map_err(|error| SandboxError::step("read standard input", error))?)
            }
        };
        let capture = || Capture::new(job.limits.output_bytes);
        Ok(Self {
            job,
            ground,
            to: Some(ends.to),
            from: Some(ends.from),
            heard: Assembler::new(run::LARGEST),
            unsaid: Vec::new(),
            input,
            may_give: false,
            outputs: [capture(), capture()],
            entries: Vec::new(),
            fetched: None,
            listed: false,
            deadline: Instant::now() + SET_UP,
            next_sample: Instant::now() + SAMPLE_EVERY,
            started: None,
            killed: None,
            ended: None,
            failure: None,
            last: Sample::default(),
            peak_memory: 0,
            peak_processes: 0,
            disk_was_full: false,
        })
    }

    fn over(&self) -> bool {
        self.from.is_none() || self.ended.is_some() || self.failure.is_some()
    }

    fn say(&mut self, kind: Kind, content: &[u8]) {
        self.unsaid.extend_from_slice(&frame::header(kind, content.len()));
        self.unsaid.extend_from_slice(content);
    }

    /// One wait, and what came of it.
    fn turn(&mut self, tell: &mut dyn FnMut(Progress<'_>)) {
        let wait = TICK.min(self.deadline.saturating_duration_since(Instant::now()));
        let saying = if self.unsaid.is_empty() { None } else { self.to.as_ref() };
        let reading = match &self.input {
            Input::Pipe(pipe) if self.may_give => Some(pipe),
            _ => None,
        };
        let [hear, speak, give] = poll::wait(
            [(self.from.as_ref(), Interest::Read), (saying, Interest::Write), (reading, Interest::Read)],
            wait,
        );
        if speak {
            self.speak();
        }
        if hear {
            self.hear(tell);
        }
        if give || (self.may_give && matches!(self.input, Input::Bytes(..))) {
            self.give();
        }
        if Instant::now() >= self.deadline {
            self.run_out_of_time();
        }
    }

    fn speak(&mut self) {
        let Some(to) = &self.to else { return };
        match socket::write(to, &self.unsaid) {
            Ok(count) => drop(self.unsaid.drain(..count)),
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
            Err(_) => {
                self.to = None;
                self.unsaid.clear();
            }
        }
    }

    fn hear(&mut self, tell: &mut dyn FnMut(Progress<'_>)) {
        let Some(from) = &self.from else { return };
        let mut buffer = vec![0; 128 * 1024];
        match socket::read(from, &mut buffer) {
            Ok(0) => self.from = None,
            Ok(count) => {
                self.heard.push(&buffer[..count]);
                let mut heard = std::mem::replace(&mut self.heard, Assembler::new(run::LARGEST));
                while let Some((kind, content)) = heard.tagged().unwrap_or_else(|error| {
                    self.failure
                        .get_or_insert(SandboxError::step("understand the guest agent", error.into()));
                    None
                }) {
                    self.take(kind, content, tell);
                }
                self.heard = heard;
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
            Err(_) => self.from = None,
        }
    }

    fn take(&mut self, kind: Kind, content: &[u8], tell: &mut dyn FnMut(Progress<'_>)) {
        match kind {
            Kind::Awake => self.ground.awake(),
            Kind::Started => {
                let now = Instant::now();
                self.started = Some(now);
                self.may_give = true;
                if self.killed.is_none() {
                    self.deadline = now + self.job.limits.wall();
                }
                tell(Progress::Started);
            }
            Kind::NotStarted => {
                let errno = postcard::from_bytes(content).unwrap_or(libc::EIO);
                self.failure.get_or_insert(SandboxError::ProgramNotStarted {
                    program: self.job.command.first().cloned().unwrap_or_default(),
                    source: io::Error::from_raw_os_error(errno),
                });
            }
            Kind::Failed => {
                let failed = postcard::from_bytes(content)
                    .unwrap_or(Failed { step: "say what failed".into(), errno: libc::EIO });
                let source = io::Error::from_raw_os_error(failed.errno);
                self.failure.get_or_insert(SandboxError::step(failed.step, source));
            }
            Kind::Output => self.output(Stream::Stdout, content, tell),
            Kind::Error => self.output(Stream::Stderr, content, tell),
            Kind::Taken => self.may_give = true,
            Kind::Sample => {
                if let Ok(sample) = postcard::from_bytes(content) {
                    self.look(sample, tell);
                }
            }
            Kind::Ended => self.ended = postcard::from_bytes(content).ok(),
            Kind::Entries if content.is_empty() => self.listed = true,
            Kind::Entries => {
                let more: Vec<Entry> = postcard::from_bytes(content).unwrap_or_default();
                self.entries.extend(more);
            }
            Kind::Content => self.fetched = Some(Ok(content.to_vec())),
            Kind::Unreadable => self.fetched = Some(Err(String::from_utf8_lossy(content).into_owned())),
            _ => {}
        }
    }

    fn output(&mut self, stream: Stream, bytes: &[u8], tell: &mut dyn FnMut(Progress<'_>)) {
        self.outputs[usize::from(stream == Stream::Stderr)].push(bytes);
        tell(Progress::Output(stream, bytes));
        let written = self.outputs[0].total() + self.outputs[1].total();
        if written > self.job.limits.output_total_bytes {
            self.kill(Killed::Output);
        }
    }

    fn give(&mut self) {
        let mut helping = vec![0; HELPING];
        let count = match &mut self.input {
            Input::Over => return,
            Input::Bytes(bytes, given) => {
                let rest = &bytes[*given..];
                let count = rest.len().min(HELPING);
                helping[..count].copy_from_slice(&rest[..count]);
                *given += count;
                count
            }
            Input::Pipe(pipe) => match socket::read(pipe, &mut helping) {
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => return,
                Err(_) => 0,
            },
        };
        if count == 0 {
            self.input = Input::Over;
            self.say(Kind::InputEnds, &[]);
        } else {
            self.may_give = false;
            self.say(Kind::Input, &helping[..count]);
        }
    }

    /// Looks at what is used, and ends what uses too much.
    fn look(&mut self, inside: Sample, tell: &mut dyn FnMut(Progress<'_>)) {
        let kills = self.last.memory_kills;
        self.note(inside);
        let (now, limits) = (self.last, &self.job.limits);
        let memory = now.memory.unwrap_or(0);
        if self.cpu() >= limits.cpu() {
            self.kill(Killed::CpuTime);
        } else if now.memory_kills > 0
            || (self.ground.is_watched() && memory > limits.memory_bytes)
            || now.beside > limits.memory_bytes / SHARE_BESIDE
        {
            self.kill(Killed::Memory);
        } else if self.ground.counts_processes() && now.processes > Some(limits.processes.into()) {
            self.kill(Killed::Processes);
        }
        if now.memory_kills > kills {
            tell(Progress::MemoryKills(now.memory_kills));
        }
        let at = Instant::now();
        if at >= self.next_sample && self.started.is_some() {
            self.next_sample = at + SAMPLE_EVERY;
            let elapsed = self.started.map_or(Duration::ZERO, |started| at - started);
            tell(Progress::Sample(elapsed, &self.usage()));
        }
    }

    fn cpu(&self) -> Duration {
        Duration::from_micros(self.last.user_micros.unwrap_or(0) + self.last.system_micros.unwrap_or(0))
    }

    fn note(&mut self, inside: Sample) {
        self.last = self.ground.look(inside);
        self.disk_was_full |= self.last.disk_full;
        self.peak_memory = self.peak_memory.max(self.last.memory_peak.or(self.last.memory).unwrap_or(0));
        self.peak_processes = self.peak_processes.max(self.last.processes.unwrap_or(0));
    }

    fn run_out_of_time(&mut self) {
        if self.killed.is_some() {
            // It was told to end and has not.
            self.destroy();
            self.from = None;
        } else if self.started.is_some() {
            self.kill(Killed::WallTime);
        } else {
            let error = io::ErrorKind::TimedOut.into();
            self.failure.get_or_insert(SandboxError::step("set up the sandbox in time", error));
        }
    }

    fn kill(&mut self, why: Killed) {
        if self.killed.is_some() || self.ended.is_some() {
            return;
        }
        self.killed = Some(why);
        if self.started.is_none() {
            // There is nobody to speak with yet.
            self.destroy();
            self.from = None;
            return;
        }
        self.deadline = Instant::now() + FAREWELL;
        self.say(Kind::Kill, &[]);
    }

    /// A guest agent that nobody speaks to any more ends by itself; the ground sees to it that it does.
    fn destroy(&mut self) {
        self.to = None;
        self.ground.destroy();
    }

    fn finish(mut self, patterns: &GlobSet) -> Result<Told, SandboxError> {
        if self.killed == Some(Killed::Cancelled) {
            self.destroy();
            return Err(SandboxError::Cancelled);
        }
        if let Some(failure) = self.failure.take() {
            self.destroy();
            return Err(failure);
        }
        let Some(started) = self.started else { return Err(self.ground.silence(Moment::BeforeTheStart)) };
        if let Some(ended) = &self.ended {
            let killed =
                libc::WIFSIGNALED(ended.wait_status) && libc::WTERMSIG(ended.wait_status) == libc::SIGKILL;
            self.note(ended.last);
            // The limit that each process carries was quicker than we.
            if killed && self.killed.is_none() && self.cpu() >= self.job.limits.cpu() {
                self.killed = Some(Killed::CpuTime);
            }
        } else if self.killed.is_none() {
            // The agent fell silent in the middle: with the program, for memory, or its ground broke off.
            match self.ground.exhausted() {
                Some(Exhausted::Memory) => self.last.memory_kills = self.last.memory_kills.max(1),
                Some(Exhausted::Processes) => self.last.forks_refused = self.last.forks_refused.max(1),
                None => {
                    let silence = self.ground.silence(Moment::InTheMiddle);
                    self.destroy();
                    return Err(silence);
                }
            }
        }
        let collection = self.gather(patterns)?;
        self.say(Kind::Bye, &[]);
        self.speak();
        let observed = self.observed(started);
        let usage = self.usage();
        let gave_an_account = self.ended.is_some();
        let [stdout, stderr] = self.outputs.map(Capture::finish);
        Ok(Told {
            violations: verdict::violations(&observed),
            observed,
            usage,
            stdout,
            stderr,
            collection,
            gave_an_account,
        })
    }

    fn gather(&mut self, patterns: &GlobSet) -> Result<Collection, SandboxError> {
        if self.job.collect.globs.is_empty() || self.ended.is_none() {
            return Ok(Collection::default());
        }
        self.deadline = Instant::now() + GATHERING;
        self.say(Kind::List, &[]);
        self.await_answer(|talk| talk.listed)?;
        let entries = std::mem::take(&mut self.entries);
        gather::gather(&entries, &self.job.collect, patterns, |number| {
            self.say(Kind::Fetch, &postcard::to_allocvec(&(number as u64)).map_err(invalid)?);
            self.await_answer(|talk| talk.fetched.is_some())?;
            Ok(self.fetched.take().unwrap_or_else(|| Err("it was not sent".into())))
        })
    }

    fn await_answer(&mut self, there: impl Fn(&Self) -> bool) -> Result<(), SandboxError> {
        while !there(self) {
            if self.from.is_none() || Instant::now() >= self.deadline {
                self.destroy();
                let error = io::ErrorKind::TimedOut.into();
                return Err(SandboxError::step("bring files back", error));
            }
            self.turn(&mut |_| {});
        }
        Ok(())
    }

    fn observed(&self, started: Instant) -> Observed {
        let last = &self.last;
        let end = match &self.ended {
            None => End::Signaled(libc::SIGKILL),
            Some(ended) if libc::WIFSIGNALED(ended.wait_status) => {
                End::Signaled(libc::WTERMSIG(ended.wait_status))
            }
            Some(ended) => End::Exited(libc::WEXITSTATUS(ended.wait_status)),
        };
        let duration = |ended: &Ended| Duration::from_nanos(ended.nanoseconds);
        Observed {
            killed: self.killed,
            end,
            duration: self.ended.as_ref().map_or_else(|| started.elapsed(), duration),
            memory_kills: last.memory_kills,
            forks_refused: last.forks_refused,
            cpu: self.cpu(),
            most_processes: self.peak_processes.max(1),
            largest_resident: self.peak_memory,
            memory_is_watched: self.ground.is_watched(),
            disk_full: self.disk_was_full,
            unroutable_packets: last.unroutable_packets,
            refused_calls: BTreeMap::new(),
            ended: None,
        }
    }

    fn usage(&self) -> Usage {
        let seconds = |micros: Option<u64>| micros.unwrap_or(0) as f64 / 1e6;
        Usage {
            cpu_user: seconds(self.last.user_micros),
            cpu_system: seconds(self.last.system_micros),
            memory_peak: Some(self.peak_memory),
            processes_peak: Some(self.peak_processes.max(1)),
            ..Usage::default()
        }
    }
}

/// A reader that may block gets a thread of its own, which ends with it or when nobody reads any more.
fn pumped(mut reader: Box<dyn Read + Send>) -> io::Result<OwnedFd> {
    let (ours, theirs) = socket::pipe()?;
    std::thread::Builder::new().name("formicary-stdin".into()).spawn(move || {
        let mut to = std::fs::File::from(theirs);
        let _ = io::copy(&mut reader, &mut to);
    })?;
    Ok(ours)
}
