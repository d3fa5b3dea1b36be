//! The options of `formicary session`.

use super::limits::{LimitArguments, number};
use super::packages::PackageArguments;
use super::run::{level, mount, network, variable};
use clap::{Args, Subcommand};
use formicary_model::{Level, Mount, Network};
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
folder and environment. It lives on between commands, and ends when it has been idle for too long.

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
    /// Makes a session and prints its name
    New(Box<NewArguments>),
    /// Runs a cell in a session
    Run(CellArguments),
    /// Interrupts the cell that runs; state is kept
    #[command(after_help = "Example:\n  formicary session interrupt work")]
    Interrupt {
        /// The session
        id: String,
    },
    /// Lists the files of a session
    #[command(after_help = "Example:\n  formicary session files work --json")]
    Files {
        /// The session
        id: String,
    },
    /// Copies files into a session's working folder
    #[command(
        after_help = "Examples:\n  formicary session put work data.csv more.csv\n  formicary session put work local.txt --as inside/name.txt"
    )]
    Put {
        /// The session
        id: String,
        /// The files
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// The path inside, for a single file
        #[arg(long = "as", value_name = "PATH")]
        name: Option<String>,
    },
    /// Copies a file out of a session's working folder
    #[command(
        after_help = "Examples:\n  formicary session get work result.txt\n  formicary session get work plot.png --out plot.png"
    )]
    Get {
        /// The session
        id: String,
        /// The path inside
        path: String,
        /// Where to write it; stdout where absent
        #[arg(long, short = 'o', value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Removes files of a session's working folder
    #[command(after_help = "Example:\n  formicary session remove work data.csv old/plot.png")]
    Remove {
        /// The session
        id: String,
        /// The paths inside
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<String>,
    },
    /// Lists the sessions
    #[command(after_help = "Example:\n  formicary session list --json")]
    List,
    /// Forgets variables, functions and background work; files are kept
    #[command(after_help = "Example:\n  formicary session reset work")]
    Reset {
        /// The session
        id: String,
    },
    /// Ends a session; its files are gone with it
    #[command(after_help = "Examples:\n  formicary session close work\n  formicary session close --all")]
    Close {
        /// The session
        #[arg(required_unless_present = "all", conflicts_with = "all")]
        id: Option<String>,
        /// All of them
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
    /// The session's name; made up where absent
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    pub id: Option<String>,
    /// Ends it after this time without a cell and without background work
    #[arg(long, value_name = "DURATION", value_parser = number(key!(sessions.idle_seconds)))]
    pub idle: Option<f64>,
    /// An environment variable; repeatable
    #[arg(long = "env", short = 'e', value_name = "NAME=VALUE", value_parser = variable)]
    pub env: Vec<(String, String)>,
    /// A Python virtual environment whose packages cells may import
    #[arg(long, value_name = "DIR")]
    pub venv: Option<PathBuf>,

    /// What cells see of the network: none or host
    #[arg(long, value_name = "POLICY", help_heading = "Protection", value_parser = network)]
    pub network: Option<Network>,
    /// Makes a host path visible inside, read-only unless :rw; repeatable
    #[arg(long = "mount", value_name = "HOST:GUEST[:ro|rw]", help_heading = "Protection", value_parser = mount)]
    pub mounts: Vec<Mount>,
    /// Insists on a mount that is refused otherwise; repeatable
    #[arg(long = "insist-mount", value_name = "HOST", help_heading = "Protection")]
    pub insist_on_mounts: Vec<String>,
    /// The protection level that must hold: none, limited, isolated or full
    #[arg(long, value_name = "LEVEL", help_heading = "Protection", value_parser = level, conflicts_with = "best_effort")]
    pub require: Option<Level>,
    /// Runs with whatever protection this host offers
    #[arg(long, help_heading = "Protection")]
    pub best_effort: bool,
    /// The isolation provider
    #[arg(long, value_name = "NAME", help_heading = "Protection")]
    pub provider: Option<String>,
    /// An image of containers whose tools are used instead of the host's, or default
    #[arg(long, value_name = "IMAGE", help_heading = "Protection")]
    pub image: Option<String>,

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
    /// Where to write figures and other displays
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Arguments for the program, in languages without a live interpreter
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<String>,
}

/// Options of the session server, which starts itself.
#[derive(Debug, Args)]
pub struct ServerArguments {}
