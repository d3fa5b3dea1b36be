//! The caller's side for code that is not asynchronous: the command line, other languages.

use crate::client::ClusterClient;
use crate::error::ClusterError;
use crate::queue::Stored;
use crate::sessions::{SessionAnswer, SessionCall};
use crate::settings::ClusterSettings;
use crate::status::ClusterStatus;
use crate::worker::runner::Runner;
use crate::worker::{Worker, WorkerSettings, metrics};
use formicary_model::{Failure, FailureKind, SessionInfo, SessionRequest};
use formicary_platform::Cancel;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Runtime;

const LOOK_EVERY: Duration = Duration::from_millis(50);

/// A cluster's client with a runtime of its own. Not to be used inside an asynchronous task: there belongs
/// [`ClusterClient`].
pub struct Cluster {
    runtime: Runtime,
    client: ClusterClient,
}

impl Cluster {
    /// Connects.
    pub fn connect(settings: ClusterSettings) -> Result<Self, ClusterError> {
        let runtime = runtime()?;
        let client = runtime.block_on(ClusterClient::connect(settings))?;
        Ok(Self { runtime, client })
    }

    /// The client, for what has no method here; use with [`Cluster::wait_for`].
    pub fn client(&self) -> &ClusterClient {
        &self.client
    }

    /// Runs a future of the client to its end.
    pub fn wait_for<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    /// Runs one job on some worker, to its end. Cancelled, it ends on its worker too.
    pub fn run_job(&self, job: &crate::Job, cancel: &Cancel) -> Result<crate::Outcome, Failure> {
        self.wait_for(async {
            tokio::select! {
                outcome = self.client.run_job(job) => Ok(outcome?),
                () = cancelled(cancel) => {
                    self.client.cancel(&job.id).await?;
                    Err(Failure::new(FailureKind::Cancelled, "cancelled"))
                }
            }
        })
    }

    /// Ends a job that waits or runs.
    pub fn cancel(&self, id: &str) -> Result<Stored, ClusterError> {
        self.wait_for(self.client.cancel(id))
    }

    /// Measures.
    pub fn status(&self) -> Result<ClusterStatus, ClusterError> {
        self.wait_for(self.client.status())
    }

    /// Makes a session on some worker.
    pub fn create_session(&self, request: SessionRequest) -> Result<SessionInfo, ClusterError> {
        self.wait_for(self.client.create_session(request))
    }

    /// Asks the worker that holds the session.
    pub fn session(&self, call: &SessionCall) -> Result<SessionAnswer, ClusterError> {
        self.wait_for(self.client.session(call))
    }
}

/// What a worker says when it has begun.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Began {
    /// Its name.
    pub worker: String,
    /// The queue's address, without secrets.
    pub cluster: String,
    /// Jobs at a time.
    pub capacity: usize,
    /// What it offers.
    pub offer: crate::Offer,
    /// Where its metrics are read.
    pub metrics: Option<SocketAddr>,
}

/// Works until it is told to end; tells when it has begun. The number of jobs that it ran to their end.
pub fn work<R: Runner>(
    cluster: ClusterSettings,
    settings: WorkerSettings,
    runner: Arc<R>,
    metrics_at: Option<SocketAddr>,
    began: impl FnOnce(&Began),
) -> Result<u64, ClusterError> {
    let runtime = runtime()?;
    let finished = runtime.block_on(async {
        let address = cluster.shown();
        let worker = Worker::connect(cluster, settings.clone(), runner).await?;
        let mut metrics = None;
        if let Some(wanted) = metrics_at {
            let (bound, serving) = metrics::listen(&worker, wanted).await?;
            tokio::spawn(serving);
            metrics = Some(bound);
        }
        let WorkerSettings { capacity, offer, .. } = settings;
        began(&Began { worker: worker.id().to_owned(), cluster: address, capacity, offer, metrics });
        worker.run().await?;
        Ok(worker.finished())
    });
    // A run that would not be cancelled ends with the process.
    runtime.shutdown_timeout(Duration::from_secs(1));
    finished
}

/// A runtime for whoever has none.
fn runtime() -> Result<Runtime, ClusterError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.map_err(|error| ClusterError::Queue { what: "be asked", why: format!("no threads: {error}") })
}

/// Workers hear that a job is over, not that its program should end by itself: an interrupt ends it.
async fn cancelled(cancel: &Cancel) {
    while !(cancel.is_cancelled() || cancel.take_interrupt()) {
        tokio::time::sleep(LOOK_EVERY).await;
    }
}
