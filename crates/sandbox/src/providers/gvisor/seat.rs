//! Which processors a guest uses.
//!
//! Where calls are intercepted by tracing, the guest's kernel and its program take turns: every call stops the one and wakes
//! the other. On one processor that is a change of tasks; across two it is a wake-up from sleep, which took seven times as
//! long in a loop of small calls. So a guest whose program has one thread is kept to one processor, and has all as soon as
//! there is a second thread.

use crate::cgroups::Group;
use crate::sys::process;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Threads come while others are looked at: so often at the most.
const ROUNDS: usize = 4;

/// Where one guest sits.
#[derive(Debug)]
pub struct Seat {
    all: Vec<u16>,
    kept: bool,
}

impl Seat {
    /// For a guest whose calls are intercepted like this.
    pub fn new(platform: &str) -> Self {
        let all = process::processors();
        Self { all: if platform == "ptrace" && all.len() > 1 { all } else { Vec::new() }, kept: false }
    }

    /// Keeps all that runs for the guest to one processor, another for each guest.
    pub fn take_one(&mut self, group: &Group) {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        if let Some(turn) = NEXT.fetch_add(1, Ordering::Relaxed).checked_rem(self.all.len()) {
            self.kept = true;
            keep_to(group, &self.all[turn..=turn]);
        }
    }

    /// Gives it all processors if its program has this many threads.
    pub fn look(&mut self, group: &Group, threads: u64) {
        if self.kept && threads > 1 {
            self.kept = false;
            keep_to(group, &self.all);
        }
    }
}

/// Those that are started meanwhile may have been started by one that was not yet looked at.
fn keep_to(group: &Group, processors: &[u16]) {
    let mut done = Vec::new();
    for _ in 0..ROUNDS {
        let new: Vec<i32> = group.threads().into_iter().filter(|thread| !done.contains(thread)).collect();
        if new.is_empty() {
            return;
        }
        for thread in new {
            // Whoever has ended by now needs no seat.
            process::keep_to(thread, processors);
            done.push(thread);
        }
    }
}
