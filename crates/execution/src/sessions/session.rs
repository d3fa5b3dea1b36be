//! One session: whose turn it is, what it counts, and what came of a cell in the words of the model.

use super::kept::{Pulse, Voice, lock};
use super::live::{LARGEST_FILE, Live, Ran, Watch};
use super::stored::Stored;
use crate::guard::{self, refuse, shown};
use crate::pipeline::run_id;
use formicary_guest::message::session::Order;
use formicary_model::{
    Artifact, CellRequest, CellResult, Enforcement, ExecutionResult, Failure, Limits, OutputCounts,
    SessionFile, SessionInfo, SessionState, SourceFile, Status, suggest,
};
use formicary_sandbox::{Cancel, Captured, InputFile};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A session. Callers that come at the same time wait for their turn.
pub struct Session {
    id: String,
    language: String,
    limits: Limits,
    provider: String,
    enforcement: Enforcement,
    idle_limit: Duration,
    made: Instant,
    cells: AtomicU64,
    most_code: u64,
    keeps_state: bool,
    turn: Mutex<Engine>,
    /// What can be reached while somebody has the turn.
    reach: Mutex<Reach>,
    interrupt: AtomicBool,
    running: AtomicBool,
    closed: AtomicBool,
}

/// What runs the cells.
pub(super) enum Engine {
    /// A live interpreter.
    Live(Box<Live>),
    /// A run for each cell.
    Stored(Box<Stored>),
}

struct Reach {
    voice: Option<(Voice, Arc<Pulse>)>,
    cancel: Cancel,
    used: Instant,
}

/// What a session is made of.
pub(super) struct Parts {
    pub id: String,
    pub language: String,
    pub limits: Limits,
    pub provider: String,
    pub enforcement: Enforcement,
    pub idle_limit: Duration,
    pub most_code: u64,
    pub engine: Engine,
}

impl Session {
    pub(super) fn new(parts: Parts) -> Self {
        let reach = Reach { voice: None, cancel: Cancel::default(), used: Instant::now() };
        Self {
            id: parts.id,
            language: parts.language,
            limits: parts.limits,
            provider: parts.provider,
            enforcement: parts.enforcement,
            idle_limit: parts.idle_limit,
            most_code: parts.most_code,
            keeps_state: matches!(parts.engine, Engine::Live(_)),
            made: Instant::now(),
            cells: AtomicU64::new(0),
            turn: Mutex::new(parts.engine),
            reach: Mutex::new(reach),
            interrupt: AtomicBool::new(false),
            running: AtomicBool::new(false),
            closed: AtomicBool::new(false),
        }
    }

    /// Starts its sandbox, so that a host that cannot give one says so at once.
    pub(super) fn start(&self) -> Result<(), Failure> {
        self.in_turn(|engine| match engine {
            Engine::Live(live) => live.ensure().map(|_| ()),
            Engine::Stored(_) => Ok(()),
        })
    }

    /// Its name.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The session as it is listed.
    pub fn info(&self) -> SessionInfo {
        let reach = lock(&self.reach);
        let memory = reach.voice.as_ref().and_then(|(_, pulse)| pulse.usage().memory_peak);
        let running = self.running.load(Ordering::Acquire);
        SessionInfo {
            id: self.id.clone(),
            language: self.language.clone(),
            state: if running { SessionState::Running } else { SessionState::Ready },
            execution_count: self.cells.load(Ordering::Acquire),
            keeps_state: self.keeps_state,
            age: self.made.elapsed().as_secs_f64(),
            idle: if running { 0.0 } else { last_use(&reach).elapsed().as_secs_f64() },
            memory,
            provider: self.provider.clone(),
        }
    }

    /// The limits under which its cells run.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Whether it has been idle for longer than it may.
    pub fn is_stale(&self) -> bool {
        !self.running.load(Ordering::Acquire) && last_use(&lock(&self.reach)).elapsed() > self.idle_limit
    }

    /// Runs one cell when it is this caller's turn.
    pub fn run(&self, cell: &CellRequest) -> Result<CellResult, Failure> {
        self.run_watched(cell, &mut |_, _| {})
    }

    /// The same, with output shown to `watch` as it comes. What a slow watcher misses is in the result.
    pub fn run_watched(&self, cell: &CellRequest, watch: &mut Watch<'_>) -> Result<CellResult, Failure> {
        guard::check_code_size(cell.code.len() as u64, self.most_code)?;
        guard::check_encoding("the cell", &cell.code)?;
        guard::check_arguments("argument", &cell.args)?;
        let code = String::from_utf8_lossy(&cell.code);
        if code.contains('\0') {
            return Err(refuse("the cell holds a NUL byte", "remove the NUL byte"));
        }
        let wall = cell.wall_seconds.unwrap_or(self.limits.wall_seconds);
        let wall = guard::validate_timeout(wall)?;
        self.in_turn(|engine| {
            self.interrupt.store(false, Ordering::Release);
            self.running.store(true, Ordering::Release);
            let count = self.cells.fetch_add(1, Ordering::AcqRel) + 1;
            let result = match engine {
                Engine::Live(live) => {
                    if !(cell.args.is_empty() && cell.stdin.is_empty()) {
                        return Err(refuse(
                            "a cell of a live interpreter takes no arguments and no stdin",
                            "put the values into the code, or a file with `formicary session put`",
                        ));
                    }
                    let ran = live.run(&code, count, Duration::from_secs_f64(wall), &self.interrupt, watch);
                    lock(&self.reach).voice = live.handles();
                    ran.and_then(|ran| self.told(ran, count, wall))
                }
                Engine::Stored(stored) => {
                    let cancel = Cancel::default();
                    lock(&self.reach).cancel = cancel.clone();
                    stored.run(cell, wall, cancel, watch).map(|result| self.told_of_a_run(result, count))
                }
            };
            self.running.store(false, Ordering::Release);
            result
        })
    }

    /// Interrupts the cell that runs, if one does. State is kept where the interpreter obeys.
    pub fn interrupt(&self) -> bool {
        let running = self.running.load(Ordering::Acquire);
        if running {
            self.interrupt.store(true, Ordering::Release);
            let reach = lock(&self.reach);
            match &reach.voice {
                Some((voice, _)) => voice.order(&Order::Interrupt),
                None => reach.cancel.cancel(),
            }
        }
        running
    }

    /// The files of its working folder.
    pub fn files(&self) -> Result<Vec<SessionFile>, Failure> {
        self.in_turn(|engine| match engine {
            Engine::Live(live) => live.list(),
            Engine::Stored(stored) => Ok(stored.list()),
        })
    }

    /// Writes files into its working folder.
    pub fn put(&self, files: &[SourceFile]) -> Result<(), Failure> {
        let files = checked_files(files)?;
        self.in_turn(|engine| {
            for file in &files {
                match engine {
                    Engine::Live(live) => live.put(file)?,
                    Engine::Stored(stored) => {
                        if stored.bytes() + file.content.len() as u64 > self.limits.disk_bytes {
                            return Err(refuse(
                                format!("{}: the session's files would exceed its disk limit", file.path),
                                "make the session with a larger --disk",
                            ));
                        }
                        stored.put(file.clone());
                    }
                }
            }
            Ok(())
        })
    }

    /// Reads a file of its working folder.
    pub fn get(&self, path: &str) -> Result<Artifact, Failure> {
        let plain = guard::check_path(path)?;
        let (content, executable) = self.in_turn(|engine| match engine {
            Engine::Live(live) => live.get(&plain),
            Engine::Stored(stored) => match stored.get(&plain) {
                Some(file) => Ok((file.content.to_vec(), file.executable)),
                None => Err(no_file(stored, path, &plain)),
            },
        })?;
        Ok(Artifact { path: plain, size: content.len() as u64, executable, content })
    }

    /// Removes a file of its working folder.
    pub fn remove(&self, path: &str) -> Result<(), Failure> {
        let plain = guard::check_path(path)?;
        self.in_turn(|engine| match engine {
            Engine::Live(live) => live.remove(&plain),
            Engine::Stored(stored) => {
                let removed = stored.remove(&plain);
                if removed { Ok(()) } else { Err(no_file(stored, path, &plain)) }
            }
        })
    }

    /// Forgets variables, functions and background work; files are kept.
    pub fn reset(&self) -> Result<(), Failure> {
        // Whoever runs a cell would make us wait: a reset ends it first.
        self.interrupt();
        self.in_turn(|engine| match engine {
            Engine::Live(live) => live.reset(),
            Engine::Stored(_) => Ok(()),
        })
    }

    /// Marks it closed and interrupts what runs; the sandbox ends when the last caller lets go.
    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Release);
        self.interrupt();
    }

    fn in_turn<T>(&self, act: impl FnOnce(&mut Engine) -> Result<T, Failure>) -> Result<T, Failure> {
        let mut engine = lock(&self.turn);
        if self.closed.load(Ordering::Acquire) {
            return Err(refuse(format!("session {} was closed", shown(&self.id)), "make a new one"));
        }
        let result = act(&mut engine);
        let mut reach = lock(&self.reach);
        reach.used = Instant::now();
        if let Engine::Live(live) = &*engine {
            reach.voice = live.handles();
        }
        self.running.store(false, Ordering::Release);
        result
    }

    fn told(&self, ran: Ran, count: u64, wall: f64) -> Result<CellResult, Failure> {
        let (stdout, stderr) = &ran.output;
        let output = OutputCounts {
            stdout_bytes: stdout.total,
            stderr_bytes: stderr.total,
            stdout_omitted: stdout.omitted(),
            stderr_omitted: stderr.omitted(),
        };
        Ok(CellResult {
            session_id: self.id.clone(),
            run_id: run_id::new()?,
            execution_count: count,
            language: self.language.clone(),
            status: ran.status,
            stdout: text(stdout),
            stderr: text(stderr),
            error_message: message(&ran, &self.limits, wall),
            value: ran.answer.value,
            displays: ran.answer.displays,
            exception: ran.answer.exception,
            exit_code: ran.exit_code,
            signal: ran.signal,
            duration: ran.duration.as_secs_f64(),
            usage: ran.usage,
            truncated: output.stdout_omitted > 0 || output.stderr_omitted > 0,
            output,
            state_lost: ran.state_lost,
            compile: None,
            enforcement: self.enforcement.clone(),
        })
    }

    fn told_of_a_run(&self, result: ExecutionResult, count: u64) -> CellResult {
        CellResult {
            session_id: self.id.clone(),
            run_id: result.run_id,
            execution_count: count,
            language: result.language,
            status: result.status,
            stdout: result.stdout,
            stderr: result.stderr,
            value: None,
            displays: Vec::new(),
            exception: None,
            exit_code: result.exit_code,
            signal: result.signal,
            duration: result.duration,
            usage: result.usage,
            truncated: result.truncated,
            output: result.output,
            state_lost: false,
            compile: result.compile,
            enforcement: result.enforcement,
            error_message: result.error_message,
        }
    }
}

fn no_file(stored: &Stored, asked: &str, plain: &str) -> Failure {
    let all = stored.list();
    let hint = match suggest::nearest(plain, all.iter().map(|file| file.path.as_str())) {
        Some(near) => format!("did you mean {near:?}?"),
        None => "`formicary session files ID` lists the files".to_string(),
    };
    refuse(format!("the session has no file {}", shown(asked)), hint)
}

fn last_use(reach: &Reach) -> Instant {
    reach.voice.as_ref().map_or(reach.used, |(_, pulse)| pulse.worked().max(reach.used))
}

/// Files of a request, with plain relative paths and within bounds.
pub(super) fn checked_files(files: &[SourceFile]) -> Result<Vec<InputFile>, Failure> {
    let mut checked = Vec::new();
    for file in files {
        let path = guard::check_path(&file.path)?;
        if file.content.len() as u64 > LARGEST_FILE {
            return Err(refuse(
                format!("{path} has {} bytes, at most {LARGEST_FILE} are accepted", file.content.len()),
                "mount large data with --mount when the session is made",
            ));
        }
        let content = file.content.as_slice().into();
        checked.push(InputFile { path, content, executable: file.executable });
    }
    guard::check_file_set(checked.iter().map(|file| file.path.as_str()))?;
    Ok(checked)
}

fn text(captured: &Captured) -> String {
    String::from_utf8_lossy(&captured.joined()).into_owned()
}

/// One sentence for people; nothing on success.
fn message(ran: &Ran, limits: &Limits, wall: f64) -> Option<String> {
    let what = match ran.status {
        Status::Success if !ran.state_lost => return None,
        Status::Success => "the interpreter ended".to_string(),
        Status::Timeout => format!("the cell ran longer than {wall} s"),
        Status::CpuLimit => format!("the cell used more than {} s of CPU time", limits.cpu_seconds),
        Status::MemoryLimit => {
            format!("memory limit of {} MiB exceeded", limits.memory_bytes / (1024 * 1024))
        }
        Status::OutputLimit => "the cell wrote more than it may".to_string(),
        Status::Signaled if ran.signal == Some(2) => "the cell was interrupted".to_string(),
        Status::Signaled => format!("the interpreter was ended by signal {}", ran.signal.unwrap_or(0)),
        _ => match &ran.answer.exception {
            Some(exception) => format!("{}: {}", exception.kind, exception.message),
            None => format!("exit code {}", ran.exit_code.unwrap_or(1)),
        },
    };
    let lost = if ran.state_lost { "; the session's state was lost, its files are kept" } else { "" };
    Some(format!("{what}{lost}"))
}
