//! Options of `tests`.

use super::packages::PackageArguments;
use clap::{Args, Subcommand};
use std::path::PathBuf;

const HELP: &str = "\
Examples:
  formicary tests run
  formicary tests run tests/test_api.py --filter login --json
  formicary tests run --framework jest --junit report.xml";

/// Options of `tests`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct TestsArguments {
    #[command(subcommand)]
    pub verb: TestsVerb,
}

/// What to do with tests.
#[derive(Debug, Subcommand)]
pub enum TestsVerb {
    /// Finds the framework, runs the tests in the sandbox, tells how each ended
    Run(Box<TestsRunArguments>),
}

const RUN_HELP: &str = "\
Frameworks: pytest, unittest, node (node --test), jest, vitest, go, cargo, junit, ctest.
The tests see the project's files, its node_modules or virtual environment, and no network.

Exit code 0 where every test passed, 1 where one did not or none ran.

Examples:
  formicary tests run
  formicary tests run path/to/project -r pytest,requests
  formicary tests run tests/test_api.py --filter login
  formicary tests run --framework unittest --test-timeout 5s --coverage
  formicary tests run --json --junit report.xml";

/// Options of `tests run`.
#[derive(Debug, Args)]
#[command(after_help = RUN_HELP)]
pub struct TestsRunArguments {
    /// The project's folder, or a file of tests
    #[arg(value_name = "DIR|FILE", default_value = ".")]
    pub target: PathBuf,
    /// The framework, where it should not be recognised
    #[arg(long, value_name = "NAME")]
    pub framework: Option<String>,
    /// Only this file, package or test, as the framework names them; may be given several times
    #[arg(long = "only", value_name = "NAME")]
    pub only: Vec<String>,
    /// Only tests whose names hold this
    #[arg(long, short = 'k', value_name = "WORD")]
    pub filter: Option<String>,
    /// Seconds that one test may take, where the framework can end it
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub test_timeout: Option<f64>,
    /// Seconds for the whole suite
    #[arg(long, value_name = "SECONDS", default_value_t = 280.0, value_parser = seconds)]
    pub timeout: f64,
    /// Tells which lines the tests reach (Python)
    #[arg(long)]
    pub coverage: bool,
    /// Writes the results in JUnit's XML as well
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    #[command(flatten)]
    pub packages: PackageArguments,
    /// A Python virtual environment whose packages the tests may import
    #[arg(long, value_name = "DIR")]
    pub venv: Option<PathBuf>,
    /// The isolation provider
    #[arg(long, value_name = "NAME")]
    pub provider: Option<String>,
    /// More arguments for the framework
    #[arg(last = true, value_name = "ARGUMENT")]
    pub arguments: Vec<String>,
}

/// Seconds, with or without their unit.
pub fn seconds(text: &str) -> Result<f64, String> {
    match text.trim_end_matches('s').parse::<f64>() {
        Ok(value) if (0.1..=300.0).contains(&value) => Ok(value),
        _ => Err("write seconds between 0.1 and 300".into()),
    }
}
