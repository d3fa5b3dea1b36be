//! What only whole projects show.

mod refactored;
mod refactorings;
