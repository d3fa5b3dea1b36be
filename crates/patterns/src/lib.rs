//! Code as a tree: finding structure in it, changing it, finding its copies, and saying what a change consists of.
//!
//! | module | what it holds |
//! |---|---|
//! | [`source`] | one file as the engines take it |
//! | [`search`] | [`PatternMatcher`]: patterns and rules, compiled once, over any number of files |
//! | [`rewrite`] | [`ASTTransformer`]: templates, edits that cannot overlap, the check that the result still parses, undo |
//! | [`index`] | [`RepositoryIndex`]: symbols, references, calls, modules |
//! | [`clones`] | copies of code, also renamed, edited and re-ordered ones |
//! | [`refactorings`] | what a change consists of |
//! | [`operations`] | refactorings that are made: rename, extract, inline |

pub mod clones;
pub mod index;
pub mod operations;
pub mod refactorings;
pub mod rewrite;
pub mod search;
pub mod source;

pub use index::RepositoryIndex;
pub use rewrite::ASTTransformer;
pub use search::PatternMatcher;
pub use source::{Source, dialect_of};
