//! Copies of code: exact, renamed, edited, and the same work written differently; in functions, in blocks, in whole files.
//!
//! | module | what it holds |
//! |---|---|
//! | [`detect`](mod@detect) | from sources to a report |
//! | [`tokens`], [`words`] | text as tokens, without a grammar; which words say little |
//! | [`boilerplate`] | what is alike everywhere without being copied |
//! | [`fragment`], [`normal`] | a function as it is compared; what it does in normal form |
//! | [`outline`] | where functions stand, where parsing would cost too much |
//! | [`vocabulary`] | what a function talks about |
//! | [`similarity`] | how alike two functions are |
//! | [`functions`], [`groups`] | which are compared, and which groups that makes |
//! | [`blocks`], [`files`] | repeats within functions and across them; whole files |
//! | [`report`], [`differences`] | places, lines that differ, suggestions, figures |
//! | [`change`], [`baseline`] | copies that a change left behind; groups that are known |
//!
//! Work grows with the size of the project, not with its square: equal things meet in tables, similar ones by the rare
//! things that they share.

pub mod baseline;
pub mod blocks;
pub mod boilerplate;
pub mod change;
pub mod detect;
pub mod differences;
pub mod files;
pub mod fragment;
pub mod functions;
pub mod groups;
pub mod normal;
pub mod outline;
pub mod report;
pub mod similarity;
#[cfg(test)]
mod tests;
pub mod tokens;
pub mod vocabulary;
pub mod words;

pub use detect::{CloneOptions, CloneSource, Read, Tests, detect};
