//! The audit log with real stores: chains, tampering, several writers, a full disk, a server that goes away.

mod bench;
mod chain;
mod otlp;
mod postgres;
mod tampering;
