//! Patterns through the façade: copies of code, and what a change consists of.

pub mod clones;
pub mod refactorings;
