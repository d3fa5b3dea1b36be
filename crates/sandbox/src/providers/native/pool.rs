//! Sandboxes that stand ready: made ahead, used once, made anew in the background.
//!
//! A shelf holds sandboxes for jobs that agree in everything that matters before a job comes ([`Fit`]); it comes into
//! being with the first such job and goes when nobody has asked for a while. Two threads keep the shelves full.
//! Whatever cannot be made ahead is not: the job then gets a sandbox of its own.

use super::kind::{Fit, Kind};
use super::nursery::{Cradle, Nursery};
use crate::cgroups::Backend;
use crate::{Job, SandboxError};
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Threads that make.
const HANDS: usize = 2;
/// How long nothing is tried after it failed.
const REST: Duration = Duration::from_secs(10);
/// Interpreters of one kind that take turns, so that neighbours do not share their hash seed.
const TURNS: usize = 2;

/// How a pool behaves.
#[derive(Debug, Clone)]
pub struct PoolSettings {
    /// Sandboxes that stand ready on each shelf.
    pub waiting: usize,
    /// Shelves.
    pub shelves: usize,
    /// How long a shelf is kept that nobody asks for.
    pub idle: Duration,
    /// Modules that Python interpreters import before they stand ready.
    pub python_imports: Vec<String>,
    /// Programs that come from one interpreter before another takes its place.
    pub programs_per_interpreter: usize,
}

impl Default for PoolSettings {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            waiting: (2 * cores).min(16),
            shelves: 8,
            idle: Duration::from_secs(60),
            python_imports: Vec::new(),
            programs_per_interpreter: 64,
        }
    }
}

/// What a pool has and has done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PoolFigures {
    /// Sandboxes that stand ready.
    pub ready: usize,
    /// Jobs that found one.
    pub found: u64,
    /// Jobs that waited while one was made from what stood ready.
    pub made: u64,
    /// Jobs that found nothing.
    pub missed: u64,
}

/// The pool.
#[derive(Debug)]
pub struct Pool {
    shared: Arc<Shared>,
    hands: Vec<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    settings: PoolSettings,
    backend: Arc<Backend>,
    state: Mutex<State>,
    work: Condvar,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    shelves: Vec<Shelf>,
    families: Vec<Family>,
    /// Sandboxes whose shelf had to make room.
    unwanted: Vec<Cradle>,
    figures: PoolFigures,
    closing: bool,
}

#[derive(Debug)]
struct Shelf {
    fit: Fit,
    /// A job of this sort: what its sandboxes are made for.
    pattern: Job,
    ready: VecDeque<Cradle>,
    making: usize,
    asked: Instant,
    rests_until: Option<Instant>,
    last_failure: Option<String>,
}

/// The nurseries of one kind.
#[derive(Debug)]
struct Family {
    kind: Kind,
    nurseries: VecDeque<Arc<Nursery>>,
    starting: bool,
}

impl Pool {
    /// A pool that makes nothing until the first job comes.
    pub fn new(settings: PoolSettings, backend: Arc<Backend>) -> Self {
        let shared = Arc::new(Shared {
            settings,
            backend,
            state: Mutex::default(),
            work: Condvar::new(),
            changed: Condvar::new(),
        });
        let hand = |_| {
            let shared = Arc::clone(&shared);
            std::thread::Builder::new().name("formicary-pool".into()).spawn(move || shared.serve()).ok()
        };
        let hands = (0..HANDS).filter_map(hand).collect();
        Self { shared, hands }
    }

    /// A sandbox for this job, if one stands ready or can be made from what stands ready.
    pub fn take(&self, job: &Job) -> Option<(Cradle, Fit)> {
        let fit = Fit::of(job)?;
        let shared = &self.shared;
        let mut state = shared.lock();
        let shelf = state.shelf(&fit, job, shared.settings.shelves);
        shelf.asked = Instant::now();
        while let Some(cradle) = shelf.ready.pop_front() {
            if cradle.stands() {
                // While others stand ready, the next one is made when this job is done: it would take its processor.
                let last = shelf.ready.is_empty();
                state.figures.found += 1;
                drop(state);
                if last {
                    shared.work.notify_one();
                }
                return Some((cradle, fit));
            }
            // What died while it stood there is taken apart on the way out.
        }
        let rests = shelf.rests();
        shared.work.notify_one();
        let nursery = if rests { None } else { state.nursery(&fit.kind) };
        let Some(nursery) = nursery else {
            state.figures.missed += 1;
            return None;
        };
        state.figures.made += 1;
        drop(state);
        nursery.birth(&shared.backend, job, &fit).ok().map(|cradle| (cradle, fit))
    }

    /// Waits until as many sandboxes as are to wait stand ready for jobs like this one.
    pub fn warm_up(&self, job: &Job) -> Result<(), SandboxError> {
        let Some(fit) = Fit::of(job) else { return Ok(()) };
        let shared = &self.shared;
        let mut state = shared.lock();
        loop {
            let shelf = state.shelf(&fit, job, shared.settings.shelves);
            shelf.asked = Instant::now();
            if shelf.ready.len() >= shared.settings.waiting {
                return Ok(());
            }
            if let (true, Some(why)) = (shelf.rests(), &shelf.last_failure) {
                return Err(SandboxError::step(
                    format!("make sandboxes ahead: {why}"),
                    std::io::ErrorKind::Other.into(),
                ));
            }
            shared.work.notify_all();
            state = shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A job is done: what it took is made anew.
    pub fn refill(&self) {
        self.shared.work.notify_one();
    }

    /// What it has and has done.
    pub fn figures(&self) -> PoolFigures {
        let state = self.shared.lock();
        PoolFigures { ready: state.shelves.iter().map(|shelf| shelf.ready.len()).sum(), ..state.figures }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.lock().closing = true;
        self.shared.work.notify_all();
        for hand in self.hands.drain(..) {
            let _ = hand.join();
        }
    }
}

/// Something for a pair of hands to do.
enum Task {
    TakeApart(Vec<Cradle>),
    /// Start a nursery.
    Start(Kind),
    /// Make a sandbox for the shelf with this fit.
    Fill(Box<(Fit, Job)>, Arc<Nursery>),
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self) {
        let mut state = self.lock();
        loop {
            if state.closing {
                return;
            }
            let expired = state.expire(self.settings.idle);
            if let Some(task) = state.next(&self.settings) {
                drop(state);
                drop(expired);
                self.perform(task);
                state = self.lock();
            } else if expired.is_empty() {
                let wait = self.settings.idle.clamp(Duration::from_millis(100), Duration::from_secs(1));
                state = self.work.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0;
            } else {
                drop(state);
                drop(expired);
                state = self.lock();
            }
        }
    }

    fn perform(&self, task: Task) {
        match task {
            Task::TakeApart(cradles) => drop(cradles),
            Task::Start(kind) => {
                let started = Nursery::start(&kind, &self.settings.python_imports, &self.backend);
                let mut state = self.lock();
                if let Err(error) = &started {
                    state.note_failure(|fit| fit.kind == kind, error);
                }
                let family = state.family(&kind);
                family.starting = false;
                family.nurseries.extend(started.ok().map(Arc::new));
            }
            Task::Fill(what, nursery) => {
                let (fit, job) = *what;
                let born = nursery.birth(&self.backend, &job, &fit);
                let mut state = self.lock();
                if let Err(error) = &born {
                    state.note_failure(|other| *other == fit, error);
                    if !nursery.lives() {
                        let family = state.family(&fit.kind);
                        family.nurseries.retain(|one| !Arc::ptr_eq(one, &nursery));
                    }
                }
                if let Some(shelf) = state.shelves.iter_mut().find(|shelf| shelf.fit == fit) {
                    shelf.making = shelf.making.saturating_sub(1);
                    shelf.ready.extend(born.ok());
                }
                drop(state);
            }
        }
        self.changed.notify_all();
    }
}

impl Shelf {
    fn rests(&self) -> bool {
        self.rests_until.is_some_and(|until| Instant::now() < until)
    }
}

impl State {
    /// The shelf for this fit; the one that was asked for longest ago makes room for a new one.
    fn shelf(&mut self, fit: &Fit, job: &Job, most: usize) -> &mut Shelf {
        let at = match self.shelves.iter().position(|shelf| shelf.fit == *fit) {
            Some(at) => at,
            None => {
                if self.shelves.len() >= most.max(1) {
                    let oldest = (0..self.shelves.len()).min_by_key(|at| self.shelves[*at].asked);
                    let gone = self.shelves.swap_remove(oldest.unwrap_or(0));
                    self.unwanted.extend(gone.ready);
                }
                self.shelves.push(Shelf {
                    fit: fit.clone(),
                    pattern: Job { files: Vec::new(), ..job.clone() },
                    ready: VecDeque::new(),
                    making: 0,
                    asked: Instant::now(),
                    rests_until: None,
                    last_failure: None,
                });
                self.shelves.len() - 1
            }
        };
        &mut self.shelves[at]
    }

    fn family(&mut self, kind: &Kind) -> &mut Family {
        let at = self.families.iter().position(|family| family.kind == *kind).unwrap_or_else(|| {
            self.families.push(Family { kind: kind.clone(), nurseries: VecDeque::new(), starting: false });
            self.families.len() - 1
        });
        &mut self.families[at]
    }

    /// A nursery of this kind, in turn.
    fn nursery(&mut self, kind: &Kind) -> Option<Arc<Nursery>> {
        let nurseries = &mut self.family(kind).nurseries;
        nurseries.rotate_left(1.min(nurseries.len()));
        nurseries.back().cloned()
    }

    fn note_failure(&mut self, concerns: impl Fn(&Fit) -> bool, error: &SandboxError) {
        for shelf in self.shelves.iter_mut().filter(|shelf| concerns(&shelf.fit)) {
            shelf.rests_until = Some(Instant::now() + REST);
            shelf.last_failure = Some(error.to_string());
        }
    }

    /// Shelves and nurseries that nobody needs any more.
    fn expire(&mut self, idle: Duration) -> Vec<(Vec<Shelf>, Vec<Family>)> {
        let now = Instant::now();
        let (gone, kept): (Vec<_>, Vec<_>) = std::mem::take(&mut self.shelves)
            .into_iter()
            .partition(|shelf| now.duration_since(shelf.asked) > idle && shelf.making == 0);
        self.shelves = kept;
        let needed = |family: &Family| self.shelves.iter().any(|shelf| shelf.fit.kind == family.kind);
        let (kept, unneeded): (Vec<_>, Vec<_>) = std::mem::take(&mut self.families)
            .into_iter()
            .partition(|family| family.starting || needed(family));
        self.families = kept;
        if gone.is_empty() && unneeded.is_empty() { Vec::new() } else { vec![(gone, unneeded)] }
    }

    fn next(&mut self, settings: &PoolSettings) -> Option<Task> {
        if !self.unwanted.is_empty() {
            return Some(Task::TakeApart(std::mem::take(&mut self.unwanted)));
        }
        let short =
            |shelf: &&mut Shelf| shelf.ready.len() + shelf.making < settings.waiting && !shelf.rests();
        let wanted =
            self.shelves.iter_mut().filter(short).min_by_key(|shelf| shelf.ready.len() + shelf.making);
        if let Some(shelf) = wanted {
            let (fit, pattern) = (shelf.fit.clone(), shelf.pattern.clone());
            if let Some(kind) = self.missing_nursery(&fit.kind, settings) {
                return Some(Task::Start(kind));
            }
            if let Some(nursery) = self.nursery(&fit.kind) {
                if let Some(shelf) = self.shelves.iter_mut().find(|shelf| shelf.fit == fit) {
                    shelf.making += 1;
                }
                return Some(Task::Fill(Box::new((fit, pattern)), nursery));
            }
        }
        None
    }

    /// The kind, if it wants one more nursery; those that have served long enough are let go.
    fn missing_nursery(&mut self, kind: &Kind, settings: &PoolSettings) -> Option<Kind> {
        let family = self.family(kind);
        let interpreter = family.kind.interpreter.is_some();
        if interpreter {
            family.nurseries.retain(|nursery| nursery.born() < settings.programs_per_interpreter);
        }
        let enough = if interpreter { TURNS } else { 1 };
        if family.starting || family.nurseries.len() >= enough {
            return None;
        }
        family.starting = true;
        Some(kind.clone())
    }
}
