//! Isolation providers behind one trait, with an honest report of what held.
//!
//! | module | what it holds |
//! |---|---|
//! | [`job`] | one confined process: command, files, limits, and what came of it |
//! | [`provider`] | the trait that every provider implements |
//! | [`error`] | what can go wrong on our side |

pub mod error;
pub mod job;
pub mod provider;

pub use error::SandboxError;
pub use job::{Captured, Collected, End, InputFile, Job, Outcome};
pub use provider::{Cancel, Provider, RunIo};
