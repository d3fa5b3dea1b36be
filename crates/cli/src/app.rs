//! From the arguments to the exit code.

use crate::arguments::{Color, Command, CommandLine, groups};
use crate::failure::{Stop, from_usage};
use crate::{commands, terminal};
use clap::FromArgMatches as _;
use formicary_model::Failure;
use formicary_model::patterns::Side;
use formicary_platform::exit;
use std::process::ExitCode;

/// The whole program.
pub fn main() -> ExitCode {
    let parsed =
        groups::command().try_get_matches().and_then(|matches| CommandLine::from_arg_matches(&matches));
    let (outcome, json) = match parsed {
        Ok(line) => {
            terminal::choose_colors(line.global.color);
            let json = line.global.json;
            (dispatch(line), json)
        }
        Err(error) if !error.use_stderr() => (show_help(&error), false),
        Err(error) => (Err(from_usage(&error).into()), json_is_asked_for()),
    };
    ExitCode::from(outcome.unwrap_or_else(|stop| tell(&stop, json)))
}

/// Does what the command line says.
pub fn dispatch(line: CommandLine) -> Result<u8, Stop> {
    let mut global = line.global;
    if line.command.without_cache() {
        global.settings.push(("cache.enabled".into(), "off".into()));
    }
    match line.command {
        Command::Run(arguments) => commands::run::run(*arguments, &global),
        Command::Judge(arguments) => commands::judge::run(*arguments, &global),
        Command::Session(arguments) => commands::session::run(arguments, &global),
        Command::SessionServer => commands::session::serve(&global),
        Command::Inspect(arguments) => commands::inspect::run(*arguments, &global),
        Command::Worker(arguments) => commands::worker::run(&arguments, &global),
        Command::Cluster(arguments) => commands::cluster::run(&arguments, &global),
        Command::Diagnose(arguments) => commands::diagnose::run(*arguments, &global),
        Command::Review(arguments) => commands::review::run(*arguments, &global),
        Command::Gate(arguments) => commands::review::gate(&arguments, &global),
        Command::Metrics(arguments) => commands::review::metrics(&arguments, &global),
        Command::Rules(arguments) => commands::review::rules(&arguments, &global),
        Command::Images(arguments) => commands::images::run(&arguments, &global),
        Command::Audit(arguments) => commands::audit::run(&arguments, &global),
        Command::Cache(arguments) => commands::cache::run(&arguments, &global),
        Command::Search(arguments) => commands::search::run(*arguments, &global),
        Command::Rewrite(arguments) => commands::rewrite::run(*arguments, &global),
        Command::Refactor(arguments) => commands::refactor::run(arguments, &global),
        Command::Symbols(arguments) => commands::index::symbols(arguments, &global),
        Command::Callers(arguments) => commands::index::calls(Side::Callers, arguments, &global),
        Command::Callees(arguments) => commands::index::calls(Side::Callees, arguments, &global),
        Command::Deps(arguments) => commands::index::dependencies(arguments, &global),
        Command::Clones(arguments) => commands::clones::run(arguments, &global),
        Command::Refactorings(arguments) => commands::refactorings::run(arguments, &global),
        Command::Fix(arguments) => commands::fix::run(*arguments, &global),
        Command::Debug(arguments) => commands::fix::debug(*arguments, &global),
        Command::Serve(arguments) => commands::serve::run(arguments, &global),
        Command::Keys(arguments) => commands::keys::run(arguments, &global),
        Command::Mcp(arguments) => commands::mcp::run(arguments, &global),
        Command::Tests(arguments) => commands::tests::run(arguments, &global),
        Command::Agent(arguments) => commands::agent::run(*arguments, &global),
        Command::Languages => commands::languages::run(&global),
        Command::Doctor { details } => commands::doctor::run(&global, details),
        Command::Config(arguments) => commands::config::run(&arguments, &global),
        Command::Completions { shell } => commands::completions::run(shell),
        Command::Man { folder } => commands::man::run(folder.as_deref()),
        Command::ExitCodes => commands::exit_codes::run(&global),
        Command::Version => commands::version::run(&global),
    }
}

fn show_help(error: &clap::Error) -> Result<u8, Stop> {
    terminal::choose_colors(Color::Auto);
    terminal::print(&error.render().ansi().to_string())?;
    Ok(0)
}

// The arguments did not parse, so what was asked for can only be looked for by hand.
fn json_is_asked_for() -> bool {
    std::env::args_os().take_while(|argument| argument != "--").any(|argument| argument == "--json")
}

fn tell(stop: &Stop, json: bool) -> u8 {
    match stop {
        Stop::OutputClosed => exit::OUTPUT_CLOSED,
        Stop::Failed(failure) => {
            if json {
                // Nobody reads it: the exit code still tells.
                let _ = terminal::print_json(&ErrorOnTheWire { error: failure });
            } else {
                terminal::tell_failure(failure);
            }
            exit::failure_code(failure.kind)
        }
    }
}

#[derive(serde::Serialize)]
struct ErrorOnTheWire<'a> {
    error: &'a Failure,
}
