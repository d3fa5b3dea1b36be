//! The frameworks, on one page: how each is recognised, started and read.

pub(crate) mod cargo;
mod ctest;
mod go;
mod javascript;
mod junit;
mod nextest;
mod python;

use crate::events::Told;
use crate::project::Project;
use crate::run::Wanted;
use formicary_model::{ExecutionResult, SourceFile};

/// One framework.
pub struct Framework {
    /// Its name.
    pub name: &'static str,
    /// The language whose tools it needs.
    pub language: &'static str,
    /// Why this project is one of its own, if it is.
    pub recognise: fn(&Project) -> Option<String>,
    /// How it is started.
    pub plan: fn(&Project, &Wanted, &Before<'_>) -> Plan,
    /// What it said.
    pub read: fn(&Project, &ExecutionResult) -> Told,
    /// Whether a run that ended in the middle can go on with the tests that are left.
    pub goes_on: bool,
}

/// What earlier runs of the same tests found out.
#[derive(Debug, Default)]
pub struct Before<'a> {
    /// Tests that have ended, by the framework's own names.
    pub done: &'a [String],
    /// Seconds that one test may take; none where nothing was said.
    pub test_seconds: Option<f64>,
}

/// How a framework is started.
#[derive(Debug, Default)]
pub struct Plan {
    /// What is started.
    pub start: Start,
    /// Files that we bring.
    pub files: Vec<SourceFile>,
    /// Environment.
    pub env: Vec<(&'static str, String)>,
    /// What is brought back.
    pub collect: Vec<String>,
}

/// What is started.
#[derive(Debug)]
pub enum Start {
    /// A Python script that we bring: it sees the project's packages.
    Python(String),
    /// Words for a shell, in the project's root.
    Shell(String),
}

impl Default for Start {
    fn default() -> Self {
        Self::Shell(String::new())
    }
}

/// All of them; the first that recognises a project runs its tests.
pub const ALL: &[&Framework] = &[
    &python::PYTEST,
    &python::UNITTEST,
    &javascript::VITEST,
    &javascript::JEST,
    &javascript::NODE,
    &go::GO,
    &nextest::NEXTEST,
    &cargo::CARGO,
    &junit::JUNIT,
    &ctest::CTEST,
];

/// The framework of this name.
pub fn named(name: &str) -> Option<&'static Framework> {
    ALL.iter().copied().find(|framework| framework.name == name)
}

/// The first framework that recognises the project, and why.
pub fn recognised(project: &Project) -> Option<(&'static Framework, String)> {
    ALL.iter().find_map(|framework| Some((*framework, (framework.recognise)(project)?)))
}

/// The files of Python tests in a project.
pub fn python_tests(project: &Project) -> Vec<String> {
    python::files(project)
}
