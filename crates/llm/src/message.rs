//! What is asked and answered, in one form for every provider.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Who says something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The caller.
    User,
    /// The model.
    Assistant,
    /// A tool that the model called.
    Tool,
}

/// One part of a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Text.
    Text(String),
    /// An image.
    Image {
        /// `image/png`, `image/jpeg`.
        media_type: String,
        /// Its bytes.
        base64: String,
    },
    /// The model wants a tool to be run.
    ToolCall(ToolCall),
    /// What a tool gave.
    ToolResult {
        /// The call's identifier.
        id: String,
        /// The tool.
        name: String,
        /// What it gave.
        text: String,
        /// Whether it refused or failed.
        failed: bool,
    },
}

/// One message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// Who says it.
    pub role: Role,
    /// What.
    pub parts: Vec<Part>,
}

impl Message {
    /// Text of the caller.
    pub fn user(text: impl Into<String>) -> Self {
        Self { role: Role::User, parts: vec![Part::Text(text.into())] }
    }

    /// What the model answered, as a part of the conversation.
    pub fn of_answer(answer: &Answer) -> Self {
        let mut parts = Vec::new();
        if !answer.text.is_empty() || answer.tool_calls.is_empty() {
            parts.push(Part::Text(answer.text.clone()));
        }
        parts.extend(answer.tool_calls.iter().cloned().map(Part::ToolCall));
        Self { role: Role::Assistant, parts }
    }

    /// The text parts together.
    pub fn text(&self) -> String {
        let texts = self.parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            _ => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }
}

/// A tool that the model may call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// JSON schema of its arguments, an object.
    pub schema: Value,
}

/// The model wants a tool to be run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Names the call, so that its result finds it.
    pub id: String,
    /// The tool.
    pub name: String,
    /// Its arguments; a string where the model wrote what is no JSON.
    pub arguments: Value,
    /// What the provider wants to have back with the call, unread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
}

/// The form that an answer must have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutputSchema {
    /// Its name.
    pub name: String,
    /// JSON schema.
    pub schema: Value,
}

/// One request.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// What holds for the whole conversation.
    pub system: String,
    /// The conversation.
    pub messages: Vec<Message>,
    /// Tools that may be called.
    pub tools: Vec<ToolSpec>,
    /// The form of the answer, where one is wanted.
    pub output: Option<OutputSchema>,
    /// Tokens that the answer may have.
    pub max_output_tokens: u64,
    /// From 0 (always the likeliest word) to 2.
    pub temperature: Option<f64>,
}

impl Request {
    /// Who this request is: the same for the same content, whatever order maps are kept in.
    pub fn key(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        let value = serde_json::to_value(self).unwrap_or(Value::Null);
        canonical(&value, &mut |bytes| {
            hasher.update(bytes);
        });
        hasher.finalize().to_hex()[..32].to_owned()
    }
}

fn canonical(value: &Value, write: &mut dyn FnMut(&[u8])) {
    match value {
        Value::Object(map) => {
            let mut keys: Vec<&String> = map.keys().collect();
            keys.sort();
            write(b"{");
            for key in keys {
                write(Value::String(key.clone()).to_string().as_bytes());
                write(b":");
                canonical(&map[key], write);
                write(b",");
            }
            write(b"}");
        }
        Value::Array(items) => {
            write(b"[");
            for item in items {
                canonical(item, write);
                write(b",");
            }
            write(b"]");
        }
        plain => write(plain.to_string().as_bytes()),
    }
}

/// Why an answer ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The model was done.
    #[default]
    End,
    /// It wants tools to be run.
    Tools,
    /// The answer reached its largest size.
    Length,
    /// It was withheld.
    Refused,
}

/// Tokens of one request, or of many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenUsage {
    /// Tokens that were read, those from a cache included.
    pub input: u64,
    /// Tokens that were written.
    pub output: u64,
    /// Tokens of the input that came from the provider's cache.
    pub cached: u64,
}

impl TokenUsage {
    /// All of them.
    pub fn total(self) -> u64 {
        self.input.saturating_add(self.output)
    }
}

/// What a model answered.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Text.
    pub text: String,
    /// Tools that it wants to be run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    /// Why it ended.
    #[serde(default)]
    pub stop: StopReason,
    /// Tokens.
    #[serde(default)]
    pub usage: TokenUsage,
    /// Who answered, as it calls itself.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub model: String,
}

impl Answer {
    /// An answer of text alone.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}

/// Arguments as the model wrote them: JSON where they are, else the text itself.
pub(crate) fn arguments(text: &str) -> Value {
    if text.trim().is_empty() {
        return Value::Object(serde_json::Map::new());
    }
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_follows_the_content() {
        let request = Request { messages: vec![Message::user("a")], ..Request::default() };
        let mut other = request.clone();
        assert_eq!(request.key(), other.key());
        other.messages.push(Message::user("b"));
        assert_ne!(request.key(), other.key());
        let mut tooled = request.clone();
        tooled.tools.push(ToolSpec {
            name: "t".into(),
            description: String::new(),
            schema: serde_json::json!({"b": 1, "a": 2}),
        });
        let mut turned = tooled.clone();
        turned.tools[0].schema = serde_json::json!({"a": 2, "b": 1});
        assert_eq!(tooled.key(), turned.key());
    }
}
