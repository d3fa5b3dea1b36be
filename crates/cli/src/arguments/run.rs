//! The options of `formicary run`.

use super::cluster::ClusterArguments;
use super::environment::{ProtectionArguments, variable};
use super::limits::LimitArguments;
use super::packages::PackageArguments;
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;

/// Options of `run`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct RunArguments {
    /// A file, a directory, or - for code on stdin
    #[arg(value_name = "FILE|DIR|-", conflicts_with = "code")]
    pub path: Option<PathBuf>,
    /// The code itself
    #[arg(long, short = 'c', value_name = "CODE", allow_hyphen_values = true)]
    pub code: Option<OsString>,
    /// The language [default: detected from name and content]
    #[arg(long, short = 'l', value_name = "LANG")]
    pub language: Option<String>,
    /// Arguments for the program
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<String>,

    /// The file of the directory to run
    #[arg(long, value_name = "FILE", help_heading = "Program")]
    pub entry: Option<String>,
    /// A shell command to run in the directory instead
    #[arg(long, value_name = "COMMAND", help_heading = "Program", allow_hyphen_values = true)]
    pub command: Option<String>,
    /// A compiler flag, as in --flag=-std=c++20; repeatable
    #[arg(long = "flag", value_name = "FLAG", help_heading = "Program", allow_hyphen_values = true)]
    pub flags: Vec<String>,
    /// An environment variable for the program; repeatable
    #[arg(long = "env", short = 'e', value_name = "NAME=VALUE", help_heading = "Program", value_parser = variable)]
    pub env: Vec<(String, String)>,
    /// A Python virtual environment whose packages the program may import
    #[arg(long, value_name = "DIR", help_heading = "Program")]
    pub venv: Option<PathBuf>,
    /// Compile without reading or writing the cache
    #[arg(long, help_heading = "Program")]
    pub no_cache: bool,
    /// The session to run in
    #[arg(long, value_name = "ID", help_heading = "Program")]
    pub session: Option<String>,

    /// Read the program's stdin from a file
    #[arg(long, value_name = "FILE", help_heading = "Input and output", conflicts_with = "interactive")]
    pub stdin_file: Option<PathBuf>,
    /// Pass the terminal's stdin to the program; piped stdin always is
    #[arg(long, short = 'i', help_heading = "Input and output")]
    pub interactive: bool,
    /// Collect files that match, as in --collect '*.png'; repeatable
    #[arg(long = "collect", value_name = "GLOB", help_heading = "Input and output")]
    pub collect: Vec<String>,
    /// The directory for collected files
    #[arg(long, value_name = "DIR", help_heading = "Input and output", requires = "collect")]
    pub out: Option<PathBuf>,
    /// Write every event of the run to a file, one JSON line each
    #[arg(long, value_name = "FILE", help_heading = "Input and output")]
    pub events: Option<PathBuf>,
    /// Print only the program's output
    #[arg(long, short = 'q', help_heading = "Input and output")]
    pub quiet: bool,
    /// Omit the summary line
    #[arg(long, help_heading = "Input and output")]
    pub no_summary: bool,

    #[command(flatten)]
    pub protection: ProtectionArguments,
    #[command(flatten)]
    pub cluster: ClusterArguments,
    #[command(flatten)]
    pub packages: PackageArguments,
    #[command(flatten)]
    pub limits: LimitArguments,
}

const EXAMPLES: &str = "\
Examples:
  formicary run -l python -c 'print(\"Hello\")'
  formicary run program.py -- first second
  echo 'console.log(1)' | formicary run -l js -
  formicary run solve.cpp --flag=-std=c++20 --stdin-file input.txt
  formicary run project/ --entry src/main.py
  formicary run project/ --command 'make test'
  formicary run plot.py --venv ~/.venvs/plots --collect '*.png' --out .
  formicary run plot.py --requirements numpy,pandas
  formicary run app/ --requirements app/requirements.txt
  formicary run -l bash -c 'yes' --timeout 2s --json

The exit code is the program's; `formicary exit-codes` lists Formicary's own.";
