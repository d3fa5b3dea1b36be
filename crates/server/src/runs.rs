//! Whose run is which, and how each can be ended.

use formicary_platform::Cancel;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Runs whose owner is remembered: more than the monitors remember runs.
const MOST_RUNS: usize = 4_096;

/// The runs of one server.
#[derive(Debug, Default, Clone)]
pub struct Runs(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    owners: BTreeMap<String, Owner>,
    order: VecDeque<String>,
    works: BTreeMap<u64, Cancel>,
    last: u64,
}

#[derive(Debug)]
struct Owner {
    tenant: String,
    cancel: Cancel,
}

/// Work under way. Dropped, it is called off.
#[derive(Debug)]
pub struct Ongoing {
    runs: Runs,
    number: u64,
    cancel: Cancel,
}

impl Runs {
    /// Notes work that this ends.
    pub fn begin(&self, cancel: &Cancel) -> Ongoing {
        let mut state = self.lock();
        state.last += 1;
        let number = state.last;
        state.works.insert(number, cancel.clone());
        Ongoing { runs: self.clone(), number, cancel: cancel.clone() }
    }

    /// Notes whose run this is, and what ends it.
    pub fn own(&self, run_id: &str, tenant: &str, cancel: &Cancel) {
        let mut state = self.lock();
        let owner = Owner { tenant: tenant.to_owned(), cancel: cancel.clone() };
        if state.owners.insert(run_id.to_owned(), owner).is_none() {
            state.order.push_back(run_id.to_owned());
        }
        while state.order.len() > MOST_RUNS {
            if let Some(oldest) = state.order.pop_front() {
                state.owners.remove(&oldest);
            }
        }
    }

    /// Whether this run is the tenant's.
    pub fn is_owned(&self, run_id: &str, tenant: &str) -> bool {
        self.lock().owners.get(run_id).is_some_and(|owner| owner.tenant == tenant)
    }

    /// Ends a run. `false` where nobody knows how.
    pub fn end(&self, run_id: &str) -> bool {
        let state = self.lock();
        let owner = state.owners.get(run_id);
        if let Some(owner) = owner {
            owner.cancel.cancel();
        }
        owner.is_some()
    }

    /// Calls off all work. Gives how much there was.
    pub fn end_all(&self) -> usize {
        let state = self.lock();
        state.works.values().for_each(Cancel::cancel);
        state.works.len()
    }

    /// How much work is under way.
    pub fn under_way(&self) -> usize {
        self.lock().works.len()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Ongoing {
    fn drop(&mut self) {
        self.cancel.cancel();
        self.runs.lock().works.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_have_one_owner_and_work_is_called_off() {
        let runs = Runs::default();
        let cancel = Cancel::default();
        let ongoing = runs.begin(&cancel);
        runs.own("r", "a", &cancel);
        assert!(runs.is_owned("r", "a") && !runs.is_owned("r", "b") && !runs.is_owned("x", "a"));
        assert_eq!((runs.under_way(), runs.end("x")), (1, false));
        assert!(!cancel.is_cancelled());
        drop(ongoing);
        assert!(cancel.is_cancelled() && runs.under_way() == 0);
        for n in 0..MOST_RUNS {
            runs.own(&n.to_string(), "a", &cancel);
        }
        assert!(!runs.is_owned("r", "a"), "the oldest makes room");
    }
}
