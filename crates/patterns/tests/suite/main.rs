//! What only whole projects show.

mod clones;
mod generated;
mod refactored;
mod refactorings;
