//! The structural engines through the façade: searching, rewriting, the index, copies, what a change consists of, refactorings.

pub mod clones;
mod index;
pub(crate) mod place;
mod refactor;
mod refactorings;
mod rewrite;
mod search;

pub use clones::Clones;
pub use index::{Calls, Dependencies, Symbols};
pub use refactor::Refactor;
pub use refactorings::Refactorings;
pub(crate) use rewrite::journal_failure;
pub use rewrite::{Rewrite, Undo};
pub use search::Search;
