//! The caller's side: submit, wait, execute, cancel.

use crate::class::Class;
use crate::error::{ClusterError, refused};
use crate::job::{Job, Outcome, check_id, new_id};
use crate::nats::NatsQueue;
use crate::queue::{Queue as _, Stored, Submitted};
use crate::settings::ClusterSettings;
use crate::worker::heartbeat::WorkerInfo;
use formicary_model::{ExecutionRequest, ExecutionResult, Failure};
use futures_util::{StreamExt as _, TryStreamExt as _};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

/// Between looks for a result whose notice may have been lost.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How long the queue may be out of reach before waiting for a result is given up.
const PATIENCE: Duration = Duration::from_secs(120);

type Waiting = Arc<Mutex<HashMap<String, Arc<Notify>>>>;

/// One caller's connection to the cluster. Cheap to share by reference; all methods can be called at once.
pub struct ClusterClient {
    pub(crate) queue: NatsQueue,
    notices: String,
    waiting: Waiting,
    /// Who was there a moment ago: callers who need only know that somebody is ask no more often than workers speak.
    seen: Mutex<Option<(Instant, Vec<WorkerInfo>)>>,
    listener: JoinHandle<()>,
}

impl Drop for ClusterClient {
    fn drop(&mut self) {
        self.listener.abort();
    }
}

impl ClusterClient {
    /// Connects.
    pub async fn connect(settings: ClusterSettings) -> Result<Self, ClusterError> {
        let queue = NatsQueue::open(settings).await?;
        let notices = queue.layout.notice_subject(&new_id("c")?);
        let mut messages =
            queue.client.subscribe(notices.clone()).await.map_err(refused("listen for results"))?;
        let waiting = Waiting::default();
        let heard = Arc::clone(&waiting);
        let listener = tokio::spawn(async move {
            while let Some(message) = messages.next().await {
                let Ok(id) = std::str::from_utf8(&message.payload) else { continue };
                wake(&heard, id);
            }
        });
        Ok(Self { queue, notices, waiting, seen: Mutex::default(), listener })
    }

    /// Runs one request on some worker, to its end. A failing program is `Ok`.
    pub async fn execute(&self, request: ExecutionRequest) -> Result<ExecutionResult, Failure> {
        self.execute_job(&Job::new(request)?).await
    }

    /// The same for a job that has its name already, by which it can be cancelled meanwhile.
    pub async fn execute_job(&self, job: &Job) -> Result<ExecutionResult, Failure> {
        self.run_job(job).await?.into_result()
    }

    /// Puts a job on the queue, where there is a worker for it, and waits until something came of it.
    pub async fn run_job(&self, job: &Job) -> Result<Outcome, ClusterError> {
        self.need_worker(&job.class()?).await?;
        let turn = Turn::new(&self.waiting, &job.id);
        self.submit(job).await?;
        // The notice comes when there is something to fetch: looking before only costs.
        let _ = tokio::time::timeout(LOOK_EVERY, turn.notify.notified()).await;
        self.await_outcome(&job.id, &turn).await
    }

    /// Puts a job on the queue. It is durable when this returns, whether or not there is a worker for it yet.
    pub async fn submit(&self, job: &Job) -> Result<Submitted, ClusterError> {
        let job = Job { notify: Some(self.notices.clone()), ..job.clone() };
        self.queue.submit(&job).await
    }

    /// What came of a job, if anything did yet.
    pub async fn result(&self, id: &str) -> Result<Option<Outcome>, ClusterError> {
        check_id(id)?;
        self.queue.result(id).await
    }

    /// Waits until something came of a job.
    pub async fn wait(&self, id: &str) -> Result<Outcome, ClusterError> {
        check_id(id)?;
        let turn = Turn::new(&self.waiting, id);
        self.await_outcome(id, &turn).await
    }

    /// Ends a job that waits or runs. `Late` where it had ended already.
    pub async fn cancel(&self, id: &str) -> Result<Stored, ClusterError> {
        let stored = self.queue.cancel(id).await?;
        wake(&self.waiting, id);
        Ok(stored)
    }

    /// Who is there.
    pub async fn workers(&self) -> Result<Vec<WorkerInfo>, ClusterError> {
        let bucket = &self.queue.layout.workers;
        let keys = bucket.keys().await.map_err(refused("list the workers"))?;
        let keys: Vec<String> = keys.try_collect().await.map_err(refused("list the workers"))?;
        let mut workers = Vec::new();
        for key in keys {
            let Some(bytes) = bucket.get(key).await.map_err(refused("list the workers"))? else { continue };
            // A worker of another version that cannot be read is no worker for us.
            workers.extend(serde_json::from_slice::<WorkerInfo>(&bytes).ok());
        }
        workers.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(workers)
    }

    async fn await_outcome(&self, id: &str, turn: &Turn) -> Result<Outcome, ClusterError> {
        let mut reached = Instant::now();
        loop {
            match self.queue.result(id).await {
                Ok(Some(outcome)) => return Ok(outcome),
                Ok(None) => reached = Instant::now(),
                Err(error) if reached.elapsed() > PATIENCE => return Err(error),
                Err(error) => tracing::debug!(%error, "looking for a result"),
            }
            let _ = tokio::time::timeout(LOOK_EVERY, turn.notify.notified()).await;
        }
    }

    /// Whoever waits for an answer should not wait for a worker that does not exist.
    async fn need_worker(&self, class: &Class) -> Result<(), ClusterError> {
        {
            let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((at, workers)) = seen.as_ref()
                && at.elapsed() < self.queue.settings.heartbeat
                && workers.iter().any(|worker| worker.offer.runs(class))
            {
                return Ok(());
            }
        }
        let workers = self.workers().await?;
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), workers.clone()));
        if workers.iter().any(|worker| worker.offer.runs(class)) {
            return Ok(());
        }
        let mut languages: Vec<&str> =
            workers.iter().flat_map(|worker| worker.offer.languages.iter().map(String::as_str)).collect();
        languages.sort_unstable();
        languages.dedup();
        let offered = match workers.len() {
            0 => "no worker is there".to_owned(),
            count => format!("{count} workers are there, for {}", languages.join(", ")),
        };
        Err(ClusterError::NoWorker { needs: class.to_string(), offered })
    }
}

fn wake(waiting: &Waiting, id: &str) {
    if let Some(notify) = waiting.lock().unwrap_or_else(PoisonError::into_inner).get(id) {
        // Kept for one that is not waiting at this moment.
        notify.notify_one();
    }
}

/// A place among those who wait for results, left when dropped.
struct Turn {
    waiting: Waiting,
    id: String,
    notify: Arc<Notify>,
}

impl Turn {
    fn new(waiting: &Waiting, id: &str) -> Self {
        let mut map = waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let notify = Arc::clone(map.entry(id.to_owned()).or_default());
        drop(map);
        Self { waiting: Arc::clone(waiting), id: id.to_owned(), notify }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut map = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        // The map's and ours: nobody else waits for it.
        if Arc::strong_count(&self.notify) <= 2 {
            map.remove(&self.id);
        }
    }
}
