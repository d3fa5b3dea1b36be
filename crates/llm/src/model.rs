//! The one trait behind which every model stands.

use crate::{Answer, ModelError, Request};
use serde::{Deserialize, Serialize};

/// What a model can do. An upper bound: what is not here is not asked of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capabilities {
    /// It can call tools.
    pub tools: bool,
    /// Its answer can be bound to a schema.
    pub structured_output: bool,
    /// It takes images.
    pub images: bool,
    /// Tokens of request and answer together.
    pub context_tokens: u64,
}

/// Somebody who hears an answer as it comes, and who may call it off.
#[derive(Clone, Copy)]
pub struct Listener<'a> {
    /// Called with each piece of text.
    pub text: &'a dyn Fn(&str),
    /// Called when a request is sent anew: why, and after how many seconds.
    pub retry: &'a dyn Fn(&ModelError, f64),
    /// Whether it is called off.
    pub cancelled: &'a dyn Fn() -> bool,
}

impl Listener<'_> {
    /// Nobody.
    pub const NOBODY: Listener<'static> = Listener { text: &|_| (), retry: &|_, _| (), cancelled: &|| false };
}

/// A language model.
pub trait Model: Send + Sync {
    /// What it is called: `openai:gpt-4o`.
    fn name(&self) -> String;

    /// What it can do.
    fn capabilities(&self) -> Capabilities;

    /// Asks it.
    fn ask(&self, request: &Request, listener: Listener<'_>) -> Result<Answer, ModelError>;
}
