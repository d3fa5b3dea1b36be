//! Candidate patches: where they come from, how they are judged, which one wins.

pub mod command;
pub mod java;
pub mod javascript;
pub mod judging;
pub mod native;
pub mod python;
pub mod rank;
pub mod search;
pub mod strategy;
pub mod templates;

pub use strategy::{Candidate, Case, CaseFile, Strategy, Suspect, TextEdit};
