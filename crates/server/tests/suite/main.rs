//! The server's tests: one binary, one file per subject. Most call the router in process; a few use a socket.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test's helper fails the test by panicking")]

mod agent;
mod bad_input;
mod contract;
mod door;
mod execution;
mod files;
mod inspect;
mod load;
mod restart;
mod sessions;
mod sockets;
mod tenants;
mod testing;
mod tls;
