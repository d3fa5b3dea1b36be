//! The façade that every door talks to.
//!
//! | module | what it holds |
//! |---|---|
//! | [`facade`] | one method a use-case |
//! | [`config`] | where settings come from and what they resolve to |
//! | [`exit`] | the one table of how things end |
//! | [`doctor`] | what this host offers, what is missing, how to get it |
//! | [`judge`] | programs against test cases, many at a time |
//! | [`review`] | what is wrong with code, and whether a change made it worse |
//! | [`debugging`] | mending programs by their tests |
//! | [`sessions`] | sessions that outlive the command that made them |
//! | [`artifacts`] | writing collected files into a folder, safely |
//!
//! What the doors need of the engines is re-exported here, so that they depend on this crate and the model alone.

pub mod artifacts;
pub mod config;
pub mod debugging;
pub mod doctor;
pub mod exit;
pub mod facade;
pub mod judge;
pub mod review;
pub mod sessions;

pub use facade::{Monitors, Platform};
pub use formicary_execution::judging;
pub use formicary_execution::{Availability, Detection, LanguageOrigin, LanguageStatus, Live};
pub use formicary_review as reviewing;
pub use formicary_sandbox::Cancel;
pub use formicary_sandbox::provider::Stdin;
