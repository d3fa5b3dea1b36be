//! Anthropic's messages.

use super::{Reader, Wire, cut, joined, number};
use crate::endpoint::Secret;
use crate::message::arguments;
use crate::{Answer, ModelError, Part, Request, Role, StopReason, ToolCall};
use serde_json::{Value, json};

pub(super) struct Anthropic;

/// The wire needs a bound for answers even where the caller has none.
const USUAL_OUTPUT: u64 = 8192;

impl Wire for Anthropic {
    fn url(&self, base: &str, _: &str) -> String {
        joined(base, "messages")
    }

    fn headers(&self, key: Option<&Secret>, _: &str) -> Vec<(&'static str, String)> {
        let mut headers = vec![("anthropic-version", "2023-06-01".to_owned())];
        headers.extend(key.map(|key| ("x-api-key", key.expose().to_owned())));
        headers
    }

    fn body(&self, model: &str, request: &Request) -> Value {
        let most = if request.max_output_tokens > 0 { request.max_output_tokens } else { USUAL_OUTPUT };
        let mut messages: Vec<Value> = Vec::new();
        for message in &request.messages {
            let role = if message.role == Role::Assistant { "assistant" } else { "user" };
            let mut content: Vec<Value> = message.parts.iter().filter_map(part).collect();
            // Turns must alternate: what follows from the same side joins what is there.
            match messages.last_mut().filter(|last| last["role"] == role) {
                Some(last) => {
                    if let Some(there) = last["content"].as_array_mut() {
                        there.append(&mut content);
                    }
                }
                None => messages.push(json!({"role": role, "content": content})),
            }
        }
        let mut body = json!({"model": model, "max_tokens": most, "messages": messages, "stream": true});
        if !request.system.is_empty() {
            body["system"] = json!(request.system);
        }
        if let Some(temperature) = request.temperature {
            body["temperature"] = json!(temperature.min(1.0));
        }
        let mut tools: Vec<Value> = request
            .tools
            .iter()
            .map(|tool| json!({"name": tool.name, "description": tool.description, "input_schema": tool.schema}))
            .collect();
        if let Some(output) = &request.output {
            // A form for answers is a tool that must be called.
            tools.push(json!({"name": output.name, "description": "Gives the answer.", "input_schema": output.schema}));
            body["tool_choice"] = json!({"type": "tool", "name": output.name});
        }
        if !tools.is_empty() {
            body["tools"] = Value::Array(tools);
        }
        body
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(Turn::default())
    }
}

fn part(part: &Part) -> Option<Value> {
    Some(match part {
        // The wire refuses empty texts.
        Part::Text(text) if text.trim().is_empty() => return None,
        Part::Text(text) => json!({"type": "text", "text": text}),
        Part::Image { media_type, base64 } => json!({
            "type": "image", "source": {"type": "base64", "media_type": media_type, "data": base64},
        }),
        Part::ToolCall(ToolCall { id, name, arguments, .. }) => {
            let input = if arguments.is_object() { arguments.clone() } else { json!({}) };
            json!({"type": "tool_use", "id": id, "name": name, "input": input})
        }
        Part::ToolResult { id, text, failed, .. } => {
            json!({"type": "tool_result", "tool_use_id": id, "content": text, "is_error": failed})
        }
    })
}

#[derive(Default)]
struct Turn {
    answer: Answer,
    call: Option<(String, String, String)>,
    finished: bool,
}

impl Turn {
    fn usage(&mut self, usage: &Value) {
        let cached = number(&usage["cache_read_input_tokens"]);
        let made = number(&usage["cache_creation_input_tokens"]);
        let known = &mut self.answer.usage;
        if usage["input_tokens"].is_u64() {
            known.input = number(&usage["input_tokens"]) + cached + made;
            known.cached = cached;
        }
        if usage["output_tokens"].is_u64() {
            known.output = number(&usage["output_tokens"]);
        }
    }

    fn stopped(&mut self, reason: &Value) {
        self.answer.stop = match reason.as_str() {
            Some("max_tokens") => StopReason::Length,
            Some("tool_use") => StopReason::Tools,
            Some("refusal") => StopReason::Refused,
            _ => self.answer.stop,
        };
    }
}

impl Reader for Turn {
    fn event(&mut self, name: &str, value: &Value, text: &dyn Fn(&str)) -> Result<(), ModelError> {
        match value["type"].as_str().unwrap_or(name) {
            "message_start" => {
                self.answer.model = value["message"]["model"].as_str().unwrap_or_default().to_owned();
                self.usage(&value["message"]["usage"]);
            }
            "content_block_start" if value["content_block"]["type"] == "tool_use" => {
                let block = &value["content_block"];
                let word = |key: &str| block[key].as_str().unwrap_or_default().to_owned();
                self.call = Some((word("id"), word("name"), String::new()));
            }
            "content_block_delta" => {
                if let Some(piece) = value["delta"]["text"].as_str() {
                    text(piece);
                    self.answer.text.push_str(piece);
                }
                if let (Some(call), Some(piece)) = (&mut self.call, value["delta"]["partial_json"].as_str()) {
                    call.2.push_str(piece);
                }
            }
            "content_block_stop" => {
                if let Some((id, name, json)) = self.call.take() {
                    let call = ToolCall { id, name, arguments: arguments(&json), signature: None };
                    self.answer.tool_calls.push(call);
                }
            }
            "message_delta" => {
                self.stopped(&value["delta"]["stop_reason"]);
                self.usage(&value["usage"]);
            }
            "message_stop" => self.finished = true,
            _ => {}
        }
        Ok(())
    }

    fn whole(&mut self, value: &Value) -> Result<(), ModelError> {
        self.answer.model = value["model"].as_str().unwrap_or_default().to_owned();
        self.usage(&value["usage"]);
        for block in value["content"].as_array().into_iter().flatten() {
            match block["type"].as_str() {
                Some("text") => self.answer.text.push_str(block["text"].as_str().unwrap_or_default()),
                Some("tool_use") => self.answer.tool_calls.push(ToolCall {
                    id: block["id"].as_str().unwrap_or_default().to_owned(),
                    name: block["name"].as_str().unwrap_or_default().to_owned(),
                    arguments: block["input"].clone(),
                    signature: None,
                }),
                _ => {}
            }
        }
        self.stopped(&value["stop_reason"]);
        self.finished = value["content"].is_array();
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Answer, ModelError> {
        if self.finished { Ok(self.answer) } else { Err(cut()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Message;

    #[test]
    fn turns_alternate() {
        let call = ToolCall { id: "1".into(), name: "t".into(), arguments: json!({}), signature: None };
        let result = |id: &str| Message {
            role: Role::Tool,
            parts: vec![Part::ToolResult {
                id: id.into(),
                name: "t".into(),
                text: "r".into(),
                failed: false,
            }],
        };
        let request = Request {
            messages: vec![
                Message::user("a"),
                Message { role: Role::Assistant, parts: vec![Part::ToolCall(call)] },
                result("1"),
                result("2"),
                Message::user("b"),
            ],
            ..Request::default()
        };
        let body = Anthropic.body("m", &request);
        let roles: Vec<&str> =
            body["messages"].as_array().unwrap().iter().map(|m| m["role"].as_str().unwrap()).collect();
        assert_eq!(roles, ["user", "assistant", "user"]);
        assert_eq!(body["messages"][2]["content"].as_array().unwrap().len(), 3);
    }
}
