//! Many machines: jobs on a queue, workers that pull what they can run.
//!
//! A caller submits a job; it waits on a durable queue under the class of what it needs (language, provider, memory); a
//! worker that can run that class leases it, runs it by its own [`formicary_platform::Platform`], stores the result and
//! acknowledges. A lease that is not extended goes to another worker. Results are created once and never replaced, so
//! that a job which ran twice still has one result.
//!
//! | module | what it holds |
//! |---|---|
//! | [`class`] | what a job needs and what a worker offers |
//! | [`judging`] | a program with its cases, as it lies on the queue |
//! | [`job`] | a job and what came of it |
//! | [`queue`] | the small trait between callers, workers and whatever keeps the jobs |
//! | [`nats`] | that trait on NATS JetStream |
//! | [`client`] | the caller's side: submit, wait, execute, cancel |
//! | [`sessions`] | sessions, which stick to the worker that made them |
//! | [`worker`] | the worker's side |
//! | [`status`] | how full the queue is and who works, for people and for autoscalers |
//! | [`bench`] | how many jobs a second the cluster runs, measured by a client |
//! | [`elsewhere`] | the cluster as what runs a platform's programs |
//! | [`blocking`] | the caller's side for code that is not asynchronous |
//! | [`settings`] | where the queue is and how it is reached; secrets are never shown |
//! | [`error`] | what can go wrong, as the doors tell it |

pub mod bench;
pub mod blocking;
pub mod class;
pub mod client;
pub mod elsewhere;
pub mod error;
pub mod job;
pub mod judging;
pub mod nats;
pub mod queue;
pub mod sessions;
pub mod settings;
pub mod status;
pub mod worker;

pub use blocking::Cluster;
pub use class::{Class, Offer};
pub use client::ClusterClient;
pub use error::ClusterError;
pub use job::{Job, Outcome};
pub use queue::Queue;
pub use settings::ClusterSettings;
pub use status::ClusterStatus;
pub use worker::{Shutdown, Worker, WorkerSettings};
