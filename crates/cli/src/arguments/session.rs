//! The options of `formicary session`.

use super::environment::{ProtectionArguments, variable};
use super::limits::{LimitArguments, number};
use super::packages::PackageArguments;
use clap::{Args, Subcommand};
use formicary_platform::key;
use std::ffi::OsString;
use std::path::PathBuf;

/// Options of `session`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, subcommand_required = true, arg_required_else_help = false)]
pub struct SessionArguments {
    #[command(subcommand)]
    pub verb: SessionVerb,
}

const EXAMPLES: &str = "\
A session keeps its files and, for Python, JavaScript and Bash, its variables, imports, functions,
working directory and environment between commands. It closes when it has been idle for too long.

Examples:
  formicary session new python --id work
  formicary session run work -c 'x = 6 * 7'
  formicary session run work -c 'x'
  formicary session put work data.csv
  formicary session get work plot.png --out plot.png
  formicary session close work";

/// What can be done with sessions.
#[derive(Debug, Subcommand)]
pub enum SessionVerb {
    /// Create a session and print its name
    New(Box<NewArguments>),
    /// Run a cell in a session
    Run(CellArguments),
    /// Interrupt the running cell; state is kept
    #[command(after_help = "Example:\n  formicary session interrupt work")]
    Interrupt {
        /// The session
        id: String,
    },
    /// List a session's files
    #[command(after_help = "Example:\n  formicary session files work --json")]
    Files {
        /// The session
        id: String,
    },
    /// Copy files into a session's working directory
    #[command(
        after_help = "Examples:\n  formicary session put work data.csv more.csv\n  formicary session put work local.txt --as inside/name.txt"
    )]
    Put {
        /// The session
        id: String,
        /// The files
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// The path in the session, for a single file
        #[arg(long = "as", value_name = "PATH")]
        name: Option<String>,
    },
    /// Copy a file out of a session's working directory
    #[command(
        after_help = "Examples:\n  formicary session get work result.txt\n  formicary session get work plot.png --out plot.png"
    )]
    Get {
        /// The session
        id: String,
        /// The path in the session
        path: String,
        /// The output file [default: stdout]
        #[arg(long, short = 'o', value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Remove files from a session's working directory
    #[command(after_help = "Example:\n  formicary session remove work data.csv old/plot.png")]
    Remove {
        /// The session
        id: String,
        /// The paths in the session
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<String>,
    },
    /// List the sessions
    #[command(after_help = "Example:\n  formicary session list --json")]
    List,
    /// Reset variables, functions and background work; keep files
    #[command(after_help = "Example:\n  formicary session reset work")]
    Reset {
        /// The session
        id: String,
    },
    /// Close a session and remove its files
    #[command(after_help = "Examples:\n  formicary session close work\n  formicary session close --all")]
    Close {
        /// The session
        #[arg(required_unless_present = "all", conflicts_with = "all")]
        id: Option<String>,
        /// All sessions
        #[arg(long)]
        all: bool,
    },
}

/// Options of `session new`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  formicary session new python\n  formicary session new js --id web --memory 1GiB --timeout 60s\n  formicary session new python --venv ~/.venvs/plots --idle 2h\n  formicary session new python --requirements numpy,pandas"
)]
pub struct NewArguments {
    /// The language
    #[arg(value_name = "LANG", default_value = "python")]
    pub language: String,
    /// The session's name [default: generated]
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    pub id: Option<String>,
    /// Close it after this time without cells or background work
    #[arg(long, value_name = "DURATION", value_parser = number(key!(sessions.idle_seconds)))]
    pub idle: Option<f64>,
    /// An environment variable; repeatable
    #[arg(long = "env", short = 'e', value_name = "NAME=VALUE", value_parser = variable)]
    pub env: Vec<(String, String)>,
    /// A Python virtual environment whose packages cells may import
    #[arg(long, value_name = "DIR")]
    pub venv: Option<PathBuf>,

    #[command(flatten)]
    pub protection: ProtectionArguments,
    #[command(flatten)]
    pub packages: PackageArguments,
    #[command(flatten)]
    pub limits: LimitArguments,
}

/// Options of `session run`.
#[derive(Debug, Args)]
#[command(
    after_help = "The last expression's value is printed after the output. Ctrl-C interrupts the cell and keeps the state.\n\nExamples:\n  formicary session run work -c 'import math; math.pi'\n  formicary session run work cell.py --timeout 2m\n  echo 'print(1)' | formicary session run work -\n  formicary session run work -c 'plt.plot([1, 2])' --out figures"
)]
pub struct CellArguments {
    /// The session
    pub id: String,
    /// A file, or - for code on stdin
    #[arg(value_name = "FILE|-", conflicts_with = "code")]
    pub path: Option<PathBuf>,
    /// The code itself
    #[arg(long, short = 'c', value_name = "CODE", allow_hyphen_values = true)]
    pub code: Option<OsString>,
    /// Wall-clock time of this cell
    #[arg(long, short = 't', value_name = "DURATION", value_parser = number(key!(limits.wall_seconds)), allow_hyphen_values = true)]
    pub timeout: Option<f64>,
    /// The directory for figures and other rich output
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Arguments for the program, in languages without a live interpreter
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<String>,
}

/// Options of the session server, which starts itself.
#[derive(Debug, Args)]
pub struct ServerArguments {}
