//! Structural search: code by its shape, found, changed, and known by name over a whole repository.
//!
//! | module | what it holds |
//! |---|---|
//! | [`source`] | one file as the engines take it |
//! | [`pattern`] | a pattern, read once by its language's grammar |
//! | [`rule`] | a rule that is ready to match, and its tests |
//! | [`yaml`] | rules as people write them |
//! | [`matcher`] | many rules over one file in one walk |
//! | [`named`], [`find`] | what a request looks for; one search through many files |
//! | [`explain`] | why nothing matched |
//! | [`shipped`] | the rules that come with Formicary |
//! | [`rewrite`] | templates, edits that cannot overlap, the check that the result still parses, undo |
//! | [`index`] | symbols, references, calls, modules |
//!
//! A matcher of our own over the grammars' trees: keyword arguments in any order, names that imports call otherwise,
//! fragments of several statements, and the nearest miss all have to look inside of the comparison itself.

mod aliases;
pub(crate) mod check;
mod contexts;
pub mod explain;
pub mod find;
pub mod index;
mod kinds;
pub mod matcher;
pub(crate) mod matching;
pub mod named;
mod needs;
pub mod pattern;
pub(crate) mod placeholders;
pub mod rewrite;
pub mod rule;
pub mod rule_tests;
pub mod shipped;
pub mod source;
#[cfg(test)]
mod tests;
pub mod yaml;

pub use find::search;
pub use index::RepositoryIndex;
pub use matcher::PatternMatcher;
pub use named::Sought;
pub use pattern::{Pattern, PatternError};
pub use rewrite::ASTTransformer;
pub use rule::{Rule, RuleError};
pub use source::{Source, dialect_of};
pub use yaml::{dialects, read_rules};
