//! One event, many listeners: the executor knows one observer, a run has several, and some want to know whose it is.

use formicary_model::{Caller, Event, Observer};

/// Someone who wants to hear of events and of whoever has the run made. Called from the thread that runs the program.
pub trait Listener: Send + Sync {
    /// One event of a run of this caller's.
    fn heard(&self, caller: &Caller, event: &Event);
}

/// Hands every event of one caller's runs to each of its observers and listeners, in order.
pub struct Fanout<'a> {
    caller: &'a Caller,
    observers: Vec<&'a dyn Observer>,
    listeners: Vec<&'a dyn Listener>,
}

impl<'a> Fanout<'a> {
    /// Nobody listens yet.
    pub fn new(caller: &'a Caller) -> Self {
        Self { caller, observers: Vec::new(), listeners: Vec::new() }
    }

    /// One more observer.
    #[must_use]
    pub fn and(mut self, observer: &'a dyn Observer) -> Self {
        self.observers.push(observer);
        self
    }

    /// One more listener, who is told of the caller too.
    #[must_use]
    pub fn tell(mut self, listener: &'a dyn Listener) -> Self {
        self.listeners.push(listener);
        self
    }
}

impl Observer for Fanout<'_> {
    fn event(&self, event: &Event) {
        // Listeners first: what the audit log must hold is in it before the caller hears of it.
        for listener in &self.listeners {
            listener.heard(self.caller, event);
        }
        for observer in &self.observers {
            observer.event(event);
        }
    }

    fn reads_along(&self) -> bool {
        self.observers.iter().any(|observer| observer.reads_along())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    struct Names(Mutex<Vec<String>>);

    impl Listener for Names {
        fn heard(&self, caller: &Caller, _event: &Event) {
            self.0.lock().unwrap().push(caller.name.clone());
        }
    }

    #[test]
    fn everybody_hears_every_event() {
        let (first, names) = (AtomicUsize::new(0), Names(Mutex::default()));
        let one = |_: &Event| _ = first.fetch_add(1, Ordering::Relaxed);
        let caller = Caller::new("ada");
        let fanout = Fanout::new(&caller).and(&one).tell(&names);
        for event in samples::successful_run("r1", "python", 0.5) {
            fanout.event(&event);
        }
        let names = names.0.into_inner().unwrap();
        assert_eq!(first.load(Ordering::Relaxed), names.len());
        assert!(names.len() > 2 && names.iter().all(|name| name == "ada"));
    }
}
