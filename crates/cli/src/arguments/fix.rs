//! Options of `fix` and `debug`.

use clap::Args;
use std::path::PathBuf;

const FIX_HELP: &str = "\
The tests decide: a command that fails where a test fails, a file of tests, or an expected output.
Patches are found by search, judged in the sandbox, and verified by the real tests in fresh ones.
Files of tests are never changed, and nothing is written without --write.

Exit code 0 where a verified patch was found or nothing is wrong, 1 where no patch was found.

Examples:
  formicary fix gcd.py --test 'python3 -m pytest test_gcd.py'
  formicary fix sort.js --test 'node test.js' --time 60 --json
  formicary fix sum.py --stdin in.txt --expect out.txt
  formicary fix flatten.py --tests cases.json --write
  formicary fix . --test 'go test ./...'";

/// Options of `fix`.
#[derive(Debug, Args)]
#[command(after_help = FIX_HELP)]
pub struct FixArguments {
    /// The file or folder to mend
    #[arg(value_name = "FILE|DIR")]
    pub target: PathBuf,
    /// The test command; it fails where a test fails
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["tests", "expect"])]
    pub test: Option<String>,
    /// A file of tests, or of JSON cases: [[ARGUMENT, …], RESULT] each
    #[arg(long, value_name = "FILE", conflicts_with = "expect")]
    pub tests: Option<PathBuf>,
    /// A file with the output that the program should give
    #[arg(long, value_name = "FILE")]
    pub expect: Option<PathBuf>,
    /// A file with the input that goes with --expect
    #[arg(long, value_name = "FILE", requires = "expect")]
    pub stdin: Option<PathBuf>,
    /// Writes the best verified patch into the tree
    #[arg(long)]
    pub write: bool,
    /// Judges at most so many candidates
    #[arg(long, value_name = "N", default_value_t = 60_000)]
    pub max_attempts: usize,
    /// Seconds to spend
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds)]
    pub time: f64,
    /// Shows no progress
    #[arg(long, short)]
    pub quiet: bool,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.trim_end_matches('s').parse::<f64>() {
        Ok(value) if (1.0..=3600.0).contains(&value) => Ok(value),
        _ => Err("write seconds between 1 and 3600".into()),
    }
}
