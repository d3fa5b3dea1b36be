//! The audit log with real stores: chains, tampering, several writers, a full disk, a server that goes away; the exporter.
#![expect(clippy::unwrap_used, reason = "a test's helper fails the test by panicking")]
#![expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a test starts itself once more, and reads addresses"
)]

mod bench;
mod chain;
mod full_disk;
mod otlp;
mod postgres;
mod tampering;
