//! The small trait between callers, workers and whatever keeps the jobs.

use crate::class::Class;
use crate::error::ClusterError;
use crate::job::{Job, Outcome};
use std::future::Future;

/// What a submission did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Submitted {
    /// The job waits now.
    New,
    /// A job of this name was there already.
    Known,
}

/// Whether a result was the first of its job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stored {
    /// It is the job's result now.
    First,
    /// The job had one already, which stays.
    Late,
}

/// Jobs that wait, are leased, and end with one result each.
pub trait Queue: Send + Sync + 'static {
    /// A job in somebody's hands.
    type Lease: Send + Sync + 'static;

    /// Puts a job into the line of its class. Durable when this returns.
    fn submit(&self, job: &Job) -> impl Future<Output = Result<Submitted, ClusterError>> + Send;

    /// Waits for jobs of these classes and takes at least one and at most so many. Empty where `stop` ended the waiting:
    /// then nothing was taken.
    fn lease(
        &self,
        classes: &[Class],
        most: usize,
        stop: impl Future<Output = ()> + Send,
    ) -> impl Future<Output = Result<Vec<Self::Lease>, ClusterError>> + Send;

    /// The job of a lease and which attempt this is, from 1. `Err` where it cannot be read by anybody.
    fn open(&self, lease: &Self::Lease) -> impl Future<Output = Result<(Job, u64), Unreadable>> + Send;

    /// Says that the job is still in work.
    fn extend(&self, lease: &Self::Lease) -> impl Future<Output = Result<(), ClusterError>> + Send;

    /// Says that the job is done with, and takes it off the queue.
    fn ack(&self, lease: &Self::Lease) -> impl Future<Output = Result<(), ClusterError>> + Send;

    /// Gives the job back, for another to take at once.
    fn give_back(&self, lease: &Self::Lease) -> impl Future<Output = Result<(), ClusterError>> + Send;

    /// Keeps a copy of the job among the dead letters, with the reason, and takes it off the queue.
    fn bury(&self, lease: &Self::Lease, why: &str) -> impl Future<Output = Result<(), ClusterError>> + Send;

    /// Stores what came of a job, unless it has a result already.
    fn store(&self, outcome: &Outcome) -> impl Future<Output = Result<Stored, ClusterError>> + Send;

    /// What came of a job, if anything did yet.
    fn result(&self, id: &str) -> impl Future<Output = Result<Option<Outcome>, ClusterError>> + Send;

    /// Ends a job that waits or runs. `Late` where it had ended already.
    fn cancel(&self, id: &str) -> impl Future<Output = Result<Stored, ClusterError>> + Send;
}

/// Why a lease gave no job.
#[derive(Debug, Clone)]
pub enum Unreadable {
    /// It never will: it is no job.
    Broken(String),
    /// It was not there to be read now.
    Unavailable(ClusterError),
}
