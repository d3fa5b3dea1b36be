//! Tests of any framework: found, run in the sandbox, read into one form; generated; measured by mutation.
//!
//! | module | what it holds |
//! |---|---|
//! | [`project`] | the files of a project, as the engines here see them |
//! | [`on_disk`] | a project on the host: what is carried, what is shown |
//! | [`frameworks`] | one file a framework: how it is recognised, started and read |
//! | [`events`] | what our runners inside the sandbox tell, test by test |
//! | [`console`] | names of failing tests in what a command wrote for people |
//! | [`run`] | one run of a project's tests |
//! | [`junit_xml`] | the form that other tools read |
//! | [`python`] | mutants of Python files, and tests for them |

pub mod console;
pub mod events;
pub mod frameworks;
mod go_coverage;
pub mod junit_xml;
pub mod on_disk;
pub mod project;
pub mod python;
pub mod run;

pub use project::Project;
pub use run::{Run, TestRunner, Wanted};
