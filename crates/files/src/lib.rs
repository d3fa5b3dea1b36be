//! Files below a directory whose content a stranger wrote.
//!
//! A repository under review may hold links, pipes, devices and endless files where its sources, its settings or our own
//! state are expected. Everything that is opened below such a directory goes through [`Root`]: it never leaves the
//! directory, follows no link, opens regular files only, reads no more than the caller allows, and replaces files by writing
//! aside and renaming. `cargo xtask tidy` (rule `project-files`) bans every other way in the crates that touch projects.
//!
//! | module | what it holds |
//! |---|---|
//! | [`artifacts`] | collected files, written below a directory that the user names |
//! | [`beside`] | what stands beside a project's sources and is shown to its programs |
//! | [`confined`] | which files of the host a caller may name |
//! | [`directory`] | all source files of a directory |
//! | [`error`] | why a file was not opened, read or written |
//! | [`root`] | the directory, and every operation below it |
//! | [`place`] | which directory a path belongs to: the project's, or one that the user named |
//! | [`named`] | files that the user names, wherever they are |
//! | [`project`] | which directory is a project |
//! | [`shelf`] | small files that outlive the process |
//! | [`uploads`] | files that come with a request, in a private directory for as long as they are needed |
//! | [`viewpoint`] | how paths of a project are written for somebody who stands elsewhere |

pub mod artifacts;
pub mod beside;
pub mod confined;
pub mod directory;
pub mod error;
pub mod named;
mod open;
pub mod place;
pub mod project;
pub mod root;
pub mod shelf;
pub mod uploads;
pub mod viewpoint;

pub use error::{FileError, Reason};
pub use named::{create_named, open_named, write_named};
pub use place::{Place, plain};
pub use project::{directories_above, project_of};
pub use root::{Entry, Facts, Kind, Root};
pub use viewpoint::Viewpoint;
