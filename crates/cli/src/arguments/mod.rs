//! The command line as clap knows it: verbs, options, help texts.

#[cfg(feature = "agent")]
pub mod agent;
pub mod audit;
pub mod cache;
pub mod clones;
#[cfg(feature = "cluster")]
pub mod cluster;
pub mod diagnose;
pub mod environment;
pub mod fix;
#[cfg(feature = "docker")]
pub mod images;
pub mod inspect;
pub mod judge;
#[cfg(feature = "server")]
pub mod keys;
pub mod limits;
#[cfg(feature = "mcp")]
pub mod mcp;
pub mod packages;
pub mod patterns;
pub mod refactor;
pub mod refactorings;
pub mod review;
pub mod run;
#[cfg(feature = "server")]
pub mod serve;
pub mod session;
pub mod testing;
#[cfg(feature = "cluster")]
pub mod worker;

/// Declares what stands for the arguments of a verb that this build is without.
macro_rules! left_out {
    ($($feature:literal: $module:ident::$arguments:ident),* $(,)?) => {$(
        #[cfg(not(feature = $feature))]
        pub mod $module {
            pub use crate::left_out::Anything as $arguments;
        }
    )*};
}

left_out! {
    "agent": agent::AgentArguments,
    "docker": images::ImageArguments,
    "mcp": mcp::McpArguments,
    "server": keys::KeysArguments,
    "server": serve::ServeArguments,
    "cluster": worker::WorkerArguments,
}

/// What stands for the arguments of `cluster`, and for the options by which other verbs find one.
#[cfg(not(feature = "cluster"))]
pub mod cluster {
    pub use crate::left_out::Anything as ClusterVerbArguments;

    /// There is none to be reached.
    #[cfg(any(feature = "server", feature = "mcp"))]
    #[derive(Debug, Default, clap::Args)]
    pub struct ClusterArguments {}
}

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Runs untrusted code in a sandbox and reviews it: no Docker, no root, no daemon.
#[derive(Debug, Parser)]
#[command(name = "formicary", version, propagate_version = true, max_term_width = 100, after_help = EXAMPLES)]
#[command(subcommand_required = true, arg_required_else_help = false)]
pub struct CommandLine {
    #[command(flatten)]
    pub global: GlobalArguments,
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  formicary run -l python -c 'print(\"Hello\")'
  formicary run program.go -- first second
  echo 42 | formicary run --timeout 5s --memory 256MiB solve.cpp
  formicary judge solve.cpp --cases tests/
  formicary review --new main...HEAD
  formicary fix gcd.py --test 'python3 -m pytest test_gcd.py'
  formicary doctor

`formicary VERB --help` tells more; `formicary exit-codes` lists the exit codes.";

/// Options that every verb understands.
#[derive(Debug, Args)]
pub struct GlobalArguments {
    /// Prints JSON on stdout and nothing else
    #[arg(long, global = true)]
    pub json: bool,
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    pub color: Color,
    /// Sets one configuration value, above files and environment
    #[arg(long = "set", global = true, value_name = "KEY=VALUE", value_parser = key_and_value)]
    pub settings: Vec<(String, String)>,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Runs code in the sandbox
    Run(Box<run::RunArguments>),
    /// Judges programs against test cases
    Judge(Box<judge::JudgeArguments>),
    /// Keeps files and interpreter state between runs
    Session(session::SessionArguments),
    /// Is the session server; starts by itself
    #[command(name = crate::commands::session::SERVER_VERB, hide = true)]
    SessionServer,
    /// Works for a cluster: takes jobs from its queue
    Worker(Box<worker::WorkerArguments>),
    /// Tells how a cluster is doing; cancels, measures
    Cluster(cluster::ClusterVerbArguments),
    /// Tells why a program fails: where, what, why, what to try
    Diagnose(Box<diagnose::DiagnoseArguments>),
    /// Stops a program where you want and shows its stack and variables
    Inspect(Box<inspect::InspectArguments>),
    /// Reviews code: what is wrong, where, how bad, what to do
    Review(Box<review::ReviewArguments>),
    /// Tells whether a project, or a change of it, meets its gates
    Gate(review::GateArguments),
    /// Measures code
    Metrics(review::MetricsArguments),
    /// Lists the rules of a review, explains one, or tests pattern rules
    Rules(review::RulesArguments),
    /// Lists, fetches, builds or removes images of containers
    Images(images::ImageArguments),
    /// Lists or removes what is kept for the next time
    Cache(cache::CacheArguments),
    /// Reads the audit log: is it whole, what does it say, what may go
    Audit(audit::AuditArguments),
    /// Finds code by its shape
    Search(Box<patterns::SearchArguments>),
    /// Changes code by its shape: a diff first, then whole files, with a way back
    Rewrite(Box<patterns::RewriteArguments>),
    /// Renames, extracts or inlines where it is proven safe, and refuses where it is not
    Refactor(refactor::RefactorArguments),
    /// Lists what a project defines
    Symbols(patterns::SymbolsArguments),
    /// Tells who calls a function
    Callers(patterns::CallsArguments),
    /// Tells whom a function calls
    Callees(patterns::CallsArguments),
    /// Tells which file needs which
    Deps(patterns::DepsArguments),
    /// Finds copies of code: exact, renamed, edited, and the same work written differently
    Clones(clones::ClonesArguments),
    /// Says which refactorings a change consists of, and which lines they do not explain
    Refactorings(refactorings::RefactoringsArguments),
    /// Mends a program by its tests: finds a patch and proves it
    Fix(Box<fix::FixArguments>),
    /// Runs something, tells why it fails, finds a patch and proves it
    Debug(Box<fix::DebugArguments>),
    /// Serves everything over HTTP, with a page
    Serve(serve::ServeArguments),
    /// Makes, lists and revokes keys of the server's callers
    Keys(keys::KeysArguments),
    /// Serves everything as tools of a language model (MCP)
    Mcp(mcp::McpArguments),
    /// Runs the tests of a project
    Tests(testing::TestsArguments),
    /// Lets a model solve a task: it writes, the sandbox runs, the result is judged
    Agent(Box<agent::AgentArguments>),
    /// Lists the languages and whether they can run here
    #[command(after_help = "Example:\n  formicary languages --json")]
    Languages,
    /// Tells what this host offers, what is missing, and how to get it
    #[command(
        after_help = "Exit code 0 where untrusted code can be isolated, 122 where it cannot.\n\nExamples:\n  formicary doctor\n  formicary doctor --details"
    )]
    Doctor {
        /// Shows every fact, provider, protection, language and debugger
        #[arg(long)]
        details: bool,
    },
    /// Shows every setting with its value and its origin
    #[command(after_help = CONFIG_HELP)]
    Config(ConfigArguments),
    /// Prints a completion script for a shell
    #[command(
        after_help = "Example:\n  formicary completions bash > ~/.local/share/bash-completion/completions/formicary"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Prints the manual page, or writes all pages into a folder
    #[command(
        after_help = "Examples:\n  formicary man | man -l -\n  formicary man /usr/local/share/man/man1"
    )]
    Man {
        /// Where to write the pages
        folder: Option<PathBuf>,
    },
    /// Lists the exit codes
    #[command(name = "exit-codes", visible_alias = "exits", after_help = crate::commands::exit_codes::table())]
    ExitCodes,
    /// Tells the version, with details
    Version,
}

impl Command {
    /// Whether the compile cache is not wanted.
    pub fn without_cache(&self) -> bool {
        match self {
            Self::Run(arguments) => arguments.no_cache,
            Self::Judge(arguments) => arguments.no_cache,
            _ => false,
        }
    }
}

const CONFIG_HELP: &str = "\
Later sources win: built-in, /etc/formicary/config.toml, ~/.config/formicary/config.toml,
the nearest formicary.toml (it may only make protection stricter), FORMICARY_* variables,
--set KEY=VALUE.

Examples:
  formicary config
  formicary config --path
  formicary config --set limits.wall_seconds=5s";

/// Options of `config`.
#[derive(Debug, Args)]
pub struct ConfigArguments {
    /// Lists the files that were looked for
    #[arg(long)]
    pub path: bool,
    /// Prints the reference of all settings as Markdown
    #[arg(long, conflicts_with_all = ["path", "json"])]
    pub reference: bool,
}

fn key_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.trim().to_owned(), value.trim().to_owned())),
        _ => Err("write KEY=VALUE, as in limits.wall_seconds=5s".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_consistent() {
        CommandLine::command().debug_assert();
    }
}
