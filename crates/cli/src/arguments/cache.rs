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
    /// List compiled programs and package environments (default)
    List,
    /// Remove what exceeds the configured sizes
    Prune {
        /// Remove everything that is not in use
        #[arg(long)]
        all: bool,
    },
}

const EXAMPLES: &str = "\
Compiled programs and package environments are cached. The settings cache.max_bytes and
packages.max_bytes bound them; the least recently used are removed first.

Examples:
  formicary cache
  formicary cache list --json
  formicary cache prune
  formicary cache prune --all";
