//! Structural search: code by its shape.
//!
//! | module | what it holds |
//! |---|---|
//! | [`pattern`] | a pattern, read once by its language's grammar |
//! | [`rule`] | a rule that is ready to match, and its tests |
//! | [`yaml`] | rules as people write them |
//! | [`matcher`] | many rules over one file in one walk |
//! | [`explain`] | why nothing matched |
//! | [`shipped`] | the rules that come with Formicary |
//!
//! A matcher of our own over the grammars' trees: keyword arguments in any order, names that imports call otherwise,
//! fragments of several statements, and the nearest miss all have to look inside of the comparison itself.

mod aliases;
pub(crate) mod check;
mod contexts;
pub mod explain;
mod kinds;
pub mod matcher;
pub(crate) mod matching;
mod needs;
pub mod pattern;
pub(crate) mod placeholders;
pub mod rule;
pub mod rule_tests;
pub mod shipped;
#[cfg(test)]
mod tests;
pub mod yaml;

pub use matcher::PatternMatcher;
pub use pattern::{Pattern, PatternError};
pub use rule::{Rule, RuleError};
pub use yaml::{dialects, read_rules};
