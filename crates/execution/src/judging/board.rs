//! The board: items in hand, what is to be done next for each, and which are finished.
//!
//! Few items are in hand at a time, whatever the length of the input: the reader waits for room, and with it the
//! memory stays bounded. Workers take the oldest item's work first, so that results come in order without waiting.

use super::item::{Feed, Item};
use super::{Cases, Order};
use crate::PreparedProgram;
use formicary_model::{CaseResult, Failure, JudgeResult, Verdict};
use formicary_sandbox::Cancel;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What is to be done next.
pub enum Task {
    /// Compile the item of this number.
    Prepare(u64, Arc<Item>),
    /// Run a case of it.
    Case(u64, Arc<Item>, Arc<PreparedProgram>, usize),
}

/// Items in hand.
pub struct Board {
    state: Mutex<State>,
    changed: Condvar,
    cases: Cases,
    order: Order,
    room: usize,
}

#[derive(Default)]
struct State {
    in_hand: VecDeque<InHand>,
    /// What the items in hand take of memory.
    bytes: u64,
    taken_in: u64,
    exhausted: bool,
    stopped: Option<Failure>,
}

struct InHand {
    number: u64,
    bytes: u64,
    stage: Stage,
}

enum Stage {
    Waiting(Arc<Item>),
    Preparing(Arc<Item>),
    Running(Running),
    Finished(Box<JudgeResult>),
}

struct Running {
    item: Arc<Item>,
    program: Arc<PreparedProgram>,
    results: Vec<Option<CaseResult>>,
    next: usize,
    under_way: usize,
    /// Cases from here on are not wanted.
    end: usize,
}

/// What the items in hand may take of memory together.
const BYTES_IN_HAND: u64 = 256 * 1024 * 1024;

/// How long anyone waits without a look at the cancellation.
const LOOK: Duration = Duration::from_millis(50);

impl Board {
    /// A board with room for this many items.
    pub fn new(cases: Cases, order: Order, room: usize) -> Self {
        Self { state: Mutex::default(), changed: Condvar::new(), cases, order, room }
    }

    /// Takes everything that the source gives, waiting for room. Ends early where the judging is stopped.
    pub fn take_in(&self, source: impl Iterator<Item = Feed>) {
        for feed in source {
            let bytes = feed.bytes();
            let mut state = self.lock();
            while !self.has_room(&state, bytes) && state.stopped.is_none() {
                state = self.wait(state);
            }
            if state.stopped.is_some() {
                return;
            }
            let number = state.taken_in;
            state.taken_in += 1;
            let stage = match feed {
                Feed::Item(item) => Stage::Waiting(Arc::from(item)),
                Feed::Broken { line, failure } => Stage::Finished(Box::new(broken(line, failure))),
            };
            state.in_hand.push_back(InHand { number, bytes, stage });
            state.bytes += bytes;
            self.changed.notify_all();
        }
        self.lock().exhausted = true;
        self.changed.notify_all();
    }

    /// The next task; waits for one. `None`: there will be none.
    pub fn next_task(&self, cancel: &Cancel) -> Option<Task> {
        let mut state = self.lock();
        loop {
            let nothing_left =
                state.exhausted && state.in_hand.iter().all(|item| matches!(item.stage, Stage::Finished(_)));
            if cancel.is_cancelled() || state.stopped.is_some() || nothing_left {
                return None;
            }
            if let Some(task) = state.in_hand.iter_mut().find_map(InHand::take) {
                return Some(task);
            }
            state = self.wait(state);
        }
    }

    /// The item is compiled, or could not be prepared.
    pub fn prepared(&self, number: u64, prepared: Result<PreparedProgram, Failure>) {
        self.change(number, |stage| {
            let Stage::Preparing(item) = stage else { return };
            *stage = match prepared {
                Err(failure) => Stage::Finished(Box::new(not_judged(item, failure))),
                Ok(program) if program.compile_failure().is_some() => {
                    Stage::Finished(Box::new(not_compiled(item, &program)))
                }
                Ok(program) => Stage::Running(Running {
                    results: vec![None; item.cases.len()],
                    end: item.cases.len(),
                    item: Arc::clone(item),
                    program: Arc::new(program),
                    next: 0,
                    under_way: 0,
                }),
            };
        });
    }

    /// A case has a result, or could not be judged.
    pub fn judged(&self, number: u64, case: usize, result: Result<CaseResult, Failure>) {
        let cases = self.cases;
        self.change(number, |stage| {
            let Stage::Running(running) = stage else { return };
            running.under_way -= 1;
            match result {
                Ok(result) => {
                    if result.verdict != Verdict::Accepted && cases == Cases::UntilFailure {
                        running.end = running.end.min(case + 1);
                    }
                    running.results[case] = Some(result);
                    if running.under_way == 0 && running.next >= running.end {
                        *stage = Stage::Finished(Box::new(running.finished()));
                    }
                }
                Err(failure) => *stage = Stage::Finished(Box::new(not_judged(&running.item, failure))),
            }
        });
    }

    /// Ends everything: a fault that would befall every item, or the caller's wish.
    pub fn stop(&self, failure: Failure) {
        self.lock().stopped.get_or_insert(failure);
        self.changed.notify_all();
    }

    /// The next result in the order that is wanted; waits for it. `None`: there will be none.
    pub fn next_result(&self, cancel: &Cancel) -> Result<Option<JudgeResult>, Failure> {
        let mut state = self.lock();
        loop {
            let is_finished = |item: &InHand| matches!(item.stage, Stage::Finished(_));
            let place = match self.order {
                Order::Input => state.in_hand.front().is_some_and(is_finished).then_some(0),
                Order::Completion => state.in_hand.iter().position(is_finished),
            };
            if let Some(item) = place.and_then(|place| state.in_hand.remove(place)) {
                state.bytes -= item.bytes;
                self.changed.notify_all();
                if let Stage::Finished(result) = item.stage {
                    return Ok(Some(*result));
                }
            }
            if let Some(failure) = &state.stopped {
                return Err(failure.clone());
            }
            if cancel.is_cancelled() {
                let failure = Failure::new(formicary_model::FailureKind::Cancelled, "cancelled");
                state.stopped = Some(failure.clone());
                self.changed.notify_all();
                return Err(failure);
            }
            if state.exhausted && state.in_hand.is_empty() {
                return Ok(None);
            }
            state = self.wait(state);
        }
    }

    // One item is let in however large it is; its line was bounded before.
    fn has_room(&self, state: &State, bytes: u64) -> bool {
        state.in_hand.is_empty() || (state.in_hand.len() < self.room && state.bytes + bytes <= BYTES_IN_HAND)
    }

    fn change(&self, number: u64, change: impl FnOnce(&mut Stage)) {
        let mut state = self.lock();
        if let Some(item) = state.in_hand.iter_mut().find(|item| item.number == number) {
            change(&mut item.stage);
        }
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        self.changed.wait_timeout(state, LOOK).unwrap_or_else(PoisonError::into_inner).0
    }
}

impl InHand {
    fn take(&mut self) -> Option<Task> {
        match &mut self.stage {
            Stage::Waiting(item) => {
                let item = Arc::clone(item);
                self.stage = Stage::Preparing(Arc::clone(&item));
                Some(Task::Prepare(self.number, item))
            }
            Stage::Running(running) if running.next < running.end => {
                running.next += 1;
                running.under_way += 1;
                let (item, program) = (Arc::clone(&running.item), Arc::clone(&running.program));
                Some(Task::Case(self.number, item, program, running.next - 1))
            }
            _ => None,
        }
    }
}

impl Running {
    /// Cases after the first failure are left out where the rest was not wanted, though some may have run: the same
    /// item has the same result however many ran side by side.
    fn finished(&mut self) -> JudgeResult {
        self.results.truncate(self.end);
        let cases: Vec<CaseResult> = std::mem::take(&mut self.results).into_iter().flatten().collect();
        let failed = cases.iter().map(|case| case.verdict).find(|verdict| *verdict != Verdict::Accepted);
        JudgeResult {
            language: Some(self.program.language().to_string()),
            verdict: Some(failed.unwrap_or(Verdict::Accepted)),
            passed: cases.iter().filter(|case| case.verdict == Verdict::Accepted).count() as u64,
            cases,
            compile: self.program.compile().cloned(),
            ..blank(&self.item)
        }
    }
}

fn blank(item: &Item) -> JudgeResult {
    JudgeResult {
        id: item.id.clone(),
        line: item.line,
        group: item.group.clone(),
        language: None,
        verdict: None,
        passed: 0,
        total: item.cases.len() as u64,
        cases: Vec::new(),
        compile: None,
        error: None,
    }
}

fn not_judged(item: &Item, failure: Failure) -> JudgeResult {
    JudgeResult { error: Some(failure), ..blank(item) }
}

fn not_compiled(item: &Item, program: &PreparedProgram) -> JudgeResult {
    JudgeResult {
        language: Some(program.language().to_string()),
        verdict: Some(Verdict::CompileError),
        compile: program.compile().cloned(),
        ..blank(item)
    }
}

fn broken(line: u64, failure: Failure) -> JudgeResult {
    JudgeResult {
        id: String::new(),
        line,
        group: None,
        language: None,
        verdict: None,
        passed: 0,
        total: 0,
        cases: Vec::new(),
        compile: None,
        error: Some(failure),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judging::unit_tests::once;
    use formicary_model::{Comparison, ExecutionRequest, Source};

    fn feed(line: u64, bytes: usize) -> Feed {
        Feed::Item(Box::new(Item {
            id: line.to_string(),
            line,
            group: None,
            request: ExecutionRequest { source: Source::code(vec![0; bytes]), ..Default::default() },
            cases: once(None),
            comparison: Comparison::Trimmed,
            checker: None,
        }))
    }

    fn failed() -> Failure {
        Failure::new(formicary_model::FailureKind::InvalidInput, "x")
    }

    /// The reader goes no further than there is room, and on as results are taken.
    #[test]
    fn the_reader_waits_for_room() {
        for (room, bytes, most) in [(4, 10, 4), (100, 60 << 20, 4), (1, 10, 1)] {
            let board = Board::new(Cases::All, Order::Input, room);
            let cancel = Cancel::default();
            std::thread::scope(|scope| {
                scope.spawn(|| board.take_in((1..=10).map(|line| feed(line, bytes))));
                for line in 1..=10 {
                    let Some(Task::Prepare(number, item)) = board.next_task(&cancel) else { panic!() };
                    assert!(board.lock().in_hand.len() <= most);
                    assert_eq!(item.line, line);
                    board.prepared(number, Err(failed()));
                    assert_eq!(board.next_result(&cancel).unwrap().unwrap().line, line);
                }
                assert_eq!(board.next_result(&cancel).unwrap(), None);
                assert!(board.next_task(&cancel).is_none());
            });
            assert_eq!(board.lock().bytes, 0);
        }
    }

    #[test]
    fn results_come_in_the_order_that_is_wanted() {
        for (order, lines) in [(Order::Input, [1, 2, 3]), (Order::Completion, [2, 1, 3])] {
            let board = Board::new(Cases::All, order, 10);
            let cancel = Cancel::default();
            board.take_in((1..=3).map(|line| feed(line, 1)));
            for _ in 0..3 {
                assert!(matches!(board.next_task(&cancel), Some(Task::Prepare(..))));
            }
            board.prepared(1, Err(failed()));
            let mut found = Vec::new();
            if order == Order::Completion {
                found.push(board.next_result(&cancel).unwrap().unwrap().line);
            }
            board.prepared(0, Err(failed()));
            board.prepared(2, Err(failed()));
            while let Some(result) = board.next_result(&cancel).unwrap() {
                found.push(result.line);
            }
            assert_eq!(found, lines, "{order:?}");
        }
    }

    #[test]
    fn a_stop_wakes_everyone() {
        let board = Board::new(Cases::All, Order::Completion, 2);
        let cancel = Cancel::default();
        std::thread::scope(|scope| {
            scope.spawn(|| board.take_in((1..).map(|line| feed(line, 1))));
            scope.spawn(|| while board.next_task(&cancel).is_some() {});
            scope.spawn(|| assert!(board.next_result(&cancel).is_err()));
            board.stop(failed());
        });
    }
}
