//! The structural engines through the façade: searching, rewriting, the index.

pub mod index;
mod place;
pub mod rewrite;
pub mod search;

pub use index::IndexOptions;
pub use rewrite::{Chosen, RewriteOptions};
pub use search::{SearchOptions, Sought};
