//! Candidate patches: where they come from, how they are judged, which one wins.

pub mod strategy;

pub use strategy::{Candidate, Case, CaseFile, Strategy, Suspect, TextEdit};
