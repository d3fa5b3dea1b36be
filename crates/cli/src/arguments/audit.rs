//! The options of `formicary audit`.

use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Options of `audit`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct AuditArguments {
    #[command(subcommand)]
    pub verb: AuditVerb,
}

/// What to do with the audit log.
#[derive(Debug, Subcommand)]
pub enum AuditVerb {
    /// Looks at every record and tells whether anything was changed
    Verify {
        /// An end of the chain that was noted earlier; may be given several times
        #[arg(long = "expect", value_name = "SEQ:HASH")]
        expected: Vec<String>,
        /// Looks at an archive instead of the log
        #[arg(long, value_name = "FILE")]
        archive: Option<PathBuf>,
    },
    /// Shows the latest records
    Query {
        #[command(flatten)]
        filter: FilterArguments,
        /// Records at the most
        #[arg(long, short = 'n', value_name = "N", default_value_t = 50)]
        limit: usize,
    },
    /// Writes records out, oldest first
    Export {
        #[command(flatten)]
        filter: FilterArguments,
        /// In which form
        #[arg(long, value_name = "FORM", default_value = "jsonl")]
        format: ExportFormat,
    },
    /// Lets old records go; the chain holds
    Prune {
        /// Records before this moment go: 2026-11-16, 2026-11-16T09:30:00Z, 90d
        #[arg(long, value_name = "MOMENT")]
        before: String,
        /// Writes them into this file first
        #[arg(long, value_name = "FILE")]
        archive: Option<PathBuf>,
    },
}

/// Which records are wanted.
#[derive(Debug, Clone, Args)]
pub struct FilterArguments {
    /// Not before this moment: 2026-11-16, 2026-11-16T09:30:00Z, 36h
    #[arg(long, value_name = "MOMENT")]
    pub since: Option<String>,
    /// Before this moment
    #[arg(long, value_name = "MOMENT")]
    pub until: Option<String>,
    /// Of callers of this name
    #[arg(long, value_name = "NAME")]
    pub caller: Option<String>,
    /// Of this tenant
    #[arg(long, value_name = "NAME")]
    pub tenant: Option<String>,
    /// In this language
    #[arg(long, short = 'l', value_name = "LANGUAGE")]
    pub language: Option<String>,
    /// With this status, failure or kind: timeout, invalid_input, refused
    #[arg(long, value_name = "WORD")]
    pub status: Option<String>,
    /// Of this run
    #[arg(long, value_name = "ID")]
    pub run: Option<String>,
    /// With this text anywhere
    #[arg(long, value_name = "TEXT")]
    pub text: Option<String>,
}

/// Forms of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// A line of JSON for each record, with its place in the chain
    Jsonl,
    /// A table
    Csv,
}

const EXAMPLES: &str = "\
The audit log holds a record of the start and one of the end of every execution, and one of every
request that was refused. It is kept where audit.file or audit.url says. Each record's hash covers
the record before it; keep what `verify` prints as its head elsewhere, and give it back with
--expect: a log that was cut short or written anew is then found too.

Exit code 0 where everything is as it was written, 1 where something was changed.

Examples:
  formicary --set audit.file=~/audit.db run -l python -c 'print(1)'
  formicary audit verify
  formicary audit verify --expect 1042:9f86d0…
  formicary audit query --since 24h --status timeout --language python
  formicary audit query --text 'rm -rf' --json
  formicary audit export --since 2026-11-01 --format csv > november.csv
  formicary audit prune --before 90d --archive old.jsonl";
