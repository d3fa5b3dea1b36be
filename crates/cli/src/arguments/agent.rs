//! The options of `formicary agent`.

use clap::{Args, Subcommand};
use formicary_model::review::Severity;
use std::path::PathBuf;

const HELP: &str = "\
A model writes files, the sandbox runs them, the result is judged, and the model is told what is
wrong, until it is accepted or a budget is used up. What counts, in this order: --expect, --test,
--check; without any of them the model's own judgement of a real run. Programs have no network.
Your folder is copied; it changes only with --apply. Every step is kept and can be replayed.

Exit codes: 0 solved, 1 gave up, 10 steps, 11 attempts, 12 time, 13 tokens, 14 money, 15 sandbox
time, 16 circles, 17 model not reachable, 18 a human is needed, 19 the review does not let it pass.

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
    /// Goes on with a run that was stopped
    #[command(after_help = "Example:\n  formicary agent resume last")]
    Resume {
        /// The run, the beginning of its name, or last
        id: String,
        #[command(flatten)]
        result: ResultArguments,
    },
    /// Computes a run anew from its transcript, without model and sandbox, and compares
    #[command(after_help = "Example:\n  formicary agent replay last")]
    Replay {
        /// The run, the beginning of its name, or last
        id: String,
    },
    /// Shows a run step by step
    #[command(
        after_help = "Examples:\n  formicary agent show last\n  formicary agent show last --html run.html"
    )]
    Show {
        /// The run, the beginning of its name, or last
        id: String,
        /// Writes it as a page
        #[arg(long, value_name = "FILE")]
        html: Option<PathBuf>,
    },
    /// Lists the runs, the newest first
    #[command(after_help = "Example:\n  formicary agent list --json")]
    List,
}

/// Options of a new run.
#[derive(Debug, Args)]
pub struct StartArguments {
    /// The task
    #[arg(value_name = "TASK")]
    pub task: Option<String>,
    /// A file with the task; - for stdin
    #[arg(long, value_name = "FILE", conflicts_with = "task")]
    pub task_file: Option<PathBuf>,
    /// openai:NAME, responses:NAME, anthropic:NAME, gemini:NAME, recorded:FILE
    #[arg(long, short, value_name = "MODEL")]
    pub model: Option<String>,
    /// Keeps the model's answers in a file, for recorded:FILE
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Works on a copy of this folder
    #[arg(long = "in", value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// A test command that must pass
    #[arg(long, value_name = "COMMAND")]
    pub test: Option<String>,
    /// A file with the output that the program must give
    #[arg(long, value_name = "FILE")]
    pub expect: Option<PathBuf>,
    /// A file with the input that goes with --expect
    #[arg(long, value_name = "FILE", requires = "expect")]
    pub stdin: Option<PathBuf>,
    /// A script that must accept the workspace; the model never sees it
    #[arg(long, value_name = "FILE")]
    pub check: Option<PathBuf>,
    /// How the program is run
    #[arg(long, value_name = "COMMAND")]
    pub run: Option<String>,
    /// Answers of the model at the most
    #[arg(long, value_name = "N")]
    pub steps: Option<u32>,
    /// Proposals at the most that do not pass
    #[arg(long, value_name = "N")]
    pub attempts: Option<u32>,
    /// Seconds in all
    #[arg(long, value_name = "SECONDS", value_parser = positive)]
    pub time: Option<f64>,
    /// Tokens at the most
    #[arg(long, value_name = "N")]
    pub tokens: Option<u64>,
    /// Money at the most, by llm.prices
    #[arg(long, value_name = "AMOUNT", value_parser = positive)]
    pub money: Option<f64>,
    /// Seconds of programs in the sandbox at the most
    #[arg(long, value_name = "SECONDS", value_parser = positive)]
    pub sandbox_time: Option<f64>,
    /// Packages that may be installed, with commas between
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub allow_packages: Vec<String>,
    /// Tests that are there may be changed; never weakened
    #[arg(long)]
    pub allow_test_edits: bool,
    /// Does not let the fixer try that needs no model
    #[arg(long)]
    pub no_fixer: bool,
    /// New findings of this severity do not pass: critical, high, medium, low or off
    #[arg(long, value_name = "SEVERITY", default_value = "critical", value_parser = gate)]
    pub gate: Gate,
    /// The model may ask you questions
    #[arg(long)]
    pub ask: bool,
    #[command(flatten)]
    pub result: ResultArguments,
}

/// What is done with the result.
#[derive(Debug, Args)]
pub struct ResultArguments {
    /// Writes the files into this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Changes the folder of --in, where it is solved
    #[arg(long)]
    pub apply: bool,
    /// Shows no progress
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
