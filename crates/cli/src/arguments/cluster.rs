//! The options of `formicary cluster`, and those by which every verb finds the cluster.

use clap::{Args, Subcommand};
use std::path::PathBuf;

/// How to reach the cluster.
#[derive(Debug, Default, Args)]
pub struct ClusterArguments {
    /// The queue, as in nats://HOST:PORT [default: the setting cluster.url]
    #[arg(long = "cluster", value_name = "URL", help_heading = "Cluster")]
    pub url: Option<String>,
    /// A NATS credentials file
    #[arg(long = "cluster-credentials", value_name = "FILE", help_heading = "Cluster")]
    pub credentials: Option<PathBuf>,
    /// CA certificates of the server; requires TLS
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
    /// Show queue length, workers, and the load to scale by
    Status {
        /// Print it in Prometheus format
        #[arg(long, conflicts_with = "json")]
        prometheus: bool,
        #[command(flatten)]
        cluster: ClusterArguments,
    },
    /// List dead-lettered jobs
    Dead {
        #[command(flatten)]
        cluster: ClusterArguments,
    },
    /// Cancel a waiting or running job
    Cancel {
        /// The job's identifier
        #[arg(value_name = "JOB")]
        job: String,
        #[command(flatten)]
        cluster: ClusterArguments,
    },
    /// Measure how many small jobs run per second
    Bench {
        /// Number of jobs
        #[arg(long, value_name = "COUNT", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
        jobs: u32,
        /// Jobs in flight at a time
        #[arg(long, value_name = "COUNT", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=10_000))]
        at_once: u32,
        /// Milliseconds of CPU time that each job burns
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

Put passwords into FORMICARY_CLUSTER_URL or a credentials file: every user of the machine can see
arguments.";
