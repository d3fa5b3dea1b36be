//! The options of `formicary inspect`.

use super::environment::StartArguments;
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;

/// Options of `inspect`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct InspectArguments {
    /// A program or directory to run
    #[arg(value_name = "FILE|DIR", conflicts_with = "code", required_unless_present = "code")]
    pub path: Option<PathBuf>,
    /// The code to run
    #[arg(long, short = 'c', value_name = "CODE", allow_hyphen_values = true)]
    pub code: Option<OsString>,
    /// The language of the program [default: detected]
    #[arg(long, short = 'l', value_name = "LANG")]
    pub language: Option<String>,
    /// A breakpoint: FILE:LINE, LINE or FUNCTION, optionally followed by " if CONDITION"; repeatable
    #[arg(long = "break", short = 'b', value_name = "PLACE")]
    pub breakpoints: Vec<String>,
    /// A logpoint: its text is printed with the value of each {expression}; repeatable
    #[arg(long = "log", value_name = "PLACE=TEXT")]
    pub logs: Vec<String>,
    /// Expressions to evaluate at every stop, comma-separated
    #[arg(long, short = 'p', value_name = "EXPR,…", value_delimiter = ',')]
    pub print: Vec<String>,
    /// Also stop at exceptions that the program catches
    #[arg(long)]
    pub every_exception: bool,
    /// End the program after this many stops
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub stops: u32,
    /// Prompt for commands at every stop
    #[arg(long, short = 'i', conflicts_with_all = ["print", "stops"])]
    pub interactive: bool,
    /// The debugger: bdb, debugpy, gdb, lldb or delve [default: by language]
    #[arg(long, value_name = "NAME")]
    pub adapter: Option<String>,
    /// A Python virtual environment whose packages program and debugger may import
    #[arg(long, value_name = "DIR")]
    pub venv: Option<PathBuf>,
    #[command(flatten)]
    pub start: StartArguments,
}

const EXAMPLES: &str = "\
Program and debugger run in the sandbox, without a network. The program also stops at what ends it (an
uncaught exception, a panic, a signal), so that without --break the point of failure is shown.
Python, JavaScript, Java and Bash need no debugger; C, C++ and Rust need gdb or lldb-19, Go needs
delve or gdb.

Examples:
  formicary inspect app.py --break app.py:12 --print x,len(items)
  formicary inspect app.py --break 'Shop.total if n == 2'
  formicary inspect main.go --log 'main.go:20=count is {count}'
  formicary inspect crash.c
  formicary inspect crash.rs --adapter lldb
  formicary inspect -i app.js";
