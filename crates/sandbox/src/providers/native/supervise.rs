//! One run: move bytes, watch, end it, look at what is left.

use super::jail::Jail;
use super::janitor::{Finished, Janitor};
use super::kind::Start;
use super::nursery::{Cradle, Remains};
use super::pool::Pool;
use super::sampler::{Beside, Sampler};
use super::streams::{Pipes, Streams};
use super::verdict::{self, Killed, Observed};
use super::{claims, order};
use crate::cgroups::{Backend, Group, GroupUsage};
use crate::collect;
use crate::provider::{Cancel, Progress, RunIo, Stdin};
use crate::sys::poll::{self, Interest};
use crate::sys::{folder, notify, process, socket, watches};
use crate::{Job, Outcome, SandboxError};
use formicary_jail::message::{Ended, Message, Missing};
use formicary_jail::{calls, spec};
use formicary_model::{Assurance, Level, MountAccess, Network, Stream, Usage};
use globset::GlobSet;
use std::collections::BTreeMap;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::Path;
use std::time::{Duration, Instant};

/// How long the jail may take to stand.
const SET_UP: Duration = Duration::from_secs(20);
/// How long a killed sandbox may take to be gone before its supervisor is killed too.
const FAREWELL: Duration = Duration::from_secs(5);
/// Between looks at what is used: where the kernel enforces memory, and where we do.
const TICK_ENFORCED: Duration = Duration::from_millis(40);
const TICK_WATCHED: Duration = Duration::from_millis(8);
/// The part of the memory that the kernel may hold for a program in no group's account.
const SHARE_BESIDE: u64 = 4;
/// Between samples that are told to the caller.
const SAMPLE_EVERY: Duration = Duration::from_millis(100);

/// Runs a job to its end, in a sandbox that stands ready if there is one.
pub fn run(
    backend: &Backend,
    pool: Option<&Pool>,
    janitor: &Janitor,
    job: &Job,
    mut io: RunIo<'_>,
) -> Result<Outcome, SandboxError> {
    let patterns =
        collect::patterns(&job.collect).map_err(|error| SandboxError::InvalidJob(error.to_string()))?;
    insist(&claims::claims(backend, &job.limits, &job.network, &[]), job.assurance)?;
    let mut run = match pool.and_then(|pool| pool.take(job)) {
        Some((cradle, fit)) => Run::in_cradle(backend, job, cradle, &fit.start, &mut io)?,
        None => Run::start(backend, job, &mut io)?,
    };
    run.watch(&io.cancel, io.watch);
    run.end();
    let outcome = run.finish(backend, &patterns, janitor);
    if let Some(pool) = pool {
        pool.refill();
    }
    outcome
}

/// Refuses to start where the host cannot give what the caller insists on.
fn insist(claims: &formicary_model::Enforcement, assurance: Assurance) -> Result<(), SandboxError> {
    let Assurance::Require(wanted) = assurance else { return Ok(()) };
    if claims.level >= wanted {
        return Ok(());
    }
    Err(SandboxError::LevelNotReached {
        reached: claims.level,
        wanted,
        missing: claims::shortfall(claims, wanted == Level::Full),
    })
}

/// Whether a program may watch what has this path inside: what it writes itself. Of files that the host uses too, a watch
/// reports when the host does.
fn may_watch(job: &Job, path: &Path) -> bool {
    let writable = job.mounts.iter().filter(|mount| mount.access == MountAccess::ReadWrite);
    let below = |directory: &str| path.strip_prefix("/").is_ok_and(|path| path.starts_with(directory));
    spec::WRITABLE.into_iter().any(below) || writable.into_iter().any(|mount| path.starts_with(&mount.guest))
}

/// What stands for the sandbox's processes.
enum Body {
    /// A jail of its own.
    Jail(process::Child, Option<Group>),
    /// A sandbox that was made ahead.
    Cradle(Remains),
}

impl Body {
    fn group(&self) -> Option<&Group> {
        match self {
            Self::Jail(_, group) => group.as_ref(),
            Self::Cradle(remains) => remains.group.as_ref(),
        }
    }
}

struct Run<'a> {
    job: &'a Job,
    body: Body,
    control: Option<OwnedFd>,
    streams: Streams,
    listener: Option<OwnedFd>,
    work: Option<OwnedFd>,
    sampler: Option<Sampler>,
    watched: bool,
    /// Whether the group's account holds the buffers of internet sockets, or bounds them.
    sockets_are_counted: bool,
    /// CPU time that the group had used before there was a job.
    before: (u64, u64),
    missing: Vec<(Missing, String)>,
    refused: BTreeMap<String, u64>,
    deadline: Instant,
    started: Option<Instant>,
    killed: Option<Killed>,
    ended: Option<Ended>,
    failure: Option<SandboxError>,
    last: GroupUsage,
    peak_memory: u64,
    peak_processes: u64,
    disk_was_full: bool,
}

impl<'a> Run<'a> {
    fn start(backend: &Backend, job: &'a Job, io: &mut RunIo<'_>) -> Result<Self, SandboxError> {
        let Jail { child, control, pipes, group } = Jail::start(backend, job)?;
        // Looked at when all is over and the caller waits; opened now, while there is time.
        if let Some(group) = &group {
            group.keep_open();
        }
        let streams = open(pipes, job, io)?;
        Ok(Self::new(backend, job, Body::Jail(child, group), control, streams))
    }

    /// Gives the job to a sandbox that stands ready.
    fn in_cradle(
        backend: &Backend,
        job: &'a Job,
        cradle: Cradle,
        start: &Start,
        io: &mut RunIo<'_>,
    ) -> Result<Self, SandboxError> {
        let (order, file) = order::for_cradle(job, start)?;
        let Cradle { control, pipes, work, proc, listener, missing, remains } = cradle;
        let before = remains.group.as_ref().map_or((0, 0), Group::cpu_micros);
        let streams = open(pipes, job, io)?;
        let beside: Vec<i32> = file.iter().map(AsRawFd::as_raw_fd).collect();
        socket::send_with(&control, &order, &beside)
            .map_err(|error| SandboxError::step("give the order to a sandbox", error))?;
        let mut run = Self::new(backend, job, Body::Cradle(remains), control, streams);
        run.before = before;
        run.stands(Some(work), proc, listener, missing);
        (io.watch)(Progress::Started);
        Ok(run)
    }

    fn new(backend: &Backend, job: &'a Job, body: Body, control: OwnedFd, streams: Streams) -> Self {
        Self {
            job,
            body,
            control: Some(control),
            streams,
            listener: None,
            work: None,
            sampler: None,
            watched: matches!(backend, Backend::None(_)),
            sockets_are_counted: backend.bounds_sockets(),
            before: (0, 0),
            missing: Vec::new(),
            refused: BTreeMap::new(),
            deadline: Instant::now() + SET_UP,
            started: None,
            killed: None,
            ended: None,
            failure: None,
            last: GroupUsage::default(),
            peak_memory: 0,
            peak_processes: 0,
            disk_was_full: false,
        }
    }

    /// The sandbox stands, and its program starts now.
    fn stands(
        &mut self,
        work: Option<OwnedFd>,
        proc: Option<OwnedFd>,
        listener: Option<OwnedFd>,
        missing: Vec<(Missing, String)>,
    ) {
        let own_network = self.job.network == Network::None;
        self.work = work;
        self.sampler = proc.map(|proc| Sampler::new(proc, own_network, self.job.limits.memory_bytes));
        self.listener = listener;
        self.missing = missing;
        let now = Instant::now();
        self.started = Some(now);
        if self.killed.is_none() {
            self.deadline = now + self.job.limits.wall();
        }
    }

    /// Moves bytes and looks at limits until the supervisor has said its last word.
    fn watch(&mut self, cancel: &Cancel, tell: &mut dyn FnMut(Progress<'_>)) {
        let mut buffer = vec![0; 64 * 1024];
        // Not at once: most of what is short is over by then, and is accounted for at its end.
        let mut next_look = None;
        let mut next_sample = Instant::now() + SAMPLE_EVERY;
        while self.control.is_some() && self.ended.is_none() {
            let tick = if self.watched { TICK_WATCHED } else { TICK_ENFORCED };
            let wait = tick.min(self.deadline.saturating_duration_since(Instant::now()));
            let [control, out, err, input, call] = poll::wait(
                [
                    (self.control.as_ref(), Interest::Read),
                    (self.streams.readable(Stream::Stdout), Interest::Read),
                    (self.streams.readable(Stream::Stderr), Interest::Read),
                    (self.streams.writable(), Interest::Write),
                    (self.listener.as_ref(), Interest::Read),
                ],
                wait,
            );
            if out {
                self.take(Stream::Stdout, &mut buffer, tell);
            }
            if err {
                self.take(Stream::Stderr, &mut buffer, tell);
            }
            if input {
                self.streams.give();
            }
            if call {
                self.answer();
            }
            if control {
                self.hear(tell);
            }
            if cancel.is_cancelled() {
                self.kill(Killed::Cancelled);
            }
            if self.started.is_some() && cancel.take_interrupt() {
                self.interrupt();
            }
            let now = Instant::now();
            if now >= self.deadline {
                self.run_out_of_time();
            }
            // Of what has ended, the account has been heard.
            if self.ended.is_none()
                && self.started.is_some_and(|started| now >= *next_look.get_or_insert(started + tick))
            {
                next_look = Some(now + tick);
                let kills = self.last.memory_kills;
                self.look();
                if self.last.memory_kills > kills {
                    tell(Progress::MemoryKills(self.last.memory_kills));
                }
                if now >= next_sample {
                    next_sample = now + SAMPLE_EVERY;
                    let elapsed = self.started.map_or(Duration::ZERO, |started| now - started);
                    tell(Progress::Sample(elapsed, &self.usage_so_far()));
                }
            }
        }
        // Everything is dead: what is left in the pipes is all there will ever be.
        while self.take(Stream::Stdout, &mut buffer, tell) || self.take(Stream::Stderr, &mut buffer, tell) {}
    }

    /// Takes one helping at a time: limits are looked at in between.
    fn take(&mut self, stream: Stream, buffer: &mut [u8], tell: &mut dyn FnMut(Progress<'_>)) -> bool {
        let more = self.streams.take(stream, buffer, |bytes| tell(Progress::Output(stream, bytes)));
        if self.streams.written() > self.job.limits.output_total_bytes {
            self.kill(Killed::Output);
        }
        more
    }

    /// Refuses a call that the filter has told of, and notes it.
    fn answer(&mut self) {
        let Some(listener) = &self.listener else { return };
        match notify::next(listener) {
            Ok(call) if calls::maps_shared_memory(call.number) => {
                if let Some(sampler) = &mut self.sampler {
                    sampler.shared_memory_asked_for(call.second_argument);
                }
                notify::answer(listener, call, notify::Answer::Allow);
            }
            Ok(call) if calls::watches_files(call.number) => {
                let answer = match watches::add(listener, call, |path| may_watch(self.job, path)) {
                    Ok(number) => notify::Answer::Return(number),
                    Err(error) => notify::Answer::Refuse(error.raw_os_error().unwrap_or(libc::EACCES)),
                };
                notify::answer(listener, call, answer);
            }
            Ok(call) if self.watched && calls::hides_files(call.number, call.first_argument) => {
                notify::answer(listener, call, notify::Answer::Refuse(libc::EPERM));
            }
            Ok(call) if calls::is_plain_fork(call.number, call.first_argument) => {
                if let Some(sampler) =
                    self.sampler.as_mut().filter(|_| calls::shares_files(call.number, call.first_argument))
                {
                    sampler.files_shared();
                }
                notify::answer(listener, call, notify::Answer::Allow);
            }
            Ok(call) => {
                notify::answer(listener, call, notify::Answer::Refuse(libc::EPERM));
                *self.refused.entry(calls::name(call.number)).or_insert(0) += 1;
            }
            // The caller died before we looked: nothing to answer. Otherwise nobody is left who could call.
            Err(error) if error.raw_os_error() == Some(libc::ENOENT) => self.drop_listener_of_the_dead(),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => self.listener = None,
        }
    }

    /// ENOENT comes for a caller that was killed, and for ever once every user of the filter is gone.
    fn drop_listener_of_the_dead(&mut self) {
        if self.ended.is_some() || self.killed.is_some() {
            self.listener = None;
        }
    }

    fn hear(&mut self, tell: &mut dyn FnMut(Progress<'_>)) {
        let Some(control) = &self.control else { return };
        let (bytes, descriptors) = match socket::receive(control) {
            Ok((bytes, descriptors)) if !bytes.is_empty() => (bytes, descriptors),
            _ => return self.control = None,
        };
        match postcard::from_bytes(&bytes) {
            Ok(Message::Ready { missing, .. }) => {
                let mut descriptors = descriptors.into_iter();
                let work = descriptors.next();
                let has_proc = !missing.iter().any(|(which, _)| *which == Missing::Proc);
                let proc = if has_proc { descriptors.next() } else { None };
                self.stands(work, proc, descriptors.next(), missing);
                tell(Progress::Started);
            }
            Ok(Message::Proven) => {}
            Ok(Message::Failed { step, errno }) => {
                self.fail(SandboxError::step(step, io::Error::from_raw_os_error(errno)))
            }
            Ok(Message::NotStarted { errno }) => self.fail(SandboxError::ProgramNotStarted {
                program: self.job.command.first().cloned().unwrap_or_default(),
                source: io::Error::from_raw_os_error(errno),
            }),
            Ok(Message::Ended(ended)) => {
                // The last word: the kernel takes the sandbox apart from here on.
                if let Body::Cradle(remains) = &mut self.body {
                    remains.untouched = ended.traffic.untouched;
                }
                // A short run ends before anybody looks: what was there at its end, its first process among it, was seen too.
                self.peak_processes = self.peak_processes.max(u64::from(ended.left) + 1);
                self.ended = Some(ended);
                self.look_at_group();
            }
            Err(_) => self.fail(SandboxError::step("hear the jail", io::ErrorKind::InvalidData.into())),
        }
    }

    /// The first failure is the one that tells.
    fn fail(&mut self, error: SandboxError) {
        self.failure.get_or_insert(error);
    }

    fn run_out_of_time(&mut self) {
        if self.killed.is_some() || self.ended.is_some() {
            // It was told to end and has not: the supervisor's death takes the sandbox with it.
            if let Body::Jail(child, _) = &self.body {
                child.kill();
            }
            self.control = None;
        } else if self.started.is_some() {
            self.kill(Killed::WallTime);
        } else {
            self.fail(SandboxError::step("set up the sandbox in time", io::ErrorKind::TimedOut.into()));
            self.kill(Killed::WallTime);
        }
    }

    fn kill(&mut self, why: Killed) {
        if self.killed.is_some() || self.ended.is_some() {
            return;
        }
        self.killed = Some(why);
        self.deadline = Instant::now() + FAREWELL;
        match (&self.body, &self.control) {
            (Body::Jail(child, _), Some(control)) => {
                // A supervisor ends the sandbox when it is told to; a first process need not be asked.
                if child.began_beside() {
                    child.kill();
                }
                let _ = socket::send(control, spec::KILL);
            }
            (Body::Cradle(remains), _) => remains.kill(),
            _ => {}
        }
    }

    /// Interrupts the program and what it runs in the foreground. Where its processes cannot be seen, it is ended.
    fn interrupt(&mut self) {
        match &self.sampler {
            Some(sampler) => sampler.interrupt(),
            None => self.kill(Killed::Cancelled),
        }
    }

    /// Looks at what is used, and ends what uses too much.
    fn look(&mut self) {
        let now = match (self.body.group(), &mut self.sampler) {
            (Some(group), _) => group.usage().since(self.before),
            (None, Some(sampler)) => sampler.sample(),
            (None, None) => return,
        };
        let disk = self.work.as_ref().and_then(|work| folder::file_system(work).ok());
        self.disk_was_full |= disk.is_some_and(|disk| disk.full);
        let mut memory = now.memory.unwrap_or(0);
        let beside = match &mut self.sampler {
            Some(sampler) if !self.watched => sampler.beside_the_group(self.sockets_are_counted),
            Some(sampler) => sampler.locks(),
            None => Beside::default(),
        };
        if self.watched {
            memory += disk.map_or(0, |disk| disk.used) + beside.bytes;
        }
        self.peak_memory = self.peak_memory.max(memory);
        self.peak_processes = self.peak_processes.max(now.processes.unwrap_or(0));
        self.last = now;
        let limits = &self.job.limits;
        let cpu = Duration::from_micros(now.user_micros.unwrap_or(0) + now.system_micros.unwrap_or(0));
        if cpu >= limits.cpu() {
            self.kill(Killed::CpuTime);
        } else if now.memory_kills > 0
            || (self.watched && memory > limits.memory_bytes)
            || (!self.watched && beside.bytes > limits.memory_bytes / SHARE_BESIDE)
            || beside.too_many_locks
        {
            // The kernel may have killed one process of many: what is left cannot be trusted to end by itself.
            self.kill(Killed::Memory);
        }
    }

    /// Whether every process was seen in use that a run without a cgroup may have: one more was refused, or would have been.
    fn was_full(&self) -> bool {
        self.watched && self.peak_processes >= self.job.limits.processes.into()
    }

    fn usage_so_far(&self) -> Usage {
        let seconds = |micros: Option<u64>| micros.unwrap_or(0) as f64 / 1e6;
        Usage {
            cpu_user: seconds(self.last.user_micros),
            cpu_system: seconds(self.last.system_micros),
            memory_peak: Some(self.peak_memory),
            processes_peak: Some(self.peak_processes),
            ..Usage::default()
        }
    }

    /// Once a sandbox has given its account, nothing of the job's is left. Of one that was ended before, a supervisor
    /// is waited for: with it, everything is gone.
    fn end(&mut self) {
        if self.ended.is_some() {
            return;
        }
        if let Body::Jail(child, _) = &mut self.body {
            child.wait();
        }
        self.look_at_group();
    }

    fn look_at_group(&mut self) {
        if let Some(group) = self.body.group() {
            self.last = group.account().since(self.before);
        }
    }

    fn observed(&mut self) -> Result<Observed, SandboxError> {
        if self.killed == Some(Killed::Cancelled) {
            return Err(SandboxError::Cancelled);
        }
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let Some(started) = self.started else { return Err(self.no_word()) };
        let ended = self.ended.clone();
        let duration =
            ended.as_ref().map_or_else(|| started.elapsed(), |ended| Duration::from_nanos(ended.nanoseconds));
        Ok(Observed {
            killed: self.killed,
            end: verdict::end(ended.as_ref()),
            duration,
            memory_kills: self.last.memory_kills,
            forks_refused: self.last.forks_refused + u64::from(self.was_full()),
            cpu: Duration::from_micros(
                self.last.user_micros.unwrap_or(0) + self.last.system_micros.unwrap_or(0),
            ),
            most_processes: self.last.processes_peak.unwrap_or(self.peak_processes).max(self.peak_processes),
            largest_resident: ended.as_ref().map_or(0, |ended| ended.largest_resident),
            memory_is_watched: self.watched,
            disk_full: self.disk_was_full || ended.as_ref().is_some_and(|ended| ended.disk_full),
            unroutable_packets: ended.as_ref().map_or(0, |ended| ended.traffic.unroutable_packets),
            refused_calls: std::mem::take(&mut self.refused),
            ended,
        })
    }

    /// What came of it. What is left goes to the janitor: the caller need not wait until it is taken apart, nor even closed.
    fn finish(
        mut self,
        backend: &Backend,
        patterns: &GlobSet,
        janitor: &Janitor,
    ) -> Result<Outcome, SandboxError> {
        let outcome = match self.observed() {
            Ok(observed) => {
                let violations = verdict::violations(&observed);
                let collected = match &self.work {
                    Some(work) => collect::collect(work, &self.job.collect, patterns),
                    None => collect::Collection::default(),
                };
                let (usage, limits) = (self.usage(&observed), &self.job.limits);
                let (stdout, stderr) = self.streams.finish();
                Ok(Outcome {
                    status: verdict::status(&observed, limits, &violations),
                    end: observed.end,
                    duration: observed.duration,
                    usage,
                    stdout,
                    stderr,
                    violations,
                    enforcement: claims::claims(backend, limits, &self.job.network, &self.missing),
                    files: collected.files,
                    skipped: collected.skipped,
                })
            }
            Err(error) => Err(error),
        };
        let handles = (self.work, self.listener, self.sampler);
        match self.body {
            Body::Jail(child, group) => {
                janitor.take((Finished { child, _group: group, _control: self.control }, handles));
            }
            Body::Cradle(remains) => janitor.take((remains, handles)),
        }
        outcome
    }

    /// Of a jail that never said anything.
    fn no_word(&self) -> SandboxError {
        match &self.body {
            Body::Jail(child, _) if let Some(error) = child.failure() => {
                SandboxError::step("start the jail", error)
            }
            _ => SandboxError::step(
                "start the jail: it ended without a word",
                io::ErrorKind::UnexpectedEof.into(),
            ),
        }
    }

    fn usage(&self, observed: &Observed) -> Usage {
        let ended = observed.ended.clone().unwrap_or_default();
        let seconds = |micros: u64| micros as f64 / 1e6;
        let memory = self.last.memory_peak.unwrap_or_else(|| self.peak_memory.max(ended.largest_resident));
        Usage {
            cpu_user: seconds(self.last.user_micros.unwrap_or(0).max(ended.user_micros)),
            cpu_system: seconds(self.last.system_micros.unwrap_or(0).max(ended.system_micros)),
            memory_peak: Some(memory),
            io_read: Some(ended.blocks_read * 512),
            io_write: Some(ended.blocks_written * 512),
            processes_peak: Some(observed.most_processes.max(1)),
        }
    }
}

fn open(pipes: Pipes, job: &Job, io: &mut RunIo<'_>) -> Result<Streams, SandboxError> {
    let stdin = std::mem::replace(&mut io.stdin, Stdin::Bytes(Vec::new()));
    pipes
        .open(stdin, job.limits.output_bytes)
        .map_err(|error| SandboxError::step("open the standard streams", error))
}
