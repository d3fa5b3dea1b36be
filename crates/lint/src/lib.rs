//! What a project's source says about itself: metrics, findings and the import graph.
//!
//! | module | what it holds |
//! |---|---|
//! | [`source`] | what is analysed and with which options |
//! | [`file`] | one file on its way through the rules |
//! | [`metrics`] | lines, complexity, Halstead, maintainability, coupling and cohesion |
//! | [`rules`] | every rule in a file of its own, with examples that are tests |
//! | [`project`] | what needs all files: the import graph, cycles, things that nobody uses |
//!
//! [`analyze_file`] looks at one file and gives a result that can be kept; [`analyze_project`] puts the results
//! together; [`analyze`] does both with all cores. Nothing here fails: what cannot be read becomes a note.

pub mod file;
pub mod metrics;
pub mod project;
pub mod rules;
pub mod source;

mod run;

pub use project::{FileFacts, ProjectAnalysis, settle_imports, settle_inheritance};
pub use run::{Analysis, FileAnalysis, analyze, analyze_file, analyze_file_with, analyze_project};
pub use source::{Options, SourceFile};
