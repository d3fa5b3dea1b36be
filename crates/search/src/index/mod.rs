//! The repository index: who is defined where, who names and calls whom, which file needs which.
//!
//! | module | what it holds |
//! |---|---|
//! | [`facts`] | what one file tells: its symbols, what it mentions, what it imports |
//! | [`values`] | how the values come about whose methods a file calls, in languages that write types |
//! | [`modules`] | which file an import means |
//! | [`queries`] | [`IndexedProject`]: what can be asked, with paths as the caller opens them |
//! | [`rust`] | Rust's module tree, and what a path in it means |
//! | [`receivers`] | which method a call of a value means |
//! | [`repository`] | [`RepositoryIndex`]: the facts of all files, joined |
//!
//! A link is *certain* where scopes and imports prove it. Where only the name is the same, it is given and marked so.

pub mod facts;
pub mod modules;
pub mod queries;
mod receivers;
pub mod repository;
pub mod rust;
#[cfg(test)]
mod tests;
pub mod values;

pub use queries::IndexedProject;
pub use repository::RepositoryIndex;
pub use rust::Package;
