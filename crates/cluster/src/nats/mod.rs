//! The queue on NATS JetStream.
//!
//! | module | what it holds |
//! |---|---|
//! | [`connect`] | the connection, with its credentials and certificates |
//! | [`layout`] | streams and buckets, and the names of everything |
//! | [`parcels`] | values of any size: small ones travel in the message, large ones through the object store |
//! | [`pulling`] | taking jobs from the lines of several classes |
//! | [`depth`] | how much waits |
//!
//! NATS delivers at least once: what must happen once hangs on the results' bucket, where a key can be created and never
//! replaced.

pub mod connect;
pub mod depth;
pub mod layout;
pub mod parcels;
mod pulling;

use crate::class::Class;
use crate::error::{ClusterError, refused};
use crate::job::{Job, Outcome};
use crate::queue::{Queue, Stored, Submitted, Unreadable};
use crate::settings::ClusterSettings;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::{AckKind, PublishMessage};
use async_nats::jetstream::{Message, kv};
use layout::Layout;
use parcels::Parcels;
use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::watch;

/// The queue on a NATS server or cluster.
#[derive(Clone)]
pub struct NatsQueue {
    pub(crate) client: async_nats::Client,
    pub(crate) layout: Layout,
    pub(crate) parcels: Parcels,
    pub(crate) settings: ClusterSettings,
    consumers: Arc<Mutex<HashMap<Class, PullConsumer>>>,
    /// The line that had jobs the last time, and how often it may still be asked first.
    busy: Arc<Mutex<Option<(Class, u32)>>>,
    /// Counts connections: whoever waits for a pull starts anew when it changes.
    pub(crate) connections: watch::Receiver<u64>,
}

impl NatsQueue {
    /// Connects, and makes streams and buckets where they are missing.
    pub async fn open(settings: ClusterSettings) -> Result<Self, ClusterError> {
        let (client, connections) = connect::connect(&settings).await?;
        let context = async_nats::jetstream::new(client.clone());
        let layout = Layout::open(&context, &settings).await?;
        let parcels = Parcels::new(client.clone(), layout.objects.clone());
        Ok(Self {
            client,
            layout,
            parcels,
            settings,
            consumers: Arc::default(),
            busy: Arc::default(),
            connections,
        })
    }

    /// Which attempt a delivery is. The first costs nothing; from the second on, starts are counted, so that a job which
    /// was only handed around is not taken for one that kills its workers.
    async fn attempt(&self, id: &str, message: &Message) -> Result<u64, ClusterError> {
        let delivered = message.info().map_or(1, |info| info.delivered);
        if delivered <= 1 {
            return Ok(1);
        }
        let before = self.layout.attempts.get(id).await.map_err(refused("read the attempts of a job"))?;
        let before =
            before.and_then(|text| std::str::from_utf8(&text).ok()?.parse::<u64>().ok()).unwrap_or(1);
        let attempt = before + 1;
        let written = self.layout.attempts.put(id, attempt.to_string().into()).await;
        written.map_err(refused("count the attempts of a job"))?;
        Ok(attempt)
    }
}

impl Queue for NatsQueue {
    type Lease = Message;

    async fn submit(&self, job: &Job) -> Result<Submitted, ClusterError> {
        let class = job.class()?;
        let parcel = self.parcels.pack("job", &job.id, &encode(job)?).await?;
        let subject = self.layout.subject(&class);
        // Sent again after a silence: the name lets NATS know it for the same job.
        for pause in [200, 1_000, 2_000, 4_000, 0] {
            let message = PublishMessage::build().payload(parcel.clone()).message_id(&job.id);
            let sent = self.layout.context.send_publish(subject.clone(), message).await;
            let answer = match sent {
                Ok(answer) => answer.await,
                Err(error) => Err(error),
            };
            match answer {
                Ok(ack) if ack.duplicate => return Ok(Submitted::Known),
                Ok(_) => return Ok(Submitted::New),
                Err(error) if pause == 0 => return Err(refused("take the job")(error)),
                Err(_) => tokio::time::sleep(Duration::from_millis(pause)).await,
            }
        }
        Err(ClusterError::Queue { what: "take the job", why: "no answer".into() })
    }

    async fn lease(
        &self,
        classes: &[Class],
        most: usize,
        stop: impl Future<Output = ()> + Send,
    ) -> Result<Vec<Message>, ClusterError> {
        pulling::pull(self, classes, most, stop).await
    }

    async fn open(&self, lease: &Message) -> Result<(Job, u64), Unreadable> {
        let bytes = self.parcels.unpack(&lease.payload).await?;
        let job: Job = serde_json::from_slice(&bytes)
            .map_err(|error| Unreadable::Broken(format!("it is no job: {error}")))?;
        job.class().map_err(|error| Unreadable::Broken(error.to_string()))?;
        let attempt = self.attempt(&job.id, lease).await.map_err(Unreadable::Unavailable)?;
        Ok((job, attempt))
    }

    async fn extend(&self, lease: &Message) -> Result<(), ClusterError> {
        lease.ack_with(AckKind::Progress).await.map_err(refused("extend the lease of a job"))
    }

    async fn ack(&self, lease: &Message) -> Result<(), ClusterError> {
        lease.ack().await.map_err(refused("take a job off"))?;
        // Nobody needs it any more; what is missed here expires.
        self.parcels.discard(&lease.payload).await;
        Ok(())
    }

    async fn give_back(&self, lease: &Message) -> Result<(), ClusterError> {
        lease.ack_with(AckKind::Nak(None)).await.map_err(refused("take a job back"))
    }

    async fn bury(&self, lease: &Message, why: &str) -> Result<(), ClusterError> {
        let why: String = why.chars().map(|c| if c.is_control() { ' ' } else { c }).take(500).collect();
        let subject =
            format!("{}.dead.{}", self.settings.name, lease.subject.rsplit('.').next().unwrap_or("x"));
        let place = lease.info().map_or(0, |info| info.stream_sequence);
        let message = PublishMessage::build()
            .payload(lease.payload.clone())
            // Buried by two workers at once, it is one letter.
            .message_id(format!("dead-{place}"))
            .header(layout::REASON, why.as_str());
        let sent = self
            .layout
            .context
            .send_publish(subject, message)
            .await
            .map_err(refused("keep a dead letter"))?;
        sent.await.map_err(refused("keep a dead letter"))?;
        lease.ack_with(AckKind::Term).await.map_err(refused("take a dead job off"))
    }

    async fn store(&self, outcome: &Outcome) -> Result<Stored, ClusterError> {
        let parcel = self.parcels.pack("result", &outcome.job, &encode(outcome)?).await?;
        match self.layout.results.create(&outcome.job, parcel.clone()).await {
            Ok(_) => Ok(Stored::First),
            Err(error) if error.kind() == kv::CreateErrorKind::AlreadyExists => {
                self.parcels.discard(&parcel).await;
                Ok(Stored::Late)
            }
            Err(error) => Err(refused("store a result")(error)),
        }
    }

    async fn result(&self, id: &str) -> Result<Option<Outcome>, ClusterError> {
        let found = self.layout.results.get(id).await.map_err(refused("look for a result"))?;
        let Some(parcel) = found else { return Ok(None) };
        let bytes = self.parcels.unpack(&parcel).await.map_err(|error| match error {
            Unreadable::Broken(why) => ClusterError::Queue { what: "read a result", why },
            Unreadable::Unavailable(error) => error,
        })?;
        let outcome = serde_json::from_slice(&bytes);
        outcome.map(Some).map_err(refused("read a result"))
    }

    async fn cancel(&self, id: &str) -> Result<Stored, ClusterError> {
        crate::job::check_id(id)?;
        let stored = self.store(&Outcome::cancelled(id)).await?;
        if stored == Stored::First {
            // A hint for the worker that runs it, which also looks by itself from time to time.
            let subject = self.layout.cancel_subject();
            let hint = self.client.publish(subject, id.to_owned().into()).await;
            hint.map_err(refused("tell the workers of a cancellation"))?;
        }
        Ok(stored)
    }
}

fn encode(value: &impl serde::Serialize) -> Result<Vec<u8>, ClusterError> {
    serde_json::to_vec(value).map_err(refused("write a message"))
}
