//! The command line's tests: whole commands, what they print and how they exit.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test's helper fails the test by panicking")]
#![expect(clippy::disallowed_types, clippy::disallowed_methods, reason = "tests start the binary itself")]

mod agent;
mod agent_repository;
mod audit;
mod bad_input;
mod command;
mod documents;
mod hooks;
mod interruption;
mod judge;
mod patterns;
mod real_runs;
mod review;
mod serve;
mod sessions;
mod verbs;
