//! The options of `formicary serve`.

use super::cluster::ClusterArguments;
use clap::Args;
use std::path::PathBuf;

/// Options of `serve`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ServeArguments {
    /// The address to listen on; port 0 picks a free port
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub listen: Option<String>,
    /// The key file; loopback needs none unless it is given
    #[arg(long, value_name = "FILE")]
    pub keys: Option<PathBuf>,
    /// A host name to accept besides the address
    #[arg(long = "host", value_name = "NAME")]
    pub hosts: Vec<String>,
    /// The TLS certificate chain (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,
    /// The TLS private key (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
    #[command(flatten)]
    pub cluster: ClusterArguments,
}

const EXAMPLES: &str = "\
Listens on 127.0.0.1:8765 by default. An address that others can reach requires keys. With --cluster,
programs and judging run on that cluster's workers. SIGTERM or Ctrl-C stops it: requests in progress
get a grace period to finish, then they are canceled.

Examples:
  formicary serve
  formicary serve --listen 127.0.0.1:0 --json
  formicary keys create ci --scope execute
  formicary serve --listen 0.0.0.0:8765 --host api.example --tls-cert chain.pem --tls-key key.pem
  formicary serve --cluster nats://127.0.0.1:4222
  curl -s localhost:8765/v1/execute -H 'content-type: application/json' \\
    -d '{\"language\": \"python\", \"code\": \"print(6*7)\"}'";
