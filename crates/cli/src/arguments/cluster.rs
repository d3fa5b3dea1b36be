//! The options of `formicary cluster`, and those by which every verb finds the cluster.

use clap::{Args, Subcommand};
use std::path::PathBuf;

/// How to reach the cluster.
#[derive(Debug, Default, Args)]
pub struct ClusterArguments {
    /// The queue, as in nats://HOST:PORT; cluster.url of the configuration where absent
    #[arg(long = "cluster", value_name = "URL", help_heading = "Cluster")]
    pub url: Option<String>,
    /// A NATS credentials file
    #[arg(long = "cluster-credentials", value_name = "FILE", help_heading = "Cluster")]
    pub credentials: Option<PathBuf>,
    /// Certificates by which the server is known; insists on TLS
    #[arg(long = "cluster-ca", value_name = "FILE", help_heading = "Cluster")]
    pub ca: Option<PathBuf>,
}

/// Options of `cluster`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ClusterVerbArguments {
    #[command(subcommand)]
    pub verb: ClusterVerb,
}

/// What to do with the cluster.
#[derive(Debug, Subcommand)]
pub enum ClusterVerb {
    /// Tells how much waits, who works, and the load to scale by
    Status {
        /// Prints it as Prometheus reads it
        #[arg(long, conflicts_with = "json")]
        prometheus: bool,
        #[command(flatten)]
        cluster: ClusterArguments,
    },
    /// Lists jobs that nobody could run to their end
    Dead {
        #[command(flatten)]
        cluster: ClusterArguments,
    },
    /// Ends a job that waits or runs
    Cancel {
        /// The job's name
        #[arg(value_name = "JOB")]
        job: String,
        #[command(flatten)]
        cluster: ClusterArguments,
    },
    /// Measures how many small jobs a second are run
    Bench {
        /// Jobs
        #[arg(long, value_name = "COUNT", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
        jobs: u32,
        /// Jobs under way at a time
        #[arg(long, value_name = "COUNT", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=10_000))]
        at_once: u32,
        /// Milliseconds of CPU that each job takes besides its start
        #[arg(long, value_name = "COUNT", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=10_000))]
        cpu_ms: u32,
        #[command(flatten)]
        cluster: ClusterArguments,
    },
}

const EXAMPLES: &str = "\
Examples:
  formicary cluster status --cluster nats://127.0.0.1:4222 --json
  formicary cluster status --cluster nats://127.0.0.1:4222 --prometheus
  formicary cluster dead --cluster nats://127.0.0.1:4222
  formicary cluster cancel j0123456789abcdef01234567 --cluster nats://127.0.0.1:4222
  formicary cluster bench --jobs 2000 --cluster nats://127.0.0.1:4222

A password belongs into FORMICARY_CLUSTER_URL or a credentials file: arguments are seen by every user of
the machine.";
