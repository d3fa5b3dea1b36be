//! Refactorings: those that a change consists of, and those that are made.
//!
//! | module | what it holds |
//! |---|---|
//! | [`detection`] | two versions in, refactorings and the lines that they do not explain out |
//! | [`operations`] | rename, extract, inline: certain, or refused with the reason |

pub mod detection;
pub mod operations;
