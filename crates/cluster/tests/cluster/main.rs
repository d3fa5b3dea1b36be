//! The cluster's tests, against a NATS server that each of them starts: nothing lost, nothing doubled.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test's helper fails the test by panicking")]
#![expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "tests start servers and workers themselves"
)]

mod access;
mod binary;
mod deployment;
mod front;
mod hardship;
mod jobs;
mod nats;
mod sessions;
mod stage;
