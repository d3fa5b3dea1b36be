//! The repository index: who is defined where, who names and calls whom, which file needs which.
//!
//! | module | what it holds |
//! |---|---|
//! | [`facts`] | what one file tells: its symbols, what it mentions, what it imports |
//! | [`modules`] | which file an import means |
//! | [`queries`] | [`IndexedProject`]: what can be asked, with paths as the caller opens them |
//! | [`rust`] | Rust's module tree, and what a path in it means |
//! | [`repository`] | [`RepositoryIndex`]: the facts of all files, joined |
//!
//! A link is *certain* where scopes and imports prove it. Where only the name is the same, it is given and marked so.

pub mod facts;
pub mod modules;
pub mod queries;
pub mod repository;
pub mod rust;
#[cfg(test)]
mod tests;

pub use queries::IndexedProject;
pub use repository::RepositoryIndex;
pub use rust::Package;
