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
    /// Check every record for tampering
    Verify {
        /// A chain end recorded earlier; repeatable
        #[arg(long = "expect", value_name = "SEQ:HASH")]
        expected: Vec<String>,
        /// Check an archive instead of the log
        #[arg(long, value_name = "FILE")]
        archive: Option<PathBuf>,
    },
    /// Show the latest records
    Query {
        #[command(flatten)]
        filter: FilterArguments,
        /// Show at most this many records
        #[arg(long, short = 'n', value_name = "N", default_value_t = 50)]
        limit: usize,
    },
    /// Export records, oldest first
    Export {
        #[command(flatten)]
        filter: FilterArguments,
        /// The output format
        #[arg(long, value_name = "FORM", default_value = "jsonl")]
        format: ExportFormat,
    },
    /// Remove old records; the chain stays verifiable
    Prune {
        /// Remove records before this time: 2026-11-16, 2026-11-16T09:30:00Z, 90d
        #[arg(long, value_name = "MOMENT")]
        before: String,
        /// Archive them to this file first
        #[arg(long, value_name = "FILE")]
        archive: Option<PathBuf>,
    },
}

/// Which records are wanted.
#[derive(Debug, Clone, Args)]
pub struct FilterArguments {
    /// Since this time: 2026-11-16, 2026-11-16T09:30:00Z, 36h
    #[arg(long, value_name = "MOMENT")]
    pub since: Option<String>,
    /// Until this time
    #[arg(long, value_name = "MOMENT")]
    pub until: Option<String>,
    /// By callers of this name
    #[arg(long, value_name = "NAME")]
    pub caller: Option<String>,
    /// By this tenant
    #[arg(long, value_name = "NAME")]
    pub tenant: Option<String>,
    /// In this language
    #[arg(long, short = 'l', value_name = "LANGUAGE")]
    pub language: Option<String>,
    /// With this status, failure or kind: timeout, invalid_input, refused
    #[arg(long, value_name = "WORD")]
    pub status: Option<String>,
    /// For this run
    #[arg(long, value_name = "ID")]
    pub run: Option<String>,
    /// Containing this text
    #[arg(long, value_name = "TEXT")]
    pub text: Option<String>,
}

/// Forms of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// One line of JSON per record, with its position in the chain
    Jsonl,
    /// A table
    Csv,
}

const EXAMPLES: &str = "\
The audit log records the start and the end of every execution and every refused request, in
audit.file or audit.url. Each record's hash covers the record before it. Store the head that `verify`
prints somewhere else and pass it with --expect, to detect a log that was truncated or rewritten too.

Exit code 0 if the log is intact, 1 if it was changed.

Examples:
  formicary --set audit.file=~/audit.db run -l python -c 'print(1)'
  formicary audit verify
  formicary audit verify --expect 1042:9f86d0…
  formicary audit query --since 24h --status timeout --language python
  formicary audit query --text 'rm -rf' --json
  formicary audit export --since 2026-11-01 --format csv > november.csv
  formicary audit prune --before 90d --archive old.jsonl";
