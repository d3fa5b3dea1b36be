//! Options of `mcp`.

use super::cluster::ClusterArguments;
use clap::Args;
use std::net::SocketAddr;
use std::path::PathBuf;

const MCP_HELP: &str = "\
Without --http it speaks over standard input and output, as clients expect that start it:
  {\"mcpServers\": {\"formicary\": {\"command\": \"formicary\", \"args\": [\"mcp\"]}}}

Tools read files beneath --root only, links resolved. They write only with --allow-write and only where
the caller asks for it; otherwise they return the diff. Over HTTP it listens on loopback unless keys are
asked for; `Host` and `Origin` are checked.
With --cluster, programs and sessions run on that cluster's workers; all else on this machine.

Examples:
  formicary mcp
  formicary mcp --root ~/project --allow-write
  formicary mcp --http 127.0.0.1:8930
  formicary mcp --cluster nats://127.0.0.1:4222
  formicary mcp --http 10.0.0.5:8930 --key-file ~/.formicary-keys --allow-host build.example.org";

/// Options of `mcp`.
#[derive(Debug, Args)]
#[command(after_help = MCP_HELP)]
pub struct McpArguments {
    /// The directory whose files tools may read; by default the working directory, unless that is /, your home or one of
    /// the system's
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// Lets tools write beneath the root where the caller asks for it
    #[arg(long)]
    pub allow_write: bool,
    /// Serves over streamable HTTP at this address; port 0 lets the kernel choose
    #[arg(long, value_name = "ADDRESS")]
    pub http: Option<SocketAddr>,
    /// Asks for a key, sent as `Authorization: Bearer KEY`: the file of `formicary keys`, or one with a key a line
    #[arg(long, value_name = "FILE", requires = "http")]
    pub key_file: Option<PathBuf>,
    /// A further name under which it may be called
    #[arg(long, value_name = "HOST", requires = "http")]
    pub allow_host: Vec<String>,
    /// A page that may call it, as in http://localhost:6274
    #[arg(long, value_name = "ORIGIN", requires = "http")]
    pub allow_origin: Vec<String>,
    #[command(flatten)]
    pub cluster: ClusterArguments,
}
