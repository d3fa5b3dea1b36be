//! The platform's tests: one binary, one file per subject.
#![expect(clippy::unwrap_used, reason = "a test's helper fails the test by panicking")]

mod agent;
mod commands;
mod configuration;
mod explained;
mod facade;
mod hostile_project;
mod locks;
mod mending;
mod overlapping;
mod testing;
