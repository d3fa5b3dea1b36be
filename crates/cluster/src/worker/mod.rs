//! The worker's side: leases jobs that it can run, runs them, and says that it lives.
//!
//! | module | what it holds |
//! |---|---|
//! | [`runner`] | what runs a job: the platform, or in tests something quicker |
//! | [`running`] | one job from its lease to its result |
//! | [`heartbeat`] | what a worker says of itself |
//! | [`sessions`] | the sessions that it holds |
//! | [`metrics`] | the address where monitoring reads |

pub mod heartbeat;
pub mod metrics;
pub mod runner;
mod running;
mod sessions;

use crate::class::{Class, Offer};
use crate::client::ClusterClient;
use crate::error::ClusterError;
use crate::job::{check_id, new_id};
use crate::queue::Queue as _;
use crate::settings::ClusterSettings;
use formicary_platform::Cancel;
use futures_util::StreamExt as _;
use runner::Runner;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

/// After the queue could not be asked for jobs.
const PAUSE: Duration = Duration::from_secs(1);

/// How a worker works.
#[derive(Debug, Clone)]
pub struct WorkerSettings {
    /// Its name; a new one where absent.
    pub id: Option<String>,
    /// Jobs at a time.
    pub capacity: usize,
    /// What it offers.
    pub offer: Offer,
    /// How it is ended.
    pub shutdown: Shutdown,
}

/// Ends a worker: gently, or at once.
#[derive(Debug, Clone)]
pub struct Shutdown(watch::Sender<Phase>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    Working,
    Draining,
    Leaving,
}

impl Default for Shutdown {
    fn default() -> Self {
        Self(watch::Sender::new(Phase::Working))
    }
}

impl Shutdown {
    /// Takes no more jobs, finishes those that run, then ends.
    pub fn drain(&self) {
        self.0.send_if_modified(|phase| {
            *phase < Phase::Draining && {
                *phase = Phase::Draining;
                true
            }
        });
    }

    /// Ends runs too, and gives their jobs back for others.
    pub fn leave(&self) {
        self.0.send_replace(Phase::Leaving);
    }

    /// Whether it ends.
    pub fn is_draining(&self) -> bool {
        *self.0.borrow() >= Phase::Draining
    }

    async fn reached(&self, phase: Phase) {
        // The sender is ours: it cannot be gone.
        let _ = self.0.subscribe().wait_for(|now| *now >= phase).await;
    }
}

/// A worker.
pub struct Worker<R> {
    pub(crate) client: ClusterClient,
    runner: Arc<R>,
    settings: WorkerSettings,
    id: String,
    running: Mutex<BTreeMap<String, Cancel>>,
    finished: AtomicU64,
    started: AtomicU64,
    /// Requests of sessions that are being answered.
    cells: watch::Sender<usize>,
    shutdown: Shutdown,
}

impl<R: Runner> Worker<R> {
    /// Connects, and opens the lines of all classes that it offers.
    pub async fn connect(
        cluster: ClusterSettings,
        settings: WorkerSettings,
        runner: Arc<R>,
    ) -> Result<Arc<Self>, ClusterError> {
        let id = match &settings.id {
            Some(id) => id.clone(),
            None => new_id("w")?,
        };
        check_id(&id)?;
        let classes = settings.offer.classes();
        if classes.is_empty() || settings.capacity == 0 {
            return Err(ClusterError::invalid(
                "this worker could run nothing: no language, too little memory, or no capacity",
                "`formicary doctor` tells what is missing; leave out --languages and --memory to offer all",
            ));
        }
        let client = ClusterClient::connect(cluster).await?;
        let made = futures_util::stream::iter(&classes).map(|class| client.queue.layout.make_consumer(class));
        let made: Vec<_> = made.buffer_unordered(16).collect().await;
        made.into_iter().collect::<Result<Vec<()>, _>>()?;
        Ok(Arc::new(Self {
            client,
            runner,
            shutdown: settings.shutdown.clone(),
            settings,
            id,
            running: Mutex::default(),
            finished: AtomicU64::new(0),
            started: AtomicU64::new(0),
            cells: watch::Sender::new(0),
        }))
    }

    /// Its name.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// How to end it.
    pub fn shutdown(&self) -> Shutdown {
        self.shutdown.clone()
    }

    /// Jobs that it has run to their end.
    pub fn finished(&self) -> u64 {
        self.finished.load(Ordering::Relaxed)
    }

    /// Works until it is told to end.
    pub async fn run(self: &Arc<Self>) -> Result<(), ClusterError> {
        let mut helpers = JoinSet::new();
        heartbeat::beat_once(self).await?;
        helpers.spawn(heartbeat::beat(Arc::clone(self)));
        helpers.spawn(sessions::answer(Arc::clone(self), sessions::listen(self).await?));
        helpers.spawn(running::hear_cancellations(Arc::clone(self), running::listen(self).await?));
        let classes = self.settings.offer.classes();
        let slots = Arc::new(Semaphore::new(self.settings.capacity));
        let mut jobs = JoinSet::new();
        while !self.shutdown.is_draining() {
            while jobs.try_join_next().is_some() {}
            self.take_jobs(&classes, &slots, &mut jobs).await;
        }
        // Others see at once that no more is taken here.
        let _ = heartbeat::beat_once(self).await;
        while jobs.join_next().await.is_some() {}
        let mut cells = self.cells.subscribe();
        tokio::select! {
            _ = cells.wait_for(|cells| *cells == 0) => {}
            () = self.shutdown.reached(Phase::Leaving) => {}
        }
        helpers.shutdown().await;
        heartbeat::stop(self).await;
        Ok(())
    }

    async fn take_jobs(self: &Arc<Self>, classes: &[Class], slots: &Arc<Semaphore>, jobs: &mut JoinSet<()>) {
        let first = tokio::select! {
            permit = Arc::clone(slots).acquire_owned() => permit,
            () = self.shutdown.reached(Phase::Draining) => return,
        };
        // Never closed.
        let Ok(first) = first else { return };
        let mut permits = vec![first];
        while let Ok(permit) = Arc::clone(slots).try_acquire_owned() {
            permits.push(permit);
        }
        let stop = self.shutdown.reached(Phase::Draining);
        match self.client.queue.lease(classes, permits.len(), stop).await {
            Ok(leases) => {
                for (lease, permit) in leases.into_iter().zip(permits) {
                    let worker = Arc::clone(self);
                    jobs.spawn(async move {
                        running::run(&worker, lease).await;
                        drop(permit);
                    });
                }
            }
            Err(error) => {
                tracing::warn!(%error, "no jobs can be taken");
                tokio::select! {
                    () = tokio::time::sleep(PAUSE) => {}
                    () = self.shutdown.reached(Phase::Draining) => {}
                }
            }
        }
    }

    fn jobs(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Cancel>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
