//! The structural engines through the façade: searching, rewriting, the index, copies, what a change consists of, refactorings.

pub mod clones;
pub mod index;
mod place;
pub mod refactor;
pub mod refactorings;
pub mod rewrite;
pub mod search;

pub use index::IndexOptions;
pub use refactor::{RefactorOptions, Refactoring};
pub use rewrite::{Chosen, RewriteOptions};
pub use search::{SearchOptions, Sought};
