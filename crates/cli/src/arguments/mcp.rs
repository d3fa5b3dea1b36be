//! Options of `mcp`.

use super::cluster::ClusterArguments;
use clap::Args;
use std::net::SocketAddr;
use std::path::PathBuf;

const MCP_HELP: &str = "\
Without --http it serves stdin and stdout, as MCP clients start it:
  {\"mcpServers\": {\"formicary\": {\"command\": \"formicary\", \"args\": [\"mcp\"]}}}

Tools read files below --root only, with links resolved. They write only with --allow-write and on
request; otherwise they return the diff. Over HTTP it listens on loopback unless keys are required;
`Host` and `Origin` are checked. With --cluster, programs and sessions run on that cluster's workers.

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
    /// The directory whose files tools may read [default: the working directory, unless it is /, your home or
    /// a system directory]
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// Allow tools to write below the root on request
    #[arg(long)]
    pub allow_write: bool,
    /// Serve streamable HTTP at this address; port 0 picks a free port
    #[arg(long, value_name = "ADDRESS")]
    pub http: Option<SocketAddr>,
    /// Require a key, sent as `Authorization: Bearer KEY`: the file of `formicary keys`, or one with a key per line
    #[arg(long, value_name = "FILE", requires = "http")]
    pub key_file: Option<PathBuf>,
    /// An additional host name to accept
    #[arg(long, value_name = "HOST", requires = "http")]
    pub allow_host: Vec<String>,
    /// A web origin to accept, as in http://localhost:6274
    #[arg(long, value_name = "ORIGIN", requires = "http")]
    pub allow_origin: Vec<String>,
    #[command(flatten)]
    pub cluster: ClusterArguments,
}
