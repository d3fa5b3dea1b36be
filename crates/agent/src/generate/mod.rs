//! From a model's answer to files: whole ones, search-and-replace blocks, unified diffs, or one JSON object with all of them.
//!
//! | module | what it holds |
//! |---|---|
//! | [`proposal`] | what an answer proposes, and what becomes of the workspace |
//! | [`read`](mod@read) | answers read patiently |
//! | [`replace`] | finding the text that an edit means |
//!
//! An answer that cannot be applied is told back in words that a model can act on. Nothing is applied in part.

pub mod proposal;
pub mod read;
pub mod replace;

pub use proposal::{Change, Proposal};
pub use read::read;
