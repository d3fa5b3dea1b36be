//! The options of `formicary agent`.

use clap::{Args, Subcommand};
use formicary_model::review::Severity;
use std::path::PathBuf;

const HELP: &str = "\
A model writes files, the sandbox runs them, and the model gets the errors back until the result is
accepted or a budget is used up. Acceptance is decided by --expect, --test and --check, in this order;
without any of them, by the model's own judgment of a real run. Programs have no network. Your
directory is copied; it changes only with --apply. Every step is recorded and can be replayed.

Exit codes: 0 solved, 1 gave up, 10 steps, 11 attempts, 12 time, 13 tokens, 14 money, 15 sandbox
time, 16 repetition, 17 model not reachable, 18 a human is needed, 19 rejected by review.

Examples:
  formicary agent --model openai:gpt-4o \"print the first ten primes, one a line\"
  formicary agent --in . --test 'python3 -m pytest' --apply \"make the tests pass\"
  formicary agent --set llm.base_url=http://127.0.0.1:8080/v1 --model openai:local \"sort stdin\"
  formicary agent --task-file task.md --expect out.txt --out solution
  formicary agent list
  formicary agent resume last
  formicary agent show last --html run.html";

/// Options of `agent`.
#[derive(Debug, Args)]
#[command(after_help = HELP, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct AgentArguments {
    #[command(subcommand)]
    pub verb: Option<AgentVerb>,
    #[command(flatten)]
    pub start: StartArguments,
}

/// What can be done with runs.
#[derive(Debug, Subcommand)]
pub enum AgentVerb {
    /// Resume a run that was stopped
    #[command(after_help = "Example:\n  formicary agent resume last")]
    Resume {
        /// The run, a prefix of its name, or last
        id: String,
        #[command(flatten)]
        result: ResultArguments,
    },
    /// Replay a run from its transcript, without model or sandbox, and compare
    #[command(after_help = "Example:\n  formicary agent replay last")]
    Replay {
        /// The run, a prefix of its name, or last
        id: String,
    },
    /// Show a run step by step
    #[command(
        after_help = "Examples:\n  formicary agent show last\n  formicary agent show last --html run.html"
    )]
    Show {
        /// The run, a prefix of its name, or last
        id: String,
        /// Write it as an HTML page
        #[arg(long, value_name = "FILE")]
        html: Option<PathBuf>,
    },
    /// List the runs, newest first
    #[command(after_help = "Example:\n  formicary agent list --json")]
    List,
}

/// Options of a new run.
#[derive(Debug, Args)]
pub struct StartArguments {
    /// The task
    #[arg(value_name = "TASK")]
    pub task: Option<String>,
    /// Read the task from a file; - for stdin
    #[arg(long, value_name = "FILE", conflicts_with = "task")]
    pub task_file: Option<PathBuf>,
    /// The model: openai:NAME, responses:NAME, anthropic:NAME, gemini:NAME, recorded:FILE
    #[arg(long, short, value_name = "MODEL")]
    pub model: Option<String>,
    /// Record the model's answers to a file, for recorded:FILE
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Work on a copy of this directory
    #[arg(long = "in", value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// A test command that must pass
    #[arg(long, value_name = "COMMAND")]
    pub test: Option<String>,
    /// A file with the expected output
    #[arg(long, value_name = "FILE")]
    pub expect: Option<PathBuf>,
    /// A file with the stdin that goes with --expect
    #[arg(long, value_name = "FILE", requires = "expect")]
    pub stdin: Option<PathBuf>,
    /// A script that must accept the workspace; the model never sees it
    #[arg(long, value_name = "FILE")]
    pub check: Option<PathBuf>,
    /// The command that runs the program
    #[arg(long, value_name = "COMMAND")]
    pub run: Option<String>,
    /// At most this many model answers
    #[arg(long, value_name = "N")]
    pub steps: Option<u32>,
    /// At most this many rejected proposals
    #[arg(long, value_name = "N")]
    pub attempts: Option<u32>,
    /// Total time in seconds
    #[arg(long, value_name = "SECONDS", value_parser = positive)]
    pub time: Option<f64>,
    /// At most this many tokens
    #[arg(long, value_name = "N")]
    pub tokens: Option<u64>,
    /// At most this cost, by llm.prices
    #[arg(long, value_name = "AMOUNT", value_parser = positive)]
    pub money: Option<f64>,
    /// At most this many seconds of programs in the sandbox
    #[arg(long, value_name = "SECONDS", value_parser = positive)]
    pub sandbox_time: Option<f64>,
    /// Packages that may be installed, comma-separated
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub allow_packages: Vec<String>,
    /// Allow changes to existing tests; weakening them is still refused
    #[arg(long)]
    pub allow_test_edits: bool,
    /// Do not try the repair that needs no model
    #[arg(long)]
    pub no_fixer: bool,
    /// Reject new findings from this severity: critical, high, medium, low or off
    #[arg(long, value_name = "SEVERITY", default_value = "critical", value_parser = gate)]
    pub gate: Gate,
    /// Let the model ask you questions
    #[arg(long)]
    pub ask: bool,
    #[command(flatten)]
    pub result: ResultArguments,
}

/// What is done with the result.
#[derive(Debug, Args)]
pub struct ResultArguments {
    /// Write the files to this directory
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Apply the solution to the directory of --in
    #[arg(long)]
    pub apply: bool,
    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
}

/// From which severity findings do not pass.
#[derive(Debug, Clone, Copy)]
pub struct Gate(pub Option<Severity>);

fn gate(text: &str) -> Result<Gate, String> {
    match (text, Severity::from_word(text)) {
        ("off", _) => Ok(Gate(None)),
        (_, Some(severity)) => Ok(Gate(Some(severity))),
        _ => Err("write critical, high, medium, low, info or off".into()),
    }
}

fn positive(text: &str) -> Result<f64, String> {
    match text.trim_end_matches('s').parse::<f64>() {
        Ok(value) if value.is_finite() && value > 0.0 => Ok(value),
        _ => Err("write a number above 0".into()),
    }
}
