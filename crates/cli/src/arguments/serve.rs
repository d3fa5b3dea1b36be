//! The options of `formicary serve`.

use super::cluster::ClusterArguments;
use clap::Args;
use std::path::PathBuf;

/// Options of `serve`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ServeArguments {
    /// Where to listen; port 0 lets the system choose
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub listen: Option<String>,
    /// The file of keys; on this host none are needed unless it is named
    #[arg(long, value_name = "FILE")]
    pub keys: Option<PathBuf>,
    /// A name by which the server is called, besides its address
    #[arg(long = "host", value_name = "NAME")]
    pub hosts: Vec<String>,
    /// The certificate chain, as PEM
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,
    /// The certificate's private key, as PEM
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
    #[command(flatten)]
    pub cluster: ClusterArguments,
}

const EXAMPLES: &str = "\
Listens at 127.0.0.1:8765 unless told otherwise. An address that others can reach needs keys.
With --cluster, programs and judgings run on that cluster's workers; everything else on this machine.
SIGTERM or Ctrl-C ends it: what is under way has a moment to finish, then it is called off.

Examples:
  formicary serve
  formicary serve --listen 127.0.0.1:0 --json
  formicary keys create ci --scope execute
  formicary serve --listen 0.0.0.0:8765 --host api.example --tls-cert chain.pem --tls-key key.pem
  formicary serve --cluster nats://127.0.0.1:4222
  curl -s localhost:8765/v1/execute -H 'content-type: application/json' \\
    -d '{\"language\": \"python\", \"code\": \"print(6*7)\"}'";
