//! Options of `tests`.

use super::environment::TestEnvironmentArguments;
use clap::{Args, Subcommand};
use std::path::PathBuf;

const HELP: &str = "\
Examples:
  formicary tests run
  formicary tests run tests/test_api.py --filter login --json
  formicary tests run --framework jest --junit report.xml
  formicary tests generate calc.py --write
  formicary tests mutate calc.py";

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
    /// Detect the framework, run the tests in the sandbox, report each result
    Run(Box<TestsRunArguments>),
    /// Generate tests for Python code; a model is optional
    Generate(Box<TestsGenerateArguments>),
    /// Measure how well Python tests detect changes: the mutation score
    Mutate(Box<TestsMutateArguments>),
}

const RUN_HELP: &str = "\
Frameworks: pytest, unittest, node (node --test), jest, vitest, go, cargo, nextest, junit, ctest.
The tests see the project's files, its node_modules or virtual environment, and no network.

Exit code 0 if every test passed, 1 if one failed or none ran.

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
    /// The project's directory, or a test file
    #[arg(value_name = "DIR|FILE", default_value = ".")]
    pub target: PathBuf,
    /// The framework [default: detected]
    #[arg(long, value_name = "NAME")]
    pub framework: Option<String>,
    /// Only this file, package or test, as the framework names them; repeatable
    #[arg(long = "only", value_name = "NAME")]
    pub only: Vec<String>,
    /// Only tests whose names contain this
    #[arg(long, short = 'k', value_name = "WORD")]
    pub filter: Option<String>,
    /// Seconds per test, if the framework supports it
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub test_timeout: Option<f64>,
    /// Seconds for the whole suite
    #[arg(long, value_name = "SECONDS", default_value_t = 280.0, value_parser = seconds)]
    pub timeout: f64,
    /// Report which lines the tests cover
    #[arg(long)]
    pub coverage: bool,
    /// Also write the results as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    #[command(flatten)]
    pub environment: TestEnvironmentArguments,
    /// Additional arguments for the framework
    #[arg(last = true, value_name = "ARGUMENT")]
    pub arguments: Vec<String>,
}

const GENERATE_HELP: &str = "\
Functions and classes are called in the sandbox with arguments from type hints, defaults, literals,
doctests and boundary values. Tests that cover new lines or kill a mutant are kept, flaky ones are
dropped. They assert what the code does today: read them before you trust them.

Exit code 0 if tests were generated, 1 if none were.

Examples:
  formicary tests generate calc.py
  formicary tests generate calc.py --function mean --time 30s --write
  formicary tests generate calc.py --model openai:gpt-4o --write
  formicary tests generate . --style unittest --output tests/test_generated.py";

/// Options of `tests generate`.
#[derive(Debug, Args)]
#[command(after_help = GENERATE_HELP)]
pub struct TestsGenerateArguments {
    /// The Python file or project directory
    #[arg(value_name = "FILE|DIR")]
    pub target: PathBuf,
    /// Only this function, class or Class.method; repeatable
    #[arg(long = "function", value_name = "NAME")]
    pub functions: Vec<String>,
    /// The format of the tests
    #[arg(long, value_name = "STYLE", default_value = "pytest", value_parser = ["pytest", "unittest"])]
    pub style: String,
    /// Seconds per file
    #[arg(long, value_name = "SECONDS", default_value_t = 15.0, value_parser = generation_seconds)]
    pub time: f64,
    /// Ask this model for more tests, as in openai:gpt-4o; flaky or redundant ones are dropped
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// Write the tests next to the project's others, never over an existing file
    #[arg(long)]
    pub write: bool,
    /// Write the tests of a single file to this file
    #[arg(long, short, value_name = "FILE", conflicts_with = "write")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub environment: TestEnvironmentArguments,
}

const MUTATE_HELP: &str = "\
Operators, comparisons, constants, conditions, returns and statements inside functions are changed one
at a time, and the tests that cover the line run on each change. Undetected mutants are shown as a diff.

Exit code 0, or 1 if the score is below --least-score.

Examples:
  formicary tests mutate calc.py
  formicary tests mutate . --file src/calc.py --time 120s --least-score 0.8 --json";

/// Options of `tests mutate`.
#[derive(Debug, Args)]
#[command(after_help = MUTATE_HELP)]
pub struct TestsMutateArguments {
    /// The Python file to mutate, or a project directory
    #[arg(value_name = "FILE|DIR", default_value = ".")]
    pub target: PathBuf,
    /// Mutate only this file; repeatable
    #[arg(long = "file", value_name = "FILE")]
    pub files: Vec<String>,
    /// Mutate only this function, class or Class.method; repeatable
    #[arg(long = "function", value_name = "NAME")]
    pub functions: Vec<String>,
    /// Use only this test file; repeatable
    #[arg(long = "tests", value_name = "FILE")]
    pub tests: Vec<String>,
    /// Only tests whose names contain this
    #[arg(long, short = 'k', value_name = "WORD")]
    pub filter: Option<String>,
    /// pytest or unittest [default: detected]
    #[arg(long, value_name = "NAME", value_parser = ["pytest", "unittest"])]
    pub framework: Option<String>,
    /// Total time in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 120.0, value_parser = generation_seconds)]
    pub time: f64,
    /// At most this many mutants per file
    #[arg(long, value_name = "N", default_value_t = 400)]
    pub most: usize,
    /// The share of mutants that must be detected, from 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub least_score: Option<f64>,
    #[command(flatten)]
    pub environment: TestEnvironmentArguments,
}

fn generation_seconds(text: &str) -> Result<f64, String> {
    match text.trim_end_matches('s').parse::<f64>() {
        Ok(value) if (1.0..=160.0).contains(&value) => Ok(value),
        _ => Err("write seconds between 1 and 160".into()),
    }
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err("write a share between 0 and 1".into()),
    }
}

/// Seconds, with or without their unit.
pub fn seconds(text: &str) -> Result<f64, String> {
    match text.trim_end_matches('s').parse::<f64>() {
        Ok(value) if (0.1..=300.0).contains(&value) => Ok(value),
        _ => Err("write seconds between 0.1 and 300".into()),
    }
}
