//! Who may work now. So many requests work at a time, so many wait; more are told to come back.
//!
//! Whoever has the least under way goes first, and nobody takes every place where there are others: a tenant that asks for
//! much waits for itself.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// Why nobody may come in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// Too many wait already.
    Full,
    /// The tenant has as much under way as it may.
    Share,
}

/// The gate of one server.
#[derive(Debug, Clone)]
pub struct Gate(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    places: usize,
    waiting: usize,
    /// Places that one tenant may take.
    of_one: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    running: usize,
    tenants: BTreeMap<String, Tenant>,
    queue: VecDeque<Waiter>,
}

#[derive(Debug, Default)]
struct Tenant {
    running: usize,
    /// Those that run and those that wait.
    present: usize,
}

#[derive(Debug)]
struct Waiter {
    tenant: String,
    wake: oneshot::Sender<Place>,
}

/// Leave to work; given back when dropped.
#[derive(Debug)]
pub struct Pass {
    _place: Place,
    _presence: Presence,
}

/// A place in the queue; given up when dropped.
#[derive(Debug)]
pub struct Waiting {
    woken: oneshot::Receiver<Place>,
    presence: Presence,
}

impl Waiting {
    /// Waits for leave.
    pub async fn pass(self) -> Result<Pass, Refused> {
        let place = self.woken.await.map_err(|_| Refused::Full)?;
        Ok(Pass { _place: place, _presence: self.presence })
    }
}

/// One of the places.
#[derive(Debug)]
struct Place {
    gate: Arc<Shared>,
    tenant: String,
}

/// Being there, at work or waiting.
#[derive(Debug)]
struct Presence {
    gate: Arc<Shared>,
    tenant: String,
}

impl Gate {
    /// A gate with so many places and so much room to wait; several tenants share the places.
    pub fn new(places: usize, waiting: usize, shared: bool) -> Self {
        let places = places.max(1);
        let of_one = if shared { (places - places / 4).max(1) } else { places };
        Self(Arc::new(Shared { places, waiting, of_one, state: Mutex::default() }))
    }

    /// Waits for leave. `most` bounds what the tenant has under way, those that wait among them.
    pub async fn enter(&self, tenant: &str, most: Option<usize>) -> Result<Pass, Refused> {
        self.join(tenant, most)?.pass().await
    }

    /// Takes a place in the queue, or is refused at once.
    pub fn join(&self, tenant: &str, most: Option<usize>) -> Result<Waiting, Refused> {
        let (wake, woken) = oneshot::channel();
        let presence = {
            let mut state = self.0.lock();
            let own = state.tenants.get(tenant);
            let (present, running) = own.map_or((0, 0), |own| (own.present, own.running));
            // Without a bound of its own a tenant still leaves half of the room to others.
            let own_room = self.0.of_one + self.0.waiting.div_ceil(2);
            let most = most.unwrap_or(if self.0.of_one < self.0.places { own_room } else { usize::MAX });
            if present >= most {
                return Err(Refused::Share);
            }
            let free = state.running < self.0.places && running < self.0.of_one;
            if !free && state.waiting() >= self.0.waiting {
                return Err(Refused::Full);
            }
            state.tenants.entry(tenant.to_owned()).or_default().present += 1;
            state.queue.push_back(Waiter { tenant: tenant.to_owned(), wake });
            Presence { gate: Arc::clone(&self.0), tenant: tenant.to_owned() }
        };
        self.0.advance();
        Ok(Waiting { woken, presence })
    }

    /// How many work, and how many wait.
    pub fn load(&self) -> (usize, usize) {
        let state = self.0.lock();
        (state.running, state.waiting())
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets in whoever may come in now.
    fn advance(self: &Arc<Self>) {
        loop {
            let waiter = {
                let mut state = self.lock();
                state.queue.retain(|waiter| !waiter.wake.is_closed());
                if state.running >= self.places {
                    return;
                }
                let running = |waiter: &Waiter| state.tenants.get(&waiter.tenant).map_or(0, |t| t.running);
                let fit = state.queue.iter().enumerate().filter(|(_, waiter)| running(waiter) < self.of_one);
                let Some((index, _)) = fit.min_by_key(|(index, waiter)| (running(waiter), *index)) else {
                    return;
                };
                let Some(waiter) = state.queue.remove(index) else { return };
                state.running += 1;
                state.tenants.entry(waiter.tenant.clone()).or_default().running += 1;
                waiter
            };
            // Whoever went away in this moment does not take it: dropped, it is free again.
            let _ = waiter.wake.send(Place { gate: Arc::clone(self), tenant: waiter.tenant });
        }
    }
}

impl State {
    fn waiting(&self) -> usize {
        self.queue.iter().filter(|waiter| !waiter.wake.is_closed()).count()
    }

    fn tidy(&mut self, tenant: &str) {
        if self.tenants.get(tenant).is_some_and(|own| own.present == 0 && own.running == 0) {
            self.tenants.remove(tenant);
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        {
            let mut state = self.gate.lock();
            state.running = state.running.saturating_sub(1);
            if let Some(tenant) = state.tenants.get_mut(&self.tenant) {
                tenant.running = tenant.running.saturating_sub(1);
            }
            state.tidy(&self.tenant);
        }
        self.gate.advance();
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        let mut state = self.gate.lock();
        if let Some(tenant) = state.tenants.get_mut(&self.tenant) {
            tenant.present = tenant.present.saturating_sub(1);
        }
        state.tidy(&self.tenant);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn settle() {
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn places_and_room_to_wait_are_bounded() {
        let gate = Gate::new(1, 1, false);
        let first = gate.enter("a", None).await.unwrap();
        let waiting = tokio::spawn({
            let gate = gate.clone();
            async move { gate.enter("a", None).await.map(drop) }
        });
        settle().await;
        assert_eq!(gate.load(), (1, 1));
        assert_eq!(gate.enter("b", None).await.unwrap_err(), Refused::Full);
        drop(first);
        waiting.await.unwrap().unwrap();
        assert_eq!(gate.load(), (0, 0));
        assert_eq!(gate.enter("c", Some(0)).await.unwrap_err(), Refused::Share);
    }

    #[tokio::test]
    async fn one_tenant_leaves_places_to_others() {
        let gate = Gate::new(4, 8, true);
        let mut held = Vec::new();
        for _ in 0..3 {
            held.push(gate.enter("greedy", None).await.unwrap());
        }
        let greedy = tokio::spawn({
            let gate = gate.clone();
            async move { gate.enter("greedy", None).await }
        });
        settle().await;
        assert_eq!(gate.load(), (3, 1), "the fourth place is not the greedy one's");
        let other = gate.enter("other", None).await.unwrap();
        drop(other);
        drop(held.pop());
        greedy.await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn who_goes_away_is_forgotten() {
        let gate = Gate::new(1, 4, false);
        let held = gate.enter("a", None).await.unwrap();
        let gone = tokio::spawn({
            let gate = gate.clone();
            async move { gate.enter("a", Some(2)).await.map(drop) }
        });
        settle().await;
        assert_eq!(gate.enter("a", Some(2)).await.unwrap_err(), Refused::Share);
        gone.abort();
        let _ = gone.await;
        assert_eq!(gate.load(), (1, 0));
        drop(held);
        gate.enter("a", Some(1)).await.unwrap();
    }
}
