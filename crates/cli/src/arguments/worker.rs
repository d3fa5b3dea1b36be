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
    /// Jobs at a time; as many as there are cores where absent
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub capacity: Option<u16>,
    /// Languages to take jobs of; all that can run here where absent
    #[arg(long, value_name = "LANG,...", value_delimiter = ',')]
    pub languages: Vec<String>,
    /// Memory that one job may ask for, as in 8GiB; all of this machine's where absent
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory: Option<f64>,
    /// The worker's name; a new one where absent
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Where monitoring reads /metrics and /healthz, as in 127.0.0.1:9464
    #[arg(long, value_name = "ADDRESS")]
    pub metrics: Option<SocketAddr>,
}

fn size(text: &str) -> Result<f64, String> {
    formicary_platform::config::units::parse_bytes(text)
}

const EXAMPLES: &str = "\
Takes jobs from the queue until it is told to end. SIGTERM or Ctrl-C: it takes no more, finishes what
runs and ends with 0; a second one gives back what runs. Killed, its jobs go to others.

Examples:
  formicary worker --cluster nats://127.0.0.1:4222
  formicary worker --cluster nats://127.0.0.1:4222 --capacity 8 --languages python,javascript
  formicary worker --cluster tls://queue.internal:4222 --cluster-credentials worker.creds --memory 8GiB
  formicary worker --cluster nats://127.0.0.1:4222 --metrics 127.0.0.1:9464";
