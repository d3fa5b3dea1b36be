//! Verbs that this build is without: each takes whatever it is given, and names the feature that brings it.
//!
//! What cargo's features leave out of the command line is decided on two pages, `arguments/mod.rs` and `commands/mod.rs`.

#![cfg(not(all(
    feature = "agent",
    feature = "cluster",
    feature = "docker",
    feature = "mcp",
    feature = "server"
)))]

use crate::failure::Stop;
use clap::Args;
use formicary_model::{Failure, FailureKind};
use std::ffi::OsString;

/// The arguments of a verb that is not there.
#[derive(Debug, Args)]
pub struct Anything {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    _words: Vec<OsString>,
}

/// The answer of a verb that is not there.
pub fn answer(verb: &str, feature: &str) -> Result<u8, Stop> {
    Err(missing(verb, feature).into())
}

/// What is missing, and the feature that brings it.
pub fn missing(what: &str, feature: &str) -> Failure {
    let message = format!("this build is without `{what}`; the feature `{feature}` brings it");
    Failure::new(FailureKind::InvalidInput, message)
}

#[cfg(test)]
mod tests {
    use crate::app;
    use crate::arguments::CommandLine;
    use crate::failure::Stop;
    use clap::Parser as _;
    use formicary_platform::exit;

    fn check(verb: &str, feature: &str) {
        // Options that only the real verb knows are no reason for another answer.
        let line = CommandLine::try_parse_from(["formicary", verb, "word", "--listen", "here"]).unwrap();
        match app::dispatch(line) {
            Err(Stop::Failed(failure)) => {
                let expected = format!("this build is without `{verb}`; the feature `{feature}` brings it");
                assert_eq!((failure.message, failure.hint), (expected, None));
                assert_eq!(exit::failure_code(failure.kind), exit::INVALID, "{verb}");
            }
            other => panic!("{verb}: {other:?}"),
        }
    }

    #[test]
    fn a_verb_that_was_left_out_names_its_feature() {
        let verbs = [
            ("agent", "agent", cfg!(feature = "agent")),
            ("cluster", "cluster", cfg!(feature = "cluster")),
            ("images", "docker", cfg!(feature = "docker")),
            ("keys", "server", cfg!(feature = "server")),
            ("mcp", "mcp", cfg!(feature = "mcp")),
            ("serve", "server", cfg!(feature = "server")),
            ("worker", "cluster", cfg!(feature = "cluster")),
        ];
        verbs.iter().filter(|(.., is_there)| !is_there).for_each(|(verb, feature, _)| check(verb, feature));
    }
}
