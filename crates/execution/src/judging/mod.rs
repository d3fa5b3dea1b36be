//! Judging: programs against test cases, compiled once, run side by side, each in a sandbox of its own.
//!
//! | module | what it holds |
//! |---|---|
//! | [`item`] | a program and its cases |
//! | [`folder`] | cases from `*.in` and `*.out` files |
//! | [`lines`] | items from JSON Lines, of our own form and HumanEval's |
//! | [`unit_tests`] | tests appended to a program or beside it |
//! | [`compare`] | what was written against what was expected |
//! | [`admission`] | who may run now: by cores, by memory, each caller in turn |
//! | [`results`] | the file of results, and going on after an interruption |
//! | [`summary`] | counts, throughput, pass@k |
//!
//! Items stream in and results stream out; a bounded number is in hand between.

pub mod admission;
pub mod compare;
pub mod folder;
pub mod item;
pub mod lines;
pub mod results;
pub mod summary;
pub mod unit_tests;

mod board;
mod case;
mod last_words;

pub use admission::Admission;
pub use folder::Outputs;
pub use item::{Case, Feed, Item, Text};
pub use lines::{Problems, Template};
pub use results::{Earlier, ResultFile};
pub use summary::Tally;

use crate::{Executor, Live};
use board::{Board, Task};
use case::Runner;
use formicary_model::{Failure, FailureKind, JudgeResult};
use formicary_sandbox::Cancel;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Which cases of a program are run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Cases {
    /// All of them.
    #[default]
    All,
    /// Those up to the first that is not accepted.
    UntilFailure,
}

/// In which order results come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Order {
    /// That of the input.
    #[default]
    Input,
    /// As they are finished.
    Completion,
}

/// How to judge.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct JudgeOptions {
    /// Which cases are run.
    pub cases: Cases,
    /// In which order results come.
    pub order: Order,
    /// Programs at a time; absent: as many as may be admitted.
    pub jobs: Option<usize>,
}

/// A source of items: read on a thread of its own, as room comes free.
pub type Source = Box<dyn Iterator<Item = Feed> + Send>;

/// Items in hand for each worker: enough that one slow program does not stop the others.
const ITEMS_PER_WORKER: usize = 16;

/// Sandboxes that fail one after another before the judging is given up: then it is the host, not the programs.
const FAILURES_IN_A_ROW: usize = 20;

/// Judges everything that the source gives; `sink` is called with each result, on the caller's thread.
///
/// A program that fails is a verdict; an item that cannot be judged is a result with an error. `Err` means that the
/// judging itself ended early: cancelled, no isolation on this host, a sink that failed.
pub fn judge(
    executor: &Executor,
    admission: &Admission,
    source: Source,
    options: JudgeOptions,
    live: &Live<'_>,
    sink: &mut dyn FnMut(JudgeResult) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let workers = options.jobs.unwrap_or(usize::MAX).clamp(1, admission.slots());
    let board = Arc::new(Board::new(options.cases, options.order, workers * ITEMS_PER_WORKER));
    let (observer, cancel) = (live.observer, &live.cancel);
    let runner = Runner::new(executor, admission.caller(), observer, cancel);
    let failures = AtomicUsize::new(0);
    // Not joined: it may wait for input that never comes, long after everyone else has gone.
    let reader = std::thread::Builder::new().name("judge-reader".into()).spawn({
        let board = Arc::clone(&board);
        move || board.take_in(source)
    });
    reader
        .map_err(|error| Failure::new(FailureKind::Internal, format!("no thread can be started: {error}")))?;
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| work(&board, &runner, cancel, &failures));
        }
        let told = tell(&board, cancel, sink);
        if let Err(failure) = &told {
            board.stop(failure.clone());
        }
        told
    })
}

/// Hands results to the sink until there are none.
fn tell(
    board: &Board,
    cancel: &Cancel,
    sink: &mut dyn FnMut(JudgeResult) -> Result<(), Failure>,
) -> Result<(), Failure> {
    while let Some(result) = board.next_result(cancel)? {
        sink(result)?;
    }
    Ok(())
}

fn work(board: &Board, runner: &Runner<'_>, cancel: &Cancel, failures: &AtomicUsize) {
    while let Some(task) = board.next_task(cancel) {
        match task {
            Task::Prepare(number, item) => {
                let prepared = runner.prepare(&item.request);
                if let Some(prepared) = unless_fatal(board, failures, prepared) {
                    board.prepared(number, prepared);
                }
            }
            Task::Case(number, item, program, case) => {
                let judged = runner.judge(&item, &program, &item.cases[case]);
                if let Some(judged) = unless_fatal(board, failures, judged) {
                    board.judged(number, case, judged);
                }
            }
        }
    }
}

/// Passes on what concerns one item; stops everything for what would befall every other item too.
fn unless_fatal<T>(
    board: &Board,
    failures: &AtomicUsize,
    result: Result<T, Failure>,
) -> Option<Result<T, Failure>> {
    let Err(failure) = result else {
        failures.store(0, Ordering::Relaxed);
        return Some(result);
    };
    let fatal = match failure.kind {
        FailureKind::Cancelled | FailureKind::IsolationUnavailable | FailureKind::InvalidConfiguration => {
            true
        }
        FailureKind::SandboxFailed | FailureKind::Internal => {
            failures.fetch_add(1, Ordering::Relaxed) + 1 >= FAILURES_IN_A_ROW
        }
        FailureKind::InvalidInput
        | FailureKind::Forbidden
        | FailureKind::NotFound
        | FailureKind::ToolchainMissing => false,
    };
    if fatal {
        board.stop(failure);
        return None;
    }
    Some(Err(failure))
}
