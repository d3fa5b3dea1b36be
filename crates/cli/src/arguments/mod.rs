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
pub mod groups;
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

    /// A cluster that cannot be reached.
    #[derive(Debug, Default, clap::Args)]
    pub struct ClusterArguments {
        #[arg(long = "cluster", value_name = "URL", hide = true)]
        pub url: Option<String>,
    }
}

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Run, review and debug untrusted code in a sandbox, without Docker or root.
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

See `formicary COMMAND --help` for a command.";

/// Options of every command.
#[derive(Debug, Args)]
pub struct GlobalArguments {
    /// Print JSON on stdout and nothing else
    #[arg(long, global = true)]
    pub json: bool,
    /// When to use colors
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    pub color: Color,
    /// Set a configuration value, above all other sources
    #[arg(long = "set", global = true, value_name = "KEY=VALUE", value_parser = key_and_value)]
    pub settings: Vec<(String, String)>,
}

/// When to use colors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run code in the sandbox
    Run(Box<run::RunArguments>),
    /// Judge programs against test cases
    Judge(Box<judge::JudgeArguments>),
    /// Keep files and interpreter state between runs
    Session(session::SessionArguments),
    /// Run the session server (started automatically)
    #[command(name = crate::commands::session::SERVER_VERB, hide = true)]
    SessionServer,
    /// Run a cluster worker that takes jobs from the queue
    Worker(Box<worker::WorkerArguments>),
    /// Show cluster status; cancel jobs; measure throughput
    Cluster(cluster::ClusterVerbArguments),
    /// Explain why a program fails
    Diagnose(Box<diagnose::DiagnoseArguments>),
    /// Stop a program at breakpoints and show its stack and variables
    Inspect(Box<inspect::InspectArguments>),
    /// Review code for defects, vulnerabilities and complexity
    Review(Box<review::ReviewArguments>),
    /// Check whether a project or a change passes its quality gates
    Gate(review::GateArguments),
    /// Measure code: complexity, size, maintainability
    Metrics(review::MetricsArguments),
    /// List review rules, explain one, or test pattern rules
    Rules(review::RulesArguments),
    /// List, pull, build or remove container images
    Images(images::ImageArguments),
    /// List or remove cached builds and package environments
    Cache(cache::CacheArguments),
    /// Verify, query, export or prune the audit log
    Audit(audit::AuditArguments),
    /// Search code by its structure
    Search(Box<patterns::SearchArguments>),
    /// Rewrite code by its structure: show a diff, write, undo
    Rewrite(Box<patterns::RewriteArguments>),
    /// Rename, extract or inline where it is provably safe
    Refactor(refactor::RefactorArguments),
    /// List the symbols that a project defines
    Symbols(patterns::SymbolsArguments),
    /// List the callers of a function
    Callers(patterns::CallsArguments),
    /// List the functions that a function calls
    Callees(patterns::CallsArguments),
    /// List which files depend on which
    Deps(patterns::DepsArguments),
    /// Find clones: exact, renamed, edited, or equivalent code
    Clones(clones::ClonesArguments),
    /// Detect the refactorings in a change, and what else it changes
    Refactorings(refactorings::RefactoringsArguments),
    /// Repair a program: find a patch that its tests verify
    Fix(Box<fix::FixArguments>),
    /// Run a program, explain its failure, look for a patch
    Debug(Box<fix::DebugArguments>),
    /// Serve the HTTP API and the dashboard
    Serve(serve::ServeArguments),
    /// Create, list and revoke API keys
    Keys(keys::KeysArguments),
    /// Serve the tools of the Model Context Protocol (MCP)
    Mcp(mcp::McpArguments),
    /// Run, generate and evaluate tests
    Tests(testing::TestsArguments),
    /// Let a language model solve a task in the sandbox
    Agent(Box<agent::AgentArguments>),
    /// List the languages and whether they can run here
    #[command(after_help = "Example:\n  formicary languages --json")]
    Languages,
    /// Check what this host offers and how to get what is missing
    #[command(
        after_help = "Exit code 0 if untrusted code can be isolated, 122 if not.\n\nExamples:\n  formicary doctor\n  formicary doctor --details"
    )]
    Doctor {
        /// Show every fact, provider, protection, language and debugger
        #[arg(long)]
        details: bool,
    },
    /// Show every setting with its value and origin
    #[command(after_help = CONFIG_HELP)]
    Config(ConfigArguments),
    /// Print a shell completion script
    #[command(
        after_help = "Example:\n  formicary completions bash > ~/.local/share/bash-completion/completions/formicary"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write all pages to a directory
    #[command(
        after_help = "Examples:\n  formicary man | man -l -\n  formicary man /usr/local/share/man/man1"
    )]
    Man {
        /// The directory to write the pages to
        #[arg(value_name = "DIR")]
        folder: Option<PathBuf>,
    },
    /// List the exit codes
    #[command(name = "exit-codes", visible_alias = "exits", after_help = crate::commands::exit_codes::table())]
    ExitCodes,
    /// Show the version and build details
    Version,
}

impl Command {
    /// Whether the compile cache is switched off.
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
    /// List the configuration files that were looked for
    #[arg(long)]
    pub path: bool,
    /// Print the reference of all settings as Markdown
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
