//! The MCP door: what the platform can do, as tools of a model.
//!
//! | module | what it holds |
//! |---|---|
//! | [`serve`] | the two ways in: standard input and output, and streamable HTTP |
//! | `keys` | who may come in over HTTP |
//! | `door` | the protocol's requests: tools are listed and called, resources listed and read |
//! | `tools` | one file a tool, and the page that lists them all |
//! | `tenancy` | what of a call hangs on who calls: bounds, sessions of their own |
//! | `call` | what a tool has at hand: the platform, the folder, progress, cancellation |
//! | `progress` | events of the engines as the protocol's notifications |
//! | `root` | which files of the host a tool may name |
//! | `inputs` | the shapes that several tools share |
//! | `answer` | results as a model can use them: short, with a way to the rest |
//! | `abridge` | long texts and lists cut to a bound |
//! | `store` | whole outputs and artefacts, the newest kept |
//! | `schema` | schemas in few words |
//!
//! Tools hold no logic: each reads its input, makes one call of the platform and shows what came of it.

mod abridge;
mod advertised;
mod answer;
mod call;
mod door;
mod inputs;
mod keys;
mod progress;
mod schema;
pub mod serve;
mod store;
mod tenancy;
mod tools;

pub use door::Door;
pub use formicary_platform::root::unnamed_root;
pub use serve::{HttpSettings, serve_http, serve_stdio};

use formicary_platform::config::ConfigSources;
pub use formicary_platform::root::Writes;
use std::path::PathBuf;

/// What the user grants to whoever calls tools.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The folder whose files tools may read.
    pub root: PathBuf,
    /// Whether they may write there.
    pub writes: Writes,
    /// Where the user's configuration comes from: the agent's model and its runs.
    pub sources: ConfigSources,
}
