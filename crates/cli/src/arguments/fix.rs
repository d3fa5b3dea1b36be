//! Options of `fix` and `debug`.

use super::packages::PackageArguments;
use clap::Args;
use std::path::PathBuf;

const FIX_HELP: &str = "\
The tests decide: a command that fails when a test fails, a file of tests, or an expected output.
Patches are found by search, judged in the sandbox, and verified by the real tests in a new one.
Test files are never changed, and nothing is written without --write.

Exit code 0 if a verified patch was found, 1 if not, 3 if nothing is wrong.

Examples:
  formicary fix gcd.py --test 'python3 -m pytest test_gcd.py'
  formicary fix sort.js --test 'node test.js' --time 60 --json
  formicary fix sum.py --stdin in.txt --expect out.txt
  formicary fix flatten.py --tests cases.json --write
  formicary fix . --test 'go test ./...'
  formicary fix app.py --install
  formicary fix . --test 'npm test' --model openai:gpt-4o --html report.html";

const DEBUG_HELP: &str = "\
Runs it, explains the failure with the variables at that point, and looks for a patch. Without tests
or an expected output patches are only suggested. An argument that is neither a file nor a directory
is a command; it runs in the current directory.

Exit code 0 if a verified patch was found, 1 if not, 3 if nothing is wrong.

Examples:
  formicary debug app.py
  formicary debug 'python3 -m pytest -x' --write
  formicary debug --code 'print(lenght([1]))' --language python
  formicary debug . --html report.html";

/// Options of `fix`.
#[derive(Debug, Args)]
#[command(after_help = FIX_HELP)]
pub struct FixArguments {
    /// The file or directory to repair
    #[arg(value_name = "FILE|DIR")]
    pub target: PathBuf,
    #[command(flatten)]
    pub mending: MendingArguments,
}

/// Options of `debug`.
#[derive(Debug, Args)]
#[command(after_help = DEBUG_HELP)]
pub struct DebugArguments {
    /// A file, a directory, or a failing command
    #[arg(value_name = "FILE|DIR|COMMAND", required_unless_present = "code")]
    pub what: Option<String>,
    /// A code snippet instead
    #[arg(long, short = 'c', value_name = "CODE", conflicts_with = "what")]
    pub code: Option<String>,
    /// The snippet's language
    #[arg(long, short = 'l', value_name = "LANGUAGE", requires = "code")]
    pub language: Option<String>,
    #[command(flatten)]
    pub mending: MendingArguments,
}

/// What both share.
#[derive(Debug, Args)]
pub struct MendingArguments {
    /// The test command; it must fail when a test fails
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["tests", "expect"])]
    pub test: Option<String>,
    /// A file of tests, or of JSON cases: [[ARGUMENT, …], RESULT] each
    #[arg(long, value_name = "FILE", conflicts_with = "expect")]
    pub tests: Option<PathBuf>,
    /// A file with the expected output
    #[arg(long, value_name = "FILE")]
    pub expect: Option<PathBuf>,
    /// A file with the stdin that goes with --expect
    #[arg(long, value_name = "FILE", requires = "expect")]
    pub stdin: Option<PathBuf>,
    /// Write the best verified patch to the files
    #[arg(long)]
    pub write: bool,
    /// Judge at most this many candidates
    #[arg(long, value_name = "N", default_value_t = 60_000)]
    pub max_attempts: usize,
    /// Time budget in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds)]
    pub time: f64,
    /// Write the report as an HTML page
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Install missing Python packages that the program imports
    #[arg(long)]
    pub install: bool,
    #[command(flatten)]
    pub packages: PackageArguments,
    #[command(flatten)]
    pub model: ModelArguments,
    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
}

/// A model that is asked where rules and search find nothing.
#[derive(Debug, Args)]
#[command(next_help_heading = "Language model")]
pub struct ModelArguments {
    /// Ask this model if remedies and search find nothing: openai:NAME, anthropic:NAME, recorded:FILE, …
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// Record the model's answers to a file, for recorded:FILE
    #[arg(long, value_name = "FILE", requires = "model")]
    pub record: Option<PathBuf>,
    /// Ask it at most this many times
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=50))]
    pub rounds: u32,
    /// Token budget
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    pub tokens: u64,
    /// Cost budget, in the currency of llm.prices
    #[arg(long, value_name = "AMOUNT", requires = "model")]
    pub money: Option<f64>,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.trim_end_matches('s').parse::<f64>() {
        Ok(value) if (1.0..=3600.0).contains(&value) => Ok(value),
        _ => Err("write seconds between 1 and 3600".into()),
    }
}
