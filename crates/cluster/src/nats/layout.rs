//! Streams and buckets, made where they are missing, and the names of everything.
//!
//! | name | what | ends |
//! |---|---|---|
//! | stream `<name>-jobs` | a work queue, one line a class: `<name>.jobs.<language>.<provider>.<memory>` | when acknowledged |
//! | stream `<name>-dead` | jobs that nobody could run to their end, with the reason in a header | after a week |
//! | bucket `<name>-results` | what came of each job; keys are created once | `keep_results` |
//! | bucket `<name>-attempts` | starts of jobs that were delivered more than once | after a day |
//! | bucket `<name>-sessions` | which worker holds a session | after a week without a change |
//! | bucket `<name>-workers` | who is there: heartbeats | after three that are missing |
//! | objects `<name>-parcels` | what is too large for a message | `keep_results`, a day at least |

use crate::class::Class;
use crate::error::{ClusterError, refused};
use crate::settings::ClusterSettings;
use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::stream::{Config as StreamConfig, RetentionPolicy, Stream};
use async_nats::jetstream::{Context, kv, object_store};
use std::time::Duration;

const DAY: Duration = Duration::from_secs(86_400);
/// Within this time a job that is submitted twice is known for the same.
const DUPLICATES_WITHIN: Duration = Duration::from_secs(120);
/// Idle workers that may wait for one class; NATS's own default is 512.
const WAITING_WORKERS: i64 = 100_000;

/// The header of a dead letter that says why.
pub const REASON: &str = "Formicary-Reason";

/// Everything that lies on the server.
#[derive(Clone)]
pub struct Layout {
    pub(crate) context: Context,
    pub(crate) jobs: Stream,
    pub(crate) dead: Stream,
    pub(crate) results: kv::Store,
    pub(crate) attempts: kv::Store,
    pub(crate) sessions: kv::Store,
    pub(crate) workers: kv::Store,
    pub(crate) objects: object_store::ObjectStore,
    name: String,
    lease: Duration,
}

impl Layout {
    /// Finds everything, and makes what is missing.
    pub async fn open(context: &Context, settings: &ClusterSettings) -> Result<Self, ClusterError> {
        let name = &settings.name;
        let stream = |suffix: &str, subjects: &str| StreamConfig {
            name: format!("{name}-{suffix}"),
            subjects: vec![format!("{name}.{subjects}.>")],
            num_replicas: settings.replicas,
            duplicate_window: DUPLICATES_WITHIN,
            ..StreamConfig::default()
        };
        let jobs = StreamConfig { retention: RetentionPolicy::WorkQueue, ..stream("jobs", "jobs") };
        let dead = StreamConfig { max_age: 7 * DAY, ..stream("dead", "dead") };
        let open = |config| async {
            context.get_or_create_stream(config).await.map_err(refused("open its streams"))
        };
        let bucket = |suffix: &'static str, age: Duration| bucket(context, settings, suffix, age);
        Ok(Self {
            context: context.clone(),
            jobs: open(jobs).await?,
            dead: open(dead).await?,
            results: bucket("results", settings.keep_results).await?,
            attempts: bucket("attempts", DAY).await?,
            sessions: bucket("sessions", 7 * DAY).await?,
            workers: bucket("workers", settings.heartbeat * 3).await?,
            objects: objects(context, settings).await?,
            name: name.clone(),
            lease: settings.lease,
        })
    }

    /// The subject of a class's line.
    pub fn subject(&self, class: &Class) -> String {
        format!("{}.jobs.{class}", self.name)
    }

    /// The class of a subject.
    pub fn class_of<'a>(&self, subject: &'a str) -> Option<&'a str> {
        subject.strip_prefix(&self.name)?.strip_prefix(".jobs.")
    }

    /// Where cancellations are told.
    pub fn cancel_subject(&self) -> String {
        format!("{}.cancel", self.name)
    }

    /// Where a worker hears requests for its sessions.
    pub fn worker_subject(&self, worker: &str) -> String {
        format!("{}.worker.{worker}", self.name)
    }

    /// Where a client hears that its jobs have results.
    pub fn notice_subject(&self, client: &str) -> String {
        format!("{}.done.{client}", self.name)
    }

    /// The consumer of a class's line. Dots are no part of its name.
    pub fn consumer_name(class: &Class) -> String {
        class.to_string().replace('.', "-").replace('#', "sharp").replace('+', "plus")
    }

    /// Makes the consumer of a class's line where it is missing.
    pub async fn make_consumer(&self, class: &Class) -> Result<(), ClusterError> {
        let config = pull::Config {
            durable_name: Some(Self::consumer_name(class)),
            filter_subject: self.subject(class),
            ack_policy: AckPolicy::Explicit,
            ack_wait: self.lease,
            // Attempts are counted where jobs are started: handing a job on is none.
            max_deliver: -1,
            max_waiting: WAITING_WORKERS,
            max_ack_pending: -1,
            ..pull::Config::default()
        };
        self.jobs.create_consumer(config).await.map_err(refused("open the line of a class"))?;
        Ok(())
    }
}

async fn bucket(
    context: &Context,
    settings: &ClusterSettings,
    suffix: &str,
    max_age: Duration,
) -> Result<kv::Store, ClusterError> {
    let bucket = format!("{}-{suffix}", settings.name);
    if let Ok(found) = context.get_key_value(&bucket).await {
        return Ok(found);
    }
    let config =
        kv::Config { bucket, max_age, num_replicas: settings.replicas, history: 1, ..kv::Config::default() };
    context.create_key_value(config).await.map_err(refused("open its buckets"))
}

async fn objects(
    context: &Context,
    settings: &ClusterSettings,
) -> Result<object_store::ObjectStore, ClusterError> {
    let bucket = format!("{}-parcels", settings.name);
    if let Ok(found) = context.get_object_store(&bucket).await {
        return Ok(found);
    }
    let config = object_store::Config {
        bucket,
        max_age: settings.keep_results.max(DAY),
        num_replicas: settings.replicas,
        ..object_store::Config::default()
    };
    context.create_object_store(config).await.map_err(refused("open its object store"))
}
