//! Cells in a live interpreter: limits of time and output, interrupts, and what is left when the interpreter dies.

use super::drivers::{Answer, Driver};
use super::kept::{Kept, News, Pulse, Voice};
use crate::guard::{RESERVED_FOLDER, refuse};
use crate::packages::Environment;
use formicary_embedded::GUEST as AGENT;
use formicary_guest::message::Entry;
use formicary_guest::message::session::{Order, Report};
use formicary_guest::role::Role;
use formicary_model::{Failure, FailureKind, Limits, SessionFile, Status, Stream, Usage};
use formicary_sandbox::{Captured, InputFile, Job, Outcome, Provider, SandboxError};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a sandbox with its interpreter may take to be ready.
const SET_UP: Duration = Duration::from_secs(60);
/// How long the guest agent may take over a file.
const FILE_TIME: Duration = Duration::from_secs(30);
/// Between looks at the clock while a cell runs.
const TICK: Duration = Duration::from_millis(20);
/// Between interrupts of a cell that does not end: one that came too early was not heard.
const AGAIN: Duration = Duration::from_millis(250);
/// How long the news of a memory kill may lag behind the death that it explains.
const LAG: Duration = Duration::from_secs(1);
/// Bytes of one file that is brought in or out.
pub const LARGEST_FILE: u64 = 64 * 1024 * 1024;
/// Files that are listed.
const MOST_FILES: u64 = 10_000;

/// What a live session needs to be started, again and again.
pub struct Recipe {
    /// The language's driver.
    pub driver: Driver,
    /// The interpreter's command.
    pub command: Vec<String>,
    /// The sandbox without its files; its program is not yet the guest agent.
    pub job: Job,
    /// Limits of each cell.
    pub limits: Limits,
    /// How long an interrupted cell may take to end.
    pub grace: Duration,
    /// How long a sandbox may live.
    pub lifetime: Duration,
    /// Who confines it.
    pub provider: Arc<dyn Provider>,
    /// Its packages, held for as long as it lives.
    pub _packages: Option<Environment>,
}

/// A session with a live interpreter; one caller at a time.
pub struct Live {
    recipe: Recipe,
    kept: Option<Kept>,
    /// Files that the last sandbox left.
    files: Vec<InputFile>,
    memory_kills: u64,
    /// Which interpreter runs.
    number: u64,
    /// Whether it has said that it is ready.
    ready: bool,
    /// Whether it knows what the one before it knew.
    restored: bool,
    /// How the last sandbox ended.
    sandbox_status: Status,
    /// Whether an interpreter was lost while nobody ran a cell.
    lost_meanwhile: bool,
}

/// How one cell ended.
pub struct Ran {
    /// The verdict.
    pub status: Status,
    /// What the driver answered, if it did.
    pub answer: Answer,
    /// Exit code of the cell, or of the interpreter where that ended.
    pub exit_code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// What it wrote.
    pub output: (Captured, Captured),
    /// What it used.
    pub usage: Usage,
    /// From the order to the answer.
    pub duration: Duration,
    /// Whether the interpreter's state is gone.
    pub state_lost: bool,
    /// Whether its output was taken already.
    collected: bool,
}

/// Why a cell is being ended.
#[derive(Clone, Copy)]
struct Stopping {
    status: Status,
    until: Instant,
    next: Instant,
}

impl Live {
    /// A session that is started with these files.
    pub fn new(recipe: Recipe, files: Vec<InputFile>) -> Self {
        Self {
            recipe,
            kept: None,
            files,
            memory_kills: 0,
            number: 0,
            ready: false,
            restored: false,
            sandbox_status: Status::Signaled,
            lost_meanwhile: false,
        }
    }

    /// A way to interrupt it from outside its turn, and what is known of it at any time.
    pub fn handles(&self) -> Option<(Voice, Arc<Pulse>)> {
        self.kept.as_ref().map(|kept| (kept.voice(), Arc::clone(&kept.pulse)))
    }

    /// Starts the sandbox where it does not run.
    pub fn ensure(&mut self) -> Result<&Kept, Failure> {
        // A sandbox that died between two cells has left its word.
        if self.kept.is_some() {
            self.hear_of_the_end();
        }
        if self.kept.is_none() {
            let kept = self.start_sandbox()?;
            self.kept = Some(kept);
            self.memory_kills = 0;
            self.ready = false;
        }
        if !self.ready {
            self.start_interpreter()?;
        }
        self.kept.as_ref().ok_or_else(|| internal("the session has no sandbox"))
    }

    /// Runs one cell.
    pub fn run(
        &mut self,
        code: &str,
        count: u64,
        wall: Duration,
        interrupt: &AtomicBool,
        watch: &mut Watch<'_>,
    ) -> Result<Ran, Failure> {
        let driver = self.recipe.driver;
        let kept = self.ensure()?;
        let pulse = Arc::clone(&kept.pulse);
        kept.pulse.touch();
        let (before, started) = (kept.pulse.usage(), Instant::now());
        kept.order(&Order::Give(driver.cell(code, count)));
        let kills = self.memory_kills;
        let mut stopping: Option<Stopping> = None;
        let ran = loop {
            let kept = self.kept.as_ref().ok_or_else(|| internal("the session has no sandbox"))?;
            show(&pulse, watch);
            match kept.next(TICK) {
                Some(News::Report(Report::Reply { number, bytes })) if number == self.number => {
                    match driver.answer(&bytes) {
                        Some(answer) if answer.count == count => {
                            break self.answered(kills, answer, stopping);
                        }
                        // An answer that a cell before this one made up.
                        Some(_) => {}
                        None => break self.lost(Status::OutputLimit, None, None, pulse.take_output()),
                    }
                }
                Some(News::Report(Report::Ended { number, code, signal })) if number == self.number => {
                    let output = kept.pulse.take_output();
                    let status = self.why_it_died(kills, stopping, code, signal);
                    break self.lost(status, code, signal, output);
                }
                Some(News::MemoryKills(kills)) => self.memory_kills = kills,
                Some(News::Ended(outcome)) => break self.sandbox_ended(*outcome)?,
                Some(News::Report(_)) | None => {}
            }
            let kept = self.kept.as_ref().ok_or_else(|| internal("the session has no sandbox"))?;
            let now = Instant::now();
            if stopping.is_none() {
                let cpu = cpu(&kept.pulse.usage()) - cpu(&before);
                let limits = &self.recipe.limits;
                let status = if interrupt.load(Ordering::Acquire) {
                    Some(Status::Signaled)
                } else if now - started >= wall {
                    Some(Status::Timeout)
                } else if cpu > limits.cpu_seconds {
                    Some(Status::CpuLimit)
                } else if kept.pulse.written() > limits.output_total_bytes {
                    Some(Status::OutputLimit)
                } else {
                    None
                };
                stopping =
                    status.map(|status| Stopping { status, until: now + self.recipe.grace, next: now });
            }
            if let Some(stop) = &mut stopping {
                if now >= stop.until {
                    let status = stop.status;
                    break self.lost(status, None, Some(9), pulse.take_output());
                }
                if now >= stop.next {
                    stop.next = now + AGAIN;
                    kept.order(&Order::Interrupt);
                }
            }
        };
        show(&pulse, watch);
        Ok(self.account(ran, &before, started.elapsed()))
    }

    /// Ends the interpreter and everything it started, and starts it anew. Files are kept.
    pub fn reset(&mut self) -> Result<(), Failure> {
        if self.kept.is_some() {
            self.hear_of_the_end();
        }
        if self.kept.is_none() {
            return self.ensure().map(|_| ());
        }
        self.lost_meanwhile = false;
        self.start_interpreter()
    }

    /// Writes a file.
    pub fn put(&mut self, file: &InputFile) -> Result<(), Failure> {
        let (path, executable) = (file.path.clone(), file.executable);
        let order = Order::Put { path, executable, content: file.content.to_vec() };
        match self.ask(&order)? {
            Report::Written => Ok(()),
            Report::Refused(why) => Err(refuse(why, "make room, or choose another path")),
            _ => Err(internal("the session's guest agent gave another answer")),
        }
    }

    /// Reads a file.
    pub fn get(&mut self, path: &str) -> Result<(Vec<u8>, bool), Failure> {
        match self.ask(&Order::Get { path: path.into(), most: LARGEST_FILE })? {
            Report::File { content, executable } => Ok((content, executable)),
            Report::Refused(why) => Err(refuse(why, "`formicary session files ID` lists the files")),
            _ => Err(internal("the session's guest agent gave another answer")),
        }
    }

    /// Removes a file.
    pub fn remove(&mut self, path: &str) -> Result<(), Failure> {
        match self.ask(&Order::Remove { path: path.into() })? {
            Report::Removed => Ok(()),
            Report::Refused(why) => Err(refuse(why, "`formicary session files ID` lists the files")),
            _ => Err(internal("the session's guest agent gave another answer")),
        }
    }

    /// The files of the working folder.
    pub fn list(&mut self) -> Result<Vec<SessionFile>, Failure> {
        match self.ask(&Order::List { most: MOST_FILES })? {
            Report::Files(files) => {
                let plain = |file: Entry| SessionFile {
                    path: String::from_utf8_lossy(&file.path).into_owned(),
                    size: file.size,
                    executable: file.executable,
                };
                Ok(files.into_iter().take(MOST_FILES as usize).map(plain).collect())
            }
            _ => Err(internal("the session's guest agent gave another answer")),
        }
    }

    fn ask(&mut self, order: &Order) -> Result<Report, Failure> {
        let kept = self.ensure()?;
        kept.pulse.touch();
        kept.order(order);
        let deadline = Instant::now() + FILE_TIME;
        loop {
            let kept = self.kept.as_ref().ok_or_else(|| internal("the session has no sandbox"))?;
            match kept.next(deadline.saturating_duration_since(Instant::now())) {
                Some(News::Report(
                    report @ (Report::Written
                    | Report::Removed
                    | Report::File { .. }
                    | Report::Files(_)
                    | Report::Refused(_)),
                )) => return Ok(report),
                // It died while nobody ran anything: the next cell is told.
                Some(News::Report(Report::Ended { number, .. })) if number == self.number => {
                    self.lost_meanwhile = true;
                    self.start_interpreter()?;
                }
                Some(News::MemoryKills(kills)) => self.memory_kills = kills,
                Some(News::Ended(outcome)) => {
                    self.sandbox_ended(*outcome)?;
                    return Err(internal("the session's sandbox ended; its files are kept, try again"));
                }
                Some(News::Report(_)) => {}
                None => return Err(internal("the session's sandbox does not answer")),
            }
        }
    }

    fn start_sandbox(&self) -> Result<Kept, Failure> {
        let mut job = self.recipe.job.clone();
        let agent = format!("{RESERVED_FOLDER}/guest");
        job.command = vec![crate::recipes::inside(&agent), Role::Session.argument().into()];
        job.files = vec![InputFile { path: agent, content: AGENT.into(), executable: true }];
        job.files.extend(self.files.iter().cloned());
        job.collect = formicary_model::CollectRequest {
            globs: vec!["**".into()],
            max_files: 65_536,
            max_bytes: job.limits.disk_bytes,
        };
        // Time and output are limited cell by cell; the guest agent is one more process, and its file is not the user's.
        let lifetime = self.recipe.lifetime.as_secs_f64();
        job.limits.wall_seconds = lifetime;
        job.limits.cpu_seconds = lifetime * job.limits.cores.max(1.0);
        job.limits.processes += 1;
        job.limits.output_bytes = 64;
        job.limits.output_total_bytes = u64::MAX / 2;
        job.limits.disk_bytes += AGENT.len() as u64;
        Kept::start(Arc::clone(&self.recipe.provider), job, self.recipe.limits.output_bytes)
            .map_err(|error| internal(&format!("no thread for the session: {error}")))
    }

    /// Starts the interpreter, and waits until it is ready.
    fn start_interpreter(&mut self) -> Result<(), Failure> {
        self.number += 1;
        (self.ready, self.restored) = (false, false);
        let kept = self.kept.as_ref().ok_or_else(|| internal("the session has no sandbox"))?;
        kept.pulse.mute(true);
        kept.order(&Order::Start {
            command: self.recipe.command.clone(),
            orders: self.recipe.driver.orders(),
            number: self.number,
        });
        if !self.recipe.driver.opening().is_empty() {
            kept.order(&Order::Give(self.recipe.driver.opening().to_vec()));
        }
        let deadline = Instant::now() + SET_UP;
        loop {
            let kept = self.kept.as_ref().ok_or_else(|| internal("the session has no sandbox"))?;
            match kept.next(deadline.saturating_duration_since(Instant::now())) {
                Some(News::Report(Report::Reply { number, bytes })) if number == self.number => {
                    // What an interpreter says at its start is not a cell's output.
                    let _ = kept.pulse.take_output();
                    kept.pulse.mute(false);
                    self.ready = true;
                    self.restored = self.recipe.driver.is_restored(&bytes);
                    return Ok(());
                }
                Some(News::Report(Report::NotStarted(why))) => {
                    return Err(Failure::new(
                        FailureKind::ToolchainMissing,
                        format!("the interpreter does not start: {why}"),
                    ));
                }
                Some(News::Report(Report::Ended { number, code, signal })) if number == self.number => {
                    let (_, said) = kept.pulse.take_output();
                    let said =
                        String::from_utf8_lossy(&said.head).trim().chars().take(500).collect::<String>();
                    let how =
                        signal.map_or(format!("exit code {}", code.unwrap_or(-1)), |s| format!("signal {s}"));
                    return Err(Failure::new(
                        FailureKind::SandboxFailed,
                        format!("the interpreter ended at its start ({how}): {said}"),
                    )
                    .hint("give the session more memory or processes"));
                }
                Some(News::MemoryKills(kills)) => self.memory_kills = kills,
                Some(News::Ended(outcome)) => {
                    self.sandbox_ended(*outcome)?;
                    return Err(Failure::new(
                        FailureKind::SandboxFailed,
                        "the session's sandbox ended before its interpreter was ready",
                    )
                    .hint("give the session more memory or processes"));
                }
                Some(News::Report(_)) => {}
                None => {
                    return Err(internal("the session's interpreter did not start in time"));
                }
            }
        }
    }

    /// Takes the last word of a sandbox that ended between two cells.
    fn hear_of_the_end(&mut self) {
        while let Some(kept) = &self.kept {
            match kept.next(Duration::ZERO) {
                Some(News::Ended(outcome)) => {
                    // What it left is all that matters now; the next sandbox starts from it.
                    let _ = self.sandbox_ended(*outcome);
                    self.lost_meanwhile = true;
                }
                Some(News::MemoryKills(kills)) => self.memory_kills = kills,
                Some(News::Report(Report::Ended { number, .. })) if number == self.number => {
                    self.lost_meanwhile = true;
                    // Where it does not start again, the next cell is told why.
                    let _ = self.start_interpreter();
                }
                Some(News::Report(_)) => {}
                None => return,
            }
        }
    }

    fn answered(&self, kills_before: u64, answer: Answer, stopping: Option<Stopping>) -> Ran {
        let exit = answer.exit;
        let status = match stopping {
            Some(stop) if answer.interrupted || exit != 0 => stop.status,
            _ if answer.interrupted => Status::Signaled,
            _ if exit == 0 => Status::Success,
            // Memory ended a process that the cell had started, and the cell could not do without it.
            _ if self.memory_kills > kills_before => Status::MemoryLimit,
            _ => Status::NonzeroExit,
        };
        let signal = (status == Status::Signaled).then_some(2);
        Ran { exit_code: signal.is_none().then_some(exit), signal, ..Ran::new(status, answer) }
    }

    /// Whether memory was the reason: the kernel's word may come a moment after the death.
    fn why_it_died(
        &mut self,
        before: u64,
        stopping: Option<Stopping>,
        code: Option<i32>,
        signal: Option<i32>,
    ) -> Status {
        let until = Instant::now() + LAG;
        while signal == Some(9) && self.memory_kills == before && Instant::now() < until {
            match self.kept.as_ref().and_then(|kept| kept.next(TICK)) {
                Some(News::MemoryKills(kills)) => self.memory_kills = kills,
                Some(News::Ended(outcome)) => {
                    // The sandbox died with it: what it left is kept, and it knows the reason.
                    if self.sandbox_ended(*outcome).is_ok_and(|ran| ran.status == Status::MemoryLimit) {
                        self.memory_kills = before + 1;
                    }
                    break;
                }
                _ => {}
            }
        }
        match (stopping, signal, code) {
            (Some(stop), ..) => stop.status,
            _ if self.memory_kills > before => Status::MemoryLimit,
            (_, Some(_), _) => Status::Signaled,
            (_, _, Some(0)) => Status::Success,
            _ => Status::NonzeroExit,
        }
    }

    /// The interpreter is gone: another is started.
    fn lost(
        &mut self,
        status: Status,
        code: Option<i32>,
        signal: Option<i32>,
        output: (Captured, Captured),
    ) -> Ran {
        let mut ran = Ran::new(status, Answer::default());
        (ran.exit_code, ran.signal, ran.output) = (code, signal, output);
        // Without room for another in there, or without a sandbox, the next cell tries again: the files are kept.
        let _ = self.start_interpreter();
        ran.state_lost = !self.restored;
        ran.collected = true;
        if self.kept.is_none() && status == Status::Signaled {
            ran.status = self.sandbox_status;
        }
        ran
    }

    /// The whole sandbox is gone: what it left is kept for the next.
    fn sandbox_ended(&mut self, outcome: Result<Outcome, SandboxError>) -> Result<Ran, Failure> {
        let kept = self.kept.take();
        let outcome = outcome?;
        self.files = outcome
            .files
            .into_iter()
            .filter(|file| file.path.split('/').next() != Some(RESERVED_FOLDER))
            .map(|file| InputFile {
                path: file.path,
                content: file.content.into(),
                executable: file.executable,
            })
            .collect();
        let status = match outcome.status {
            Status::Success | Status::NonzeroExit => Status::Signaled,
            status => status,
        };
        self.sandbox_status = status;
        let mut ran = Ran::new(status, Answer::default());
        (ran.signal, ran.state_lost, ran.collected) = (Some(9), true, true);
        if let Some(kept) = kept {
            ran.output = kept.pulse.take_output();
        }
        Ok(ran)
    }

    fn account(&mut self, mut ran: Ran, before: &Usage, duration: Duration) -> Ran {
        if let Some(kept) = &self.kept {
            kept.pulse.touch();
            let now = kept.pulse.usage();
            if !ran.collected {
                ran.output = kept.pulse.take_output();
            }
            // Samples lag behind: what the cell before used late must not count for more than this one can have used.
            let used = cpu(&now) - cpu(before);
            let most = duration.as_secs_f64() * self.recipe.limits.cores;
            let share = if used > most { most / used } else { 1.0 };
            ran.usage = Usage {
                cpu_user: (now.cpu_user - before.cpu_user).max(0.0) * share,
                cpu_system: (now.cpu_system - before.cpu_system).max(0.0) * share,
                ..now
            };
        }
        ran.duration = duration;
        ran.state_lost |= std::mem::take(&mut self.lost_meanwhile);
        ran
    }
}

impl Ran {
    fn new(status: Status, answer: Answer) -> Self {
        Self {
            status,
            answer,
            exit_code: None,
            signal: None,
            output: (Captured::default(), Captured::default()),
            usage: Usage::default(),
            duration: Duration::ZERO,
            state_lost: false,
            collected: false,
        }
    }
}

/// Hears output as it comes.
pub type Watch<'a> = dyn FnMut(Stream, &[u8]) + Send + 'a;

fn show(pulse: &Pulse, watch: &mut Watch<'_>) {
    for (stream, bytes) in pulse.take_fresh() {
        watch(stream, &bytes);
    }
}

fn cpu(usage: &Usage) -> f64 {
    usage.cpu_user + usage.cpu_system
}

fn internal(message: &str) -> Failure {
    Failure::new(FailureKind::Internal, message)
}
