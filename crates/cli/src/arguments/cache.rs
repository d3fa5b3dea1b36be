//! The options of `formicary cache`.

use clap::{Args, Subcommand};

/// Options of `cache`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CacheArguments {
    #[command(subcommand)]
    pub verb: Option<CacheVerb>,
}

/// What to do with the cache.
#[derive(Debug, Clone, Copy, Subcommand)]
pub enum CacheVerb {
    /// Lists compiled programs and package environments (the default)
    List,
    /// Removes what exceeds the configured sizes
    Prune {
        /// Removes everything that nobody uses at this moment
        #[arg(long)]
        all: bool,
    },
}

const EXAMPLES: &str = "\
Compiled programs and package environments are kept for the next time. The settings
cache.max_bytes and packages.max_bytes bound them; what was not used for longest goes first.

Examples:
  formicary cache
  formicary cache list --json
  formicary cache prune
  formicary cache prune --all";
