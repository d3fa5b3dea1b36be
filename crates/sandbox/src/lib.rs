//! Isolation providers behind one trait, with an honest report of what held.
//!
//! | module | what it holds |
//! |---|---|
//! | [`job`] | one confined process: command, files, limits, and what came of it |
//! | [`provider`] | the trait that every provider implements |
//! | [`assurance`] | what each level of protection guarantees |
//! | [`registry`] | all providers on one page |
//! | [`providers`] | the providers themselves |
//! | [`host`] | what this host offers |
//! | [`cgroups`] | control groups: version 2, version 1, a systemd scope, or none |
//! | [`capture`], [`collect`] | output in bounded memory; produced files, safely |
//! | [`guest`] | our side of the guest agent, which stands beside the program in a container, a guest or a folder |
//! | [`service`] | starting a service of our own |
//! | [`error`] | what can go wrong on our side |

pub mod assurance;
pub mod capture;
pub mod cgroups;
pub mod collect;
pub mod error;
pub mod guest;
pub mod host;
pub mod job;
pub mod provider;
pub mod providers;
pub mod registry;
pub mod service;
mod sys;

pub use error::SandboxError;
pub use job::{Captured, Collected, End, InputFile, Job, Outcome, Warmth};
pub use provider::{Cancel, Progress, Provider, RunIo, Stdin};
