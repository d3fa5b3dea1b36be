//! The options of `formicary diagnose`.

use super::environment::StartArguments;
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;

/// Options of `diagnose`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct DiagnoseArguments {
    /// A program or directory to run, a log to read, or - for a log on stdin
    #[arg(value_name = "FILE|DIR|-", conflicts_with = "code")]
    pub path: Option<PathBuf>,
    /// The code to run
    #[arg(long, short = 'c', value_name = "CODE", allow_hyphen_values = true)]
    pub code: Option<OsString>,
    /// The language of the program or log [default: detected]
    #[arg(long, short = 'l', value_name = "LANG")]
    pub language: Option<String>,
    /// Read the file as a log, whatever its name
    #[arg(long, conflicts_with_all = ["code", "command"])]
    pub log: bool,
    /// A source file that the log mentions, to show its lines; repeatable
    #[arg(long = "source", value_name = "FILE")]
    pub sources: Vec<PathBuf>,
    /// A shell command to run in the directory instead
    #[arg(long, value_name = "COMMAND", allow_hyphen_values = true)]
    pub command: Option<String>,
    #[command(flatten)]
    pub start: StartArguments,
}

const EXAMPLES: &str = "\
A file with a language's extension is run in the sandbox; any other file is read as a log.
Exit code 0 if the program succeeds, 1 if an error was found, 3 if a log holds no known error.

Examples:
  formicary diagnose app.py
  formicary diagnose . --command 'python3 -m pytest -q'
  formicary diagnose build.log --source src/main.rs
  make 2>&1 | formicary diagnose -";
