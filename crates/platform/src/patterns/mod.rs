//! The structural engines through the façade: searching, rewriting, the index, refactorings.

pub mod index;
mod place;
pub mod refactor;
pub mod rewrite;
pub mod search;

pub use index::IndexOptions;
pub use refactor::{RefactorOptions, Refactoring};
pub use rewrite::{Chosen, RewriteOptions};
pub use search::{SearchOptions, Sought};
