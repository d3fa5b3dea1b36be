//! Sessions stick to the worker that made them: a table on the queue's server says who holds which, and requests go to
//! that worker's own subject. They are asked once, not at least once: a cell that ran twice would be a lie.

use crate::class::Class;
use crate::client::ClusterClient;
use crate::error::{ClusterError, refused};
use crate::job::{check_id, new_id};
use async_nats::client::{Request, RequestErrorKind};
use async_nats::jetstream::kv;
use formicary_model::{Failure, Limits, Network, SessionInfo, SessionRequest};
use formicary_platform::sessions::is_no_session;
use futures_util::StreamExt as _;
use futures_util::future::join_all;
use std::time::Duration;

/// A cell's time limit lies well below.
const ANSWER_WITHIN: Duration = Duration::from_secs(900);
/// After NATS was restarted its clients come back within moments, not all at once.
const COMES_BACK: [Duration; 3] =
    [Duration::from_millis(200), Duration::from_millis(600), Duration::from_millis(1_500)];

pub use formicary_platform::sessions::{SessionAnswer, SessionCall};

/// Answers on the wire.
pub(crate) type Answered = Result<SessionAnswer, Failure>;

impl ClusterClient {
    /// Makes a session on the worker that has the most room for it and answers.
    pub async fn create_session(&self, mut request: SessionRequest) -> Result<SessionInfo, ClusterError> {
        check_portable(&request)?;
        let id = match &request.id {
            Some(id) => id.clone(),
            None => new_id("s")?,
        };
        check_id(&id)?;
        request.id = Some(id.clone());
        let memory = request.limits.memory_bytes.unwrap_or(Limits::default().memory_bytes);
        let class = Class::new(Some(&request.language), request.provider.as_deref(), memory)?;
        let mut workers = self.workers().await?;
        workers.retain(|worker| !worker.draining && worker.offer.runs(&class));
        workers.sort_by_key(|worker| (worker.sessions, worker.jobs.len()));
        for worker in workers {
            match self.create_at(&worker.id, &id, &request).await {
                // One that just went away may still be listed: the next one makes it.
                Err(ClusterError::SessionLost { .. }) => {}
                done => return done,
            }
        }
        let offered = "no worker that is there offers it".to_owned();
        Err(ClusterError::NoWorker { needs: class.to_string(), offered })
    }

    async fn create_at(
        &self,
        worker: &str,
        id: &str,
        request: &SessionRequest,
    ) -> Result<SessionInfo, ClusterError> {
        // The name first: two callers cannot make the same.
        let table = &self.queue.layout.sessions;
        match table.create(id, worker.to_owned().into()).await {
            Ok(_) => {}
            Err(error) if error.kind() == kv::CreateErrorKind::AlreadyExists => {
                return Err(ClusterError::SessionTaken { session: id.to_owned() });
            }
            Err(error) => return Err(refused("write down a session")(error)),
        }
        match self.ask(worker, id, &SessionCall::Create(Box::new(request.clone()))).await {
            Ok(SessionAnswer::Info(info)) => Ok(info),
            Ok(_) => {
                Err(ClusterError::Queue { what: "make a session", why: "the answer is no session".into() })
            }
            Err(error) => {
                self.forget(id).await;
                Err(error)
            }
        }
    }

    /// Asks the worker that holds the session.
    pub async fn session(&self, call: &SessionCall) -> Result<SessionAnswer, ClusterError> {
        let id = call.session().unwrap_or_default();
        check_id(id)?;
        let found = self.queue.layout.sessions.get(id).await.map_err(refused("look for a session"))?;
        let worker = found.and_then(|bytes| String::from_utf8(bytes.to_vec()).ok());
        let worker = worker.ok_or_else(|| ClusterError::NoSession { session: id.to_owned() })?;
        let answer = self.ask(&worker, id, call).await;
        let gone = matches!(call, SessionCall::Close(_)) && answer.is_ok()
            || matches!(&answer, Err(ClusterError::NoSession { .. } | ClusterError::SessionLost { .. }));
        if gone {
            self.forget(id).await;
        }
        answer
    }

    /// What the sessions whose names begin so tell of themselves. Those that are gone are left out.
    pub async fn sessions(&self, prefix: &str) -> Result<Vec<SessionInfo>, ClusterError> {
        let failed = |error: String| ClusterError::Queue { what: "list sessions", why: error };
        let mut keys = self.queue.layout.sessions.keys().await.map_err(|error| failed(error.to_string()))?;
        let mut names = Vec::new();
        while let Some(key) = keys.next().await {
            let key = key.map_err(|error| failed(error.to_string()))?;
            if key.starts_with(prefix) {
                names.push(key);
            }
        }
        names.sort();
        let calls = names.into_iter().map(|id| async move { self.session(&SessionCall::Info(id)).await });
        let mut found = Vec::new();
        for answer in join_all(calls).await {
            match answer {
                Ok(SessionAnswer::Info(info)) => found.push(info),
                Ok(_) | Err(ClusterError::NoSession { .. } | ClusterError::SessionLost { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(found)
    }

    async fn forget(&self, id: &str) {
        // What stays behind expires, and is told as lost until then.
        let _ = self.queue.layout.sessions.purge(id).await;
    }

    async fn ask(
        &self,
        worker: &str,
        session: &str,
        call: &SessionCall,
    ) -> Result<SessionAnswer, ClusterError> {
        let bytes = serde_json::to_vec(call).map_err(refused("write a message"))?;
        let parcel = self.queue.parcels.pack("call", session, &bytes).await?;
        let subject = self.queue.layout.worker_subject(worker);
        let lost = || ClusterError::SessionLost { session: session.to_owned(), worker: worker.to_owned() };
        let mut pauses = COMES_BACK.into_iter();
        let reply = loop {
            let request = Request::new().payload(parcel.clone()).timeout(Some(ANSWER_WITHIN));
            let answer = tokio::select! {
                answer = self.queue.client.send_request(subject.clone(), request) => answer,
                () = self.gone(worker) => return Err(lost()),
            };
            match answer {
                Ok(reply) => break reply,
                Err(error) if error.kind() == RequestErrorKind::NoResponders => match pauses.next() {
                    Some(pause) => tokio::time::sleep(pause).await,
                    None => return Err(lost()),
                },
                Err(error) => return Err(refused("ask a worker")(error)),
            }
        };
        let bytes = self.queue.parcels.unpack(&reply.payload).await.map_err(|_| ClusterError::Queue {
            what: "read an answer",
            why: "it is too large, or gone".into(),
        })?;
        self.queue.parcels.discard(&reply.payload).await;
        let answer: Answered = serde_json::from_slice(&bytes).map_err(refused("read an answer"))?;
        answer.map_err(|failure| match is_no_session(&failure) {
            true => ClusterError::NoSession { session: session.to_owned() },
            false => failure.into(),
        })
    }

    /// Waits until a worker has been silent for so long that it counts as gone.
    async fn gone(&self, worker: &str) {
        let mut silent = 0;
        while silent < 2 {
            tokio::time::sleep(self.queue.settings.heartbeat).await;
            // Out of reach is not gone: the connection comes back, or the answer's time runs out.
            match self.queue.layout.workers.get(worker).await {
                Ok(None) => silent += 1,
                Ok(Some(_)) => silent = 0,
                Err(_) => {}
            }
        }
    }
}

fn check_portable(request: &SessionRequest) -> Result<(), ClusterError> {
    let refused = [
        ("mounts", !request.mounts.is_empty() || !request.insist_on_mounts.is_empty()),
        ("a venv", request.venv.is_some()),
        ("the host's network", request.network == Network::Host),
    ];
    match refused.iter().find(|(_, wanted)| *wanted) {
        Some((what, _)) => Err(ClusterError::invalid(
            format!("the session wants {what}, which one on another machine cannot have"),
            "send files with it, name packages, or make it on this machine",
        )),
        None => Ok(()),
    }
}

/// The worker's own check: a caller need not be one of ours.
pub(crate) fn check_call(call: &SessionCall) -> Result<(), ClusterError> {
    match call {
        SessionCall::Create(request) => check_portable(request),
        _ => Ok(()),
    }
}
