//! TypeScript to JavaScript that plain node runs, one file at a time or a folder of them.
//!
//! | module | what it holds |
//! |---|---|
//! | [`strip`] | one file: parse, transform, print, with a source map |
//! | [`survey`] | what a file is (module or script) and its relative imports, rewritten |
//! | [`prelude`] | the few lines that some files need before their own |
//! | [`report`] | diagnostics as `file:line:column` |
//! | [`command`] | the command line |
//!
//! The parser is fed by strangers: this is a program of its own so that it can run inside the sandbox.

pub mod command;
pub mod prelude;
pub mod report;
pub mod strip;
pub mod survey;

pub use strip::{Stripped, strip};
