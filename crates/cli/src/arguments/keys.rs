//! The options of `formicary keys`.

use clap::{Args, Subcommand};
use formicary_platform::config::units;
use formicary_platform::keys::Scope;
use std::path::PathBuf;

/// Options of `keys`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, subcommand_required = true, arg_required_else_help = false)]
pub struct KeysArguments {
    #[command(subcommand)]
    pub verb: KeysVerb,
}

const EXAMPLES: &str = "\
A key is shown once; only its hash is stored. A running server applies changes within a second.

Examples:
  formicary keys create ci --scope execute,review --days 90
  formicary keys create student --scope execute --per-minute 60 --at-once 2 --cpu-per-day 10m
  formicary keys list
  formicary keys revoke ci";

/// What can be done with keys.
#[derive(Debug, Subcommand)]
pub enum KeysVerb {
    /// Create a key and print it once
    Create(Box<CreateArguments>),
    /// List the keys, without their secrets
    List {
        #[command(flatten)]
        place: PlaceArguments,
    },
    /// Revoke a key
    Revoke {
        /// Its name or identifier
        key: String,
        #[command(flatten)]
        place: PlaceArguments,
    },
}

/// Where the keys are.
#[derive(Debug, Args)]
pub struct PlaceArguments {
    /// The key file [default: the configured one]
    #[arg(long = "keys", value_name = "FILE")]
    pub file: Option<PathBuf>,
}

/// Options of `keys create`.
#[derive(Debug, Args)]
pub struct CreateArguments {
    /// A human-readable name
    pub name: String,
    /// Its scopes: execute, review, debug, agent, admin
    #[arg(long = "scope", value_name = "SCOPES", value_delimiter = ',', required = true, value_parser = scope)]
    pub scopes: Vec<Scope>,
    /// Days until it expires [default: never]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=36_500))]
    pub days: Option<u32>,
    /// Requests per minute
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub per_minute: Option<u32>,
    /// Concurrent requests
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub at_once: Option<u32>,
    /// CPU time per day, as in 90s or 10m
    #[arg(long, value_name = "TIME", value_parser = units::parse_seconds)]
    pub cpu_per_day: Option<f64>,
    /// Memory per run or session, as in 512MiB
    #[arg(long, value_name = "SIZE", value_parser = units::parse_bytes)]
    pub memory: Option<f64>,
    #[command(flatten)]
    pub place: PlaceArguments,
}

fn scope(word: &str) -> Result<Scope, String> {
    Scope::from_word(word).map_err(|failure| match failure.hint {
        Some(hint) => format!("{}; {hint}", failure.message),
        None => failure.message,
    })
}
