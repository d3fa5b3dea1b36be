//! One event, many listeners: the executor knows one observer, a run has several.

use formicary_model::{Event, Observer};

/// Hands every event to each of its observers, in order.
#[derive(Default)]
pub struct Fanout<'a> {
    observers: Vec<&'a dyn Observer>,
}

impl<'a> Fanout<'a> {
    /// Nobody listens yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// One more listener.
    #[must_use]
    pub fn and(mut self, observer: &'a dyn Observer) -> Self {
        self.observers.push(observer);
        self
    }
}

impl Observer for Fanout<'_> {
    fn event(&self, event: &Event) {
        for observer in &self.observers {
            observer.event(event);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn every_observer_hears_every_event() {
        let (first, second) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let one = |_: &Event| _ = first.fetch_add(1, Ordering::Relaxed);
        let two = |_: &Event| _ = second.fetch_add(1, Ordering::Relaxed);
        let fanout = Fanout::new().and(&one).and(&two);
        for event in samples::successful_run("r1", "python", 0.5) {
            fanout.event(&event);
        }
        assert_eq!(first.load(Ordering::Relaxed), second.load(Ordering::Relaxed));
        assert!(first.load(Ordering::Relaxed) > 0);
    }
}
