//! Language models behind one trait.
//!
//! | module | what it holds |
//! |---|---|
//! | [`message`] | what is asked and answered: messages, tools, usage |
//! | [`model`] | the trait [`Model`], and what a model says of itself |
//! | [`error`] | why an answer did not come, and whether asking again helps |
//! | [`endpoint`] | where a model is reached, with its key, time-outs, patience |
//! | [`remote`] | a model at the other end of a wire: one request, retried where that helps |
//! | [`wires`] | one file a wire format |
//! | [`prices`] | what tokens cost |
//! | [`recorded`], [`scripted`] | models that need no wire: answers kept from before, answers written down |
//!
//! Everything is synchronous and asks nobody: addresses, keys and proxies come resolved. Keys are never shown.

pub mod endpoint;
pub mod error;
pub mod message;
pub mod model;
pub mod prices;
pub mod recorded;
pub mod remote;
pub mod scripted;
mod sse;
mod transport;
pub mod wires;

pub use endpoint::{Endpoint, Patience, Secret};
pub use error::{ErrorKind, ModelError};
pub use message::{
    Answer, Message, OutputSchema, Part, Request, Role, StopReason, TokenUsage, ToolCall, ToolSpec,
};
pub use model::{Capabilities, Listener, Model};
pub use prices::Prices;
pub use recorded::{Recorder, Replayed};
pub use remote::Remote;
pub use scripted::Scripted;
pub use wires::WireFormat;
