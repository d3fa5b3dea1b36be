//! One job from its lease to its result.
//!
//! Look whether it has a result already (another was quicker, or somebody cancelled it); run it, extending the lease;
//! store the result unless there is one; only then take it off the queue. Dying at any point leaves the job on the queue
//! or the result in its place.

use super::runner::Runner;
use super::{Phase, Worker};
use crate::error::{ClusterError, refused};
use crate::job::{Ended, Job, Outcome};
use crate::queue::{Queue as _, Unreadable};
use async_nats::Subscriber;
use async_nats::jetstream::Message;
use formicary_model::{Failure, FailureKind};
use formicary_platform::Cancel;
use futures_util::StreamExt as _;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// A result that cannot be stored is tried again for this long: it was paid for.
const STORE_WITHIN: Duration = Duration::from_secs(300);

/// Where cancellations are heard.
pub(super) async fn listen<R: Runner>(worker: &Worker<R>) -> Result<Subscriber, ClusterError> {
    let queue = &worker.client.queue;
    queue.client.subscribe(queue.layout.cancel_subject()).await.map_err(refused("listen for cancellations"))
}

/// Ends runs whose jobs were cancelled.
pub(super) async fn hear_cancellations<R: Runner>(worker: Arc<Worker<R>>, mut hints: Subscriber) {
    while let Some(hint) = hints.next().await {
        let Ok(id) = std::str::from_utf8(&hint.payload) else { continue };
        // Anybody could have said so: the results' bucket is what counts.
        if worker.jobs().contains_key(id) {
            end_if_ended(&worker, id).await;
        }
    }
}

/// Ends a run whose job has a result already.
async fn end_if_ended<R: Runner>(worker: &Worker<R>, id: &str) {
    if let Ok(Some(_)) = worker.client.queue.result(id).await
        && let Some(cancel) = worker.jobs().get(id)
    {
        cancel.cancel();
    }
}

/// The whole way. Whatever goes wrong, the lease ends by itself and another takes the job.
pub(super) async fn run<R: Runner>(worker: &Arc<Worker<R>>, lease: Message) {
    let queue = &worker.client.queue;
    let done = match queue.open(&lease).await {
        Ok((job, attempt)) => run_job(worker, &lease, job, attempt).await,
        Err(Unreadable::Broken(why)) => {
            tracing::warn!(%why, "a job goes to the dead letters");
            queue.bury(&lease, &why).await
        }
        Err(Unreadable::Unavailable(error)) => Err(error),
    };
    if let Err(error) = done {
        tracing::warn!(%error, "a job was not brought to its end here");
    }
}

async fn run_job<R: Runner>(
    worker: &Arc<Worker<R>>,
    lease: &Message,
    job: Job,
    attempt: u64,
) -> Result<(), ClusterError> {
    let queue = &worker.client.queue;
    if queue.result(&job.id).await?.is_some() {
        tell(worker, &job).await;
        return queue.ack(lease).await;
    }
    if attempt > queue.settings.attempts {
        return give_up(worker, lease, &job, attempt - 1).await;
    }
    let cancel = Cancel::default();
    // Delivered to us twice, it runs once: the first run extends the lease of both.
    if worker.jobs().contains_key(&job.id) {
        return queue.give_back(lease).await;
    }
    worker.jobs().insert(job.id.clone(), cancel.clone());
    worker.started.fetch_add(1, Ordering::Relaxed);
    let ended = run_extending(worker, lease, &job, &cancel).await;
    worker.jobs().remove(&job.id);
    let Some(ended) = ended else { return queue.give_back(lease).await };
    let outcome = Outcome { job: job.id.clone(), worker: worker.id.clone(), attempt, ended };
    store_patiently(worker, lease, &outcome).await?;
    worker.finished.fetch_add(1, Ordering::Relaxed);
    tell(worker, &job).await;
    queue.ack(lease).await
}

/// Runs it. `None` where we leave before it has ended.
async fn run_extending<R: Runner>(
    worker: &Arc<Worker<R>>,
    lease: &Message,
    job: &Job,
    cancel: &Cancel,
) -> Option<Ended> {
    if let Err(error) = job.check() {
        return Some(Ended::Failure(error.into()));
    }
    let (runner, work, token) = (Arc::clone(&worker.runner), job.clone(), cancel.clone());
    let mut run = tokio::task::spawn_blocking(move || runner.run(work, token));
    let every = worker.client.queue.settings.lease / 3;
    let mut leaving = false;
    let ended = loop {
        tokio::select! {
            ended = &mut run => break ended,
            () = tokio::time::sleep(every) => {
                // A queue out of reach is no reason to stop: the result may still be the first.
                let _ = worker.client.queue.extend(lease).await;
                end_if_ended(worker, &job.id).await;
            }
            () = worker.shutdown.reached(Phase::Leaving), if !leaving => {
                leaving = true;
                cancel.cancel();
            }
        }
    };
    match ended {
        Ok(Ok(ended)) => Some(ended),
        Ok(Err(failure)) if leaving && failure.kind == FailureKind::Cancelled => None,
        Ok(Err(failure)) => Some(Ended::Failure(failure)),
        Err(error) => {
            let message = format!("worker {} failed while it ran job {}: {error}", worker.id, job.id);
            Some(Ended::Failure(Failure::new(FailureKind::Internal, message)))
        }
    }
}

/// Stores the result as soon as the queue can be reached.
async fn store_patiently<R: Runner>(
    worker: &Worker<R>,
    lease: &Message,
    outcome: &Outcome,
) -> Result<(), ClusterError> {
    let queue = &worker.client.queue;
    let store = async {
        loop {
            match queue.store(outcome).await {
                Ok(_) => return Ok(()),
                Err(error @ ClusterError::Invalid { .. }) => {
                    // Too large to travel: that is what came of it.
                    let small = Outcome { ended: Ended::Failure(error.into()), ..outcome.clone() };
                    return queue.store(&small).await.map(|_| ());
                }
                Err(error) => {
                    tracing::debug!(%error, "a result cannot be stored yet");
                    let _ = queue.extend(lease).await;
                    tokio::time::sleep(Duration::from_millis(500)).await;
                }
            }
        }
    };
    match tokio::time::timeout(STORE_WITHIN, store).await {
        Ok(stored) => stored,
        Err(_) => {
            Err(ClusterError::Queue { what: "store a result", why: "it was out of reach too long".into() })
        }
    }
}

/// A job that ended several workers, or that several workers lost, is nobody's any more; whoever waits is told.
async fn give_up<R: Runner>(
    worker: &Worker<R>,
    lease: &Message,
    job: &Job,
    attempts: u64,
) -> Result<(), ClusterError> {
    let message = format!("job {} was started {attempts} times and never came to its end", job.id);
    tracing::warn!(%message, "a job goes to the dead letters");
    let failure = Failure::new(FailureKind::SandboxFailed, message.clone()).hint(
        "`formicary cluster dead` lists such jobs; its workers ended while they ran it: look at their logs",
    );
    let ended = Ended::Failure(failure);
    let outcome = Outcome { job: job.id.clone(), worker: worker.id.clone(), attempt: attempts, ended };
    worker.client.queue.store(&outcome).await?;
    tell(worker, job).await;
    worker.client.queue.bury(lease, &message).await
}

/// A hint for whoever waits, who also looks by himself.
async fn tell<R: Runner>(worker: &Worker<R>, job: &Job) {
    let prefix = worker.client.queue.layout.notice_subject("");
    // Only where clients listen: a job cannot make us publish anywhere else.
    if let Some(subject) = job.notify.as_ref().filter(|subject| subject.starts_with(&prefix)) {
        let _ = worker.client.queue.client.publish(subject.clone(), job.id.clone().into()).await;
    }
}
