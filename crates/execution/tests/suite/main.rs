//! Runs the executor end to end: its pipeline against a scripted provider, its recipes in the native sandbox.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, and stand in for the door that reads the environment"
)]

mod cache;
mod guard;
mod judging;
mod packages;
mod pipeline;
mod programs;
mod projects;
mod recipes;
mod rig;
mod sessions;
