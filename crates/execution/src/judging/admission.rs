//! Who may run now: at most as many as there are cores, and no more than memory allows, each caller in turn.
//!
//! Whoever does not fit waits; nothing is started that would push the host into swapping. Callers that ask for much
//! do not starve those that ask for little: turns go round between callers, and within one by order of asking.

use formicary_sandbox::Cancel;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The gate that all callers of one process share.
#[derive(Debug)]
pub struct Admission {
    slots: usize,
    memory_bytes: u64,
    state: Mutex<State>,
    changed: Condvar,
    callers: AtomicU64,
    tickets: AtomicU64,
}

#[derive(Debug, Default)]
struct State {
    running: usize,
    memory_in_use: u64,
    /// Callers that wait, in the order of their turns, each with its tickets.
    turns: VecDeque<(u64, VecDeque<u64>)>,
}

/// One caller: its requests are served in order, and in turn with other callers'.
#[derive(Debug)]
pub struct Caller<'a> {
    admission: &'a Admission,
    number: u64,
}

/// Leave to run; given back when dropped.
#[derive(Debug)]
pub struct Permit<'a> {
    admission: &'a Admission,
    memory_bytes: u64,
}

/// How long a waiting caller goes without a look at its own cancellation.
const LOOK: Duration = Duration::from_millis(50);

impl Admission {
    /// A gate for this many runs at a time with this much memory together.
    pub fn new(slots: usize, memory_bytes: u64) -> Self {
        Self {
            slots: slots.max(1),
            memory_bytes,
            state: Mutex::default(),
            changed: Condvar::new(),
            callers: AtomicU64::new(0),
            tickets: AtomicU64::new(0),
        }
    }

    /// How many may run at a time.
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// How many run now.
    pub fn running(&self) -> usize {
        self.lock().running
    }

    /// How many wait for their turn.
    pub fn waiting(&self) -> usize {
        self.lock().turns.iter().map(|(_, tickets)| tickets.len()).sum()
    }

    /// A new caller.
    pub fn caller(&self) -> Caller<'_> {
        Caller { admission: self, number: self.callers.fetch_add(1, Ordering::Relaxed) }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    // What wants more than there is at all still runs, alone: its own limit holds it.
    fn fits(&self, state: &State, memory_bytes: u64) -> bool {
        let room = self.memory_bytes.saturating_sub(state.memory_in_use) >= memory_bytes;
        state.running == 0 || (state.running < self.slots && room)
    }
}

impl<'a> Caller<'a> {
    /// Waits for leave to run something that may use this much memory. `None`: cancelled.
    pub fn admit(&self, memory_bytes: u64, cancel: &Cancel) -> Option<Permit<'a>> {
        let gate = self.admission;
        let ticket = gate.tickets.fetch_add(1, Ordering::Relaxed);
        let mut state = gate.lock();
        state.join(self.number, ticket);
        loop {
            if cancel.is_cancelled() {
                state.leave(self.number, ticket);
                gate.changed.notify_all();
                return None;
            }
            if state.is_next(ticket) && gate.fits(&state, memory_bytes) {
                state.leave(self.number, ticket);
                state.running += 1;
                state.memory_in_use += memory_bytes;
                gate.changed.notify_all();
                return Some(Permit { admission: gate, memory_bytes });
            }
            let waited = gate.changed.wait_timeout(state, LOOK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        let mut state = self.admission.lock();
        state.running -= 1;
        state.memory_in_use -= self.memory_bytes;
        self.admission.changed.notify_all();
    }
}

impl State {
    fn join(&mut self, caller: u64, ticket: u64) {
        match self.turns.iter_mut().find(|(number, _)| *number == caller) {
            Some((_, tickets)) => tickets.push_back(ticket),
            None => self.turns.push_back((caller, VecDeque::from([ticket]))),
        }
    }

    fn is_next(&self, ticket: u64) -> bool {
        self.turns.front().is_some_and(|(_, tickets)| tickets.front() == Some(&ticket))
    }

    /// Takes the ticket back; a caller that had its turn goes to the end.
    fn leave(&mut self, caller: u64, ticket: u64) {
        let Some(place) = self.turns.iter().position(|(number, _)| *number == caller) else { return };
        let Some((number, mut tickets)) = self.turns.remove(place) else { return };
        let had_its_turn = tickets.front() == Some(&ticket);
        tickets.retain(|held| *held != ticket);
        if tickets.is_empty() {
            return;
        }
        if had_its_turn {
            self.turns.push_back((number, tickets));
        } else {
            self.turns.insert(place, (number, tickets));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn never_more_than_cores_and_memory_allow() {
        let gate = Admission::new(3, 1000);
        let (now, most, memory, most_memory) =
            (AtomicUsize::new(0), AtomicUsize::new(0), AtomicU64::new(0), AtomicU64::new(0));
        std::thread::scope(|scope| {
            for thread in 0..8_u64 {
                let (gate, now, most, memory, most_memory) = (&gate, &now, &most, &memory, &most_memory);
                scope.spawn(move || {
                    let caller = gate.caller();
                    for round in 0..50 {
                        let wanted = (thread * 131 + round * 37) % 700 + 1;
                        let permit = caller.admit(wanted, &Cancel::default()).unwrap();
                        most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        let used = memory.fetch_add(wanted, Ordering::SeqCst) + wanted;
                        most_memory.fetch_max(used, Ordering::SeqCst);
                        std::thread::yield_now();
                        memory.fetch_sub(wanted, Ordering::SeqCst);
                        now.fetch_sub(1, Ordering::SeqCst);
                        drop(permit);
                    }
                });
            }
        });
        assert!(most.into_inner() <= 3);
        assert!(most_memory.into_inner() <= 1000);
        let state = gate.lock();
        assert_eq!((state.running, state.memory_in_use, state.turns.len()), (0, 0, 0));
    }

    #[test]
    fn turns_go_round_between_callers() {
        let mut state = State::default();
        for (caller, ticket) in [(1, 10), (1, 11), (1, 12), (2, 20), (3, 30), (2, 21)] {
            state.join(caller, ticket);
        }
        let mut order = Vec::new();
        while let Some((caller, ticket)) = state.turns.front().map(|(caller, tickets)| (*caller, tickets[0]))
        {
            assert!(state.is_next(ticket));
            state.leave(caller, ticket);
            order.push(ticket);
        }
        assert_eq!(order, [10, 20, 30, 11, 21, 12]);
    }

    #[test]
    fn what_is_too_large_runs_alone_and_what_is_cancelled_leaves() {
        let gate = Admission::new(4, 100);
        let caller = gate.caller();
        let permit = caller.admit(5000, &Cancel::default()).unwrap();
        let cancel = Cancel::default();
        cancel.cancel();
        assert!(caller.admit(1, &cancel).is_none());
        drop(permit);
        assert!(caller.admit(1, &Cancel::default()).is_some());
        assert!(gate.lock().turns.is_empty());
    }
}
