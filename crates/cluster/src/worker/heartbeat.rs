//! What a worker says of itself, again and again: silence means that it is gone.

use super::Worker;
use super::runner::Runner;
use crate::class::Offer;
use crate::error::{ClusterError, refused};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A worker as others see it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct WorkerInfo {
    /// Its name.
    pub id: String,
    /// Formicary's version there.
    pub version: String,
    /// What it can run.
    pub offer: Offer,
    /// Jobs at a time.
    pub capacity: u64,
    /// Jobs that it runs now.
    pub jobs: Vec<String>,
    /// Jobs that it has run to their end.
    pub finished: u64,
    /// Sessions that it holds.
    pub sessions: u64,
    /// Whether it takes no more.
    pub draining: bool,
}

/// Says once that it lives.
pub(super) async fn beat_once<R: Runner>(worker: &Worker<R>) -> Result<(), ClusterError> {
    let bytes = serde_json::to_vec(&info(worker)).map_err(refused("write a message"))?;
    let put = worker.client.queue.layout.workers.put(&worker.id, bytes.into()).await;
    put.map(|_| ()).map_err(refused("hear of a worker"))
}

/// Says so for ever.
pub(super) async fn beat<R: Runner>(worker: Arc<Worker<R>>) {
    loop {
        tokio::time::sleep(worker.client.queue.settings.heartbeat).await;
        if let Err(error) = beat_once(&worker).await {
            tracing::debug!(%error, "a heartbeat was not heard");
        }
    }
}

/// Says good-bye. Where nobody hears it, silence says the same.
pub(super) async fn stop<R: Runner>(worker: &Worker<R>) {
    let _ = worker.client.queue.layout.workers.purge(&worker.id).await;
}

fn info<R: Runner>(worker: &Worker<R>) -> WorkerInfo {
    WorkerInfo {
        id: worker.id.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        offer: worker.settings.offer.clone(),
        capacity: worker.settings.capacity as u64,
        jobs: worker.jobs().keys().cloned().collect(),
        finished: worker.finished.load(Ordering::Relaxed),
        sessions: worker.runner.sessions(),
        draining: worker.shutdown.is_draining(),
    }
}
