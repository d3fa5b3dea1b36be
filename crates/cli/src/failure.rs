//! What ends a command early, and clap's complaints in Formicary's own form: one line of what, one of what to do.

use crate::arguments::CommandLine;
use clap::CommandFactory as _;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use formicary_model::{Failure, FailureKind};
use std::io;

/// Why a command ended without its own exit code.
#[derive(Debug)]
pub enum Stop {
    /// Formicary failed; to be told.
    Failed(Failure),
    /// Whoever read our output went away; there is nobody to tell.
    OutputClosed,
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::OutputClosed;
        }
        Self::Failed(Failure::new(FailureKind::Internal, format!("cannot write the output: {error}")))
    }
}

/// A wrong input, with the remedy.
pub fn invalid(message: impl Into<String>, hint: impl Into<String>) -> Failure {
    Failure::new(FailureKind::InvalidInput, message).hint(hint)
}

/// For the first minute: what works here, a first run, a first review.
const NEXT: &str = "try `formicary doctor`, `formicary run -l bash -c 'echo Hello'` or `formicary review .`; \
                    `formicary --help` lists all commands";

/// clap's complaint as a failure.
pub fn from_usage(error: &clap::Error) -> Failure {
    let rendered = error.render().to_string();
    let mut lines = rendered.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    let first = lines.next().unwrap_or_default().trim_start_matches("error: ");
    let mut message = first.to_owned();
    let mut hint = None;
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with("For more information")) {
        match line.strip_prefix("tip: ") {
            Some(tip) => hint = hint.or_else(|| Some(tip.to_owned())),
            // A colon at the end announces a list, as of the arguments that are missing.
            None => message = format!("{message} {line}"),
        }
    }
    let help = || format!("`formicary{} --help` tells how it is used", verb());
    let hint = suggestion(error).or(hint).unwrap_or_else(help);
    let kind = error.kind();
    if matches!(kind, ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand) {
        let hint = if verb().is_empty() { NEXT.to_owned() } else { help() };
        return invalid("no command is given", hint);
    }
    if kind == ErrorKind::InvalidUtf8 {
        return invalid(
            "an argument is not UTF-8",
            "write arguments in UTF-8; pass other bytes on stdin or as a file",
        );
    }
    invalid(message, hint)
}

fn suggestion(error: &clap::Error) -> Option<String> {
    let kinds = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue];
    let near = kinds.into_iter().find_map(|kind| match error.get(kind)? {
        ContextValue::String(word) => Some(word.clone()),
        ContextValue::Strings(words) => words.first().cloned(),
        _ => None,
    })?;
    Some(format!("did you mean {near}?"))
}

// The arguments did not parse, so the verb can only be looked for by hand.
fn verb() -> String {
    let command = CommandLine::command();
    let known = |word: &String| command.get_subcommands().any(|verb| verb.get_name() == word);
    let words = std::env::args().skip(1).take_while(|word| word != "--");
    words.into_iter().find(known).map(|verb| format!(" {verb}")).unwrap_or_default()
}
