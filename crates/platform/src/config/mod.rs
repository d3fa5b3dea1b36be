//! Configuration: sources → layers → one resolved value per setting, which knows its origin.
//!
//! | module | what it holds |
//! |---|---|
//! | [`table`] | every setting on one page |
//! | [`declaration`] | how one is declared |
//! | [`sources`] | where configuration may come from |
//! | [`resolve`] | layers become one configuration; what a project's file may do |
//! | [`value`] | one setting's value |
//! | [`units`] | sizes and durations as people write them |
//! | [`documentation`] | the reference page, made from the table |

pub mod declaration;
pub mod documentation;
mod file;
pub mod resolve;
pub mod sources;
pub mod table;
pub mod units;
pub mod value;

pub use declaration::Key;
pub use file::ConsideredFile;
pub use resolve::{Configuration, Origin, Resolved};
pub use sources::ConfigSources;
pub use table::Settings;
pub use value::Value;
