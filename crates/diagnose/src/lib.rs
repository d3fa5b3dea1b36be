//! Why a program failed: its errors read, values traced back, hangs, snapshots, debuggers, suspicious lines.
//!
//! | module | what it holds |
//! |---|---|
//! | [`failures`] | what a program or its compiler reported, read: what is wrong, where and why |
//! | [`runs`] | a program run so that its failure reports as much as it can |
//! | [`causes`] | from a failing value back to where it came from |
//! | [`hangs`] | where a program is that does not end |
//! | [`snapshot`] | the variables of a program when it failed |
//! | [`inspect`] | stopping a program anywhere, looking, going on |
//! | [`case`] | a broken program with its files and its evidence, and edits of it |
//! | [`project`] | the files of a case, read from a directory, and what stands around them |
//! | [`command`] | what a test command means |
//! | [`localise`] | which lines are suspicious |
//! | [`program`] | one file with what each of its parts is for and what is in reach |
//! | [`names`], [`library`] | names near to a misspelt one; which header, module or package holds a name |

pub mod case;
pub mod causes;
pub mod command;
pub mod failures;
pub mod hangs;
pub mod inspect;
pub mod library;
pub mod localise;
pub mod names;
pub mod program;
pub mod project;
pub mod runs;
pub mod snapshot;
mod watched;
