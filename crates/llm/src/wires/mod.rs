//! One file a wire format: how a request is written, how an answer is read.
//!
//! | format | speaks to |
//! |---|---|
//! | `openai` | chat completions: OpenAI, Azure, vLLM, llama.cpp, Ollama, LM Studio, OpenRouter |
//! | `responses` | OpenAI's responses |
//! | `anthropic` | Anthropic's messages |
//! | `gemini` | Google's generateContent |

mod anthropic;
mod gemini;
mod openai;
mod responses;

use crate::endpoint::Secret;
use crate::{Answer, ErrorKind, ModelError, Request};
use serde_json::Value;

/// A wire format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WireFormat {
    /// Chat completions.
    OpenAi,
    /// OpenAI's responses.
    Responses,
    /// Anthropic's messages.
    Anthropic,
    /// Google's generateContent.
    Gemini,
}

impl WireFormat {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::OpenAi, Self::Responses, Self::Anthropic, Self::Gemini];

    /// The word before the colon of a model's name.
    pub const fn word(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Responses => "responses",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
        }
    }

    /// Where it is spoken unless said otherwise.
    pub const fn base_url(self) -> &'static str {
        match self {
            Self::OpenAi | Self::Responses => "https://api.openai.com/v1",
            Self::Anthropic => "https://api.anthropic.com/v1",
            Self::Gemini => "https://generativelanguage.googleapis.com/v1beta",
        }
    }

    /// Environment variables that usually hold the key, the first that is set counts.
    pub const fn key_variables(self) -> &'static [&'static str] {
        match self {
            Self::OpenAi | Self::Responses => &["OPENAI_API_KEY"],
            Self::Anthropic => &["ANTHROPIC_API_KEY"],
            Self::Gemini => &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        }
    }
}

/// How requests are written.
pub(crate) trait Wire: Send + Sync {
    fn url(&self, base: &str, model: &str) -> String;
    fn headers(&self, key: Option<&Secret>, base: &str) -> Vec<(&'static str, String)>;
    fn body(&self, model: &str, request: &Request) -> Value;
    fn reader(&self) -> Box<dyn Reader>;
}

/// How answers are read.
pub(crate) trait Reader {
    /// One event of a stream.
    fn event(&mut self, name: &str, value: &Value, text: &dyn Fn(&str)) -> Result<(), ModelError>;
    /// An answer that came in one piece.
    fn whole(&mut self, value: &Value) -> Result<(), ModelError>;
    /// The stream says that it is complete.
    fn done(&mut self) {}
    /// The answer, if it is whole.
    fn finish(self: Box<Self>) -> Result<Answer, ModelError>;
}

pub(crate) fn wire(format: WireFormat) -> &'static dyn Wire {
    match format {
        WireFormat::OpenAi => &openai::OpenAi,
        WireFormat::Responses => &responses::Responses,
        WireFormat::Anthropic => &anthropic::Anthropic,
        WireFormat::Gemini => &gemini::Gemini,
    }
}

/// An address with a path added; what stands after `?` stays at the end.
fn joined(base: &str, path: &str) -> String {
    let (address, query) =
        base.split_once('?').map_or((base, None), |(address, query)| (address, Some(query)));
    let mut url = format!("{}/{path}", address.trim_end_matches('/'));
    if let Some(query) = query {
        url.push(if url.contains('?') { '&' } else { '?' });
        url.push_str(query);
    }
    url
}

/// A bearer's header; Azure has one of its own.
fn bearer(key: Option<&Secret>, base: &str) -> Vec<(&'static str, String)> {
    let Some(key) = key else { return Vec::new() };
    let host = base.split("://").nth(1).unwrap_or(base).split(['/', ':']).next().unwrap_or_default();
    if host.ends_with(".azure.com") {
        return vec![("api-key", key.expose().to_owned())];
    }
    vec![("authorization", format!("Bearer {}", key.expose()))]
}

fn cut() -> ModelError {
    ModelError::new(ErrorKind::Cut, "the answer ended in the middle")
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_keep_their_queries() {
        for (base, expected) in [
            ("http://h/v1", "http://h/v1/chat"),
            ("http://h/v1/", "http://h/v1/chat"),
            ("http://h/v1?api-version=1", "http://h/v1/chat?api-version=1"),
        ] {
            assert_eq!(joined(base, "chat"), expected);
        }
        let key = Secret::new("k");
        assert_eq!(bearer(Some(&key), "https://x.openai.azure.com/openai/v1")[0].0, "api-key");
        assert_eq!(bearer(Some(&key), "https://h/v1")[0].0, "authorization");
    }
}
