//! The sessions that a worker holds: requests come on its own subject, answers go back the same way.

use super::Worker;
use super::runner::Runner;
use crate::error::{ClusterError, refused};
use crate::queue::Unreadable;
use crate::sessions::{Answered, SessionCall, check_call};
use async_nats::{Message, Subscriber};
use formicary_model::{Failure, FailureKind};
use futures_util::StreamExt as _;
use std::sync::Arc;

/// Where requests are heard.
pub(super) async fn listen<R: Runner>(worker: &Worker<R>) -> Result<Subscriber, ClusterError> {
    let queue = &worker.client.queue;
    let subject = queue.layout.worker_subject(&worker.id);
    queue.client.subscribe(subject).await.map_err(refused("listen for sessions"))
}

/// Answers all requests, each by itself: one session's long cell holds up no other.
pub(super) async fn answer<R: Runner>(worker: Arc<Worker<R>>, mut requests: Subscriber) {
    while let Some(request) = requests.next().await {
        let worker = Arc::clone(&worker);
        worker.cells.send_modify(|cells| *cells += 1);
        tokio::spawn(async move {
            if let Err(error) = answer_one(&worker, &request).await {
                tracing::warn!(%error, "a session's answer was not heard");
            }
            worker.cells.send_modify(|cells| *cells -= 1);
        });
    }
}

async fn answer_one<R: Runner>(worker: &Arc<Worker<R>>, request: &Message) -> Result<(), ClusterError> {
    let Some(reply) = request.reply.clone() else { return Ok(()) };
    let parcels = &worker.client.queue.parcels;
    let call = parcels.unpack(&request.payload).await;
    parcels.discard(&request.payload).await;
    let answer = answered(worker, call).await;
    let bytes = serde_json::to_vec(&answer).map_err(refused("write a message"))?;
    let parcel = match parcels.pack("answer", &worker.id, &bytes).await {
        Ok(parcel) => parcel,
        Err(error) => {
            let failed: Answered = Err(error.into());
            serde_json::to_vec(&failed).map_err(refused("write a message"))?.into()
        }
    };
    worker.client.queue.client.publish(reply, parcel).await.map_err(refused("carry an answer"))
}

async fn answered<R: Runner>(worker: &Arc<Worker<R>>, call: Result<Vec<u8>, Unreadable>) -> Answered {
    let unreadable =
        |why: String| Failure::new(FailureKind::InvalidInput, format!("no request for a session: {why}"));
    let bytes = call.map_err(|error| match error {
        Unreadable::Broken(why) => unreadable(why),
        Unreadable::Unavailable(error) => error.into(),
    })?;
    let call: SessionCall = serde_json::from_slice(&bytes).map_err(|error| unreadable(error.to_string()))?;
    check_call(&call)?;
    if matches!(call, SessionCall::Create(_)) && worker.shutdown.is_draining() {
        let message = format!("worker {} takes no more sessions", worker.id);
        return Err(
            Failure::new(FailureKind::SandboxFailed, message).hint("ask again: another worker makes it")
        );
    }
    let runner = Arc::clone(&worker.runner);
    let done = tokio::task::spawn_blocking(move || runner.session(call)).await;
    done.unwrap_or_else(|error| {
        Err(Failure::new(FailureKind::Internal, format!("the session failed: {error}")))
    })
}
