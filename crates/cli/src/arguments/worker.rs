//! The options of `formicary worker`.

use super::cluster::ClusterArguments;
use clap::Args;
use std::net::SocketAddr;

/// Options of `worker`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct WorkerArguments {
    #[command(flatten)]
    pub cluster: ClusterArguments,
    /// Concurrent jobs [default: the number of cores]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub capacity: Option<u16>,
    /// Languages to accept [default: all that can run here]
    #[arg(long, value_name = "LANG,...", value_delimiter = ',')]
    pub languages: Vec<String>,
    /// Memory per job, as in 8GiB [default: all of this machine's]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory: Option<f64>,
    /// The worker's name [default: generated]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// The address that serves /metrics and /healthz, as in 127.0.0.1:9464
    #[arg(long, value_name = "ADDRESS")]
    pub metrics: Option<SocketAddr>,
}

fn size(text: &str) -> Result<f64, String> {
    formicary_platform::config::units::parse_bytes(text)
}

const EXAMPLES: &str = "\
Takes jobs from the queue until it is stopped. On SIGTERM or Ctrl-C it finishes its jobs and exits
with 0; on a second one it returns them to the queue. If it is killed, other workers take its jobs.

Examples:
  formicary worker --cluster nats://127.0.0.1:4222
  formicary worker --cluster nats://127.0.0.1:4222 --capacity 8 --languages python,javascript
  formicary worker --cluster tls://queue.internal:4222 --cluster-credentials worker.creds --memory 8GiB
  formicary worker --cluster nats://127.0.0.1:4222 --metrics 127.0.0.1:9464";
