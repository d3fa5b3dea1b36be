//! Configuration: sources → layers → one resolved value per setting, which knows its origin.
//!
//! | module | what it holds |
//! |---|---|
//! | [`table`] | every setting on one page |
//! | [`declaration`] | how one is declared |
//! | [`sources`] | where configuration may come from |
//! | [`pip`] | index, proxies and certificates, as this host's pip and uv would have them |
//! | [`resolve`] | layers become one configuration; what a project's file may do |
//! | [`value`] | one setting's value |
//! | [`images`] | the maintained image of each language |
//! | [`documentation`] | the reference page, made from the table |

pub mod declaration;
pub mod documentation;
mod file;
pub mod images;
pub mod pip;
pub mod resolve;
pub mod sources;
pub mod table;
pub mod value;

pub use declaration::Key;
pub use file::ConsideredFile;
pub use formicary_model::units;
pub use resolve::{Configuration, Origin, Resolved};
pub use sources::ConfigSources;
pub use table::Settings;
pub use value::Value;
