//! Chat completions, as OpenAI and everybody who is compatible speak them.

use super::{Reader, Wire, bearer, cut, joined, number};
use crate::endpoint::Secret;
use crate::message::arguments;
use crate::{Answer, Message, ModelError, Part, Request, Role, StopReason, TokenUsage, ToolCall};
use serde_json::{Value, json};

pub(super) struct OpenAi;

impl Wire for OpenAi {
    fn url(&self, base: &str, _: &str) -> String {
        joined(base, "chat/completions")
    }

    fn headers(&self, key: Option<&Secret>, base: &str) -> Vec<(&'static str, String)> {
        bearer(key, base)
    }

    fn body(&self, model: &str, request: &Request) -> Value {
        let mut messages = Vec::new();
        if !request.system.is_empty() {
            messages.push(json!({"role": "system", "content": request.system}));
        }
        request.messages.iter().for_each(|message| write(message, &mut messages));
        let mut body = json!({
            "model": model,
            "messages": messages,
            "stream": true,
            "stream_options": {"include_usage": true},
        });
        // Newer models of OpenAI know only the second name, most other servers only the first.
        let newer = ["o1", "o3", "o4", "gpt-5"].iter().any(|name| model.starts_with(name));
        if request.max_output_tokens > 0 {
            let name = if newer { "max_completion_tokens" } else { "max_tokens" };
            body[name] = json!(request.max_output_tokens);
        }
        if let Some(temperature) = request.temperature.filter(|_| !newer) {
            body["temperature"] = json!(temperature);
        }
        if !request.tools.is_empty() {
            let tools = request.tools.iter().map(|tool| {
                json!({"type": "function", "function": {
                    "name": tool.name, "description": tool.description, "parameters": tool.schema,
                }})
            });
            body["tools"] = tools.collect();
        }
        if let Some(output) = &request.output {
            body["response_format"] = json!({"type": "json_schema", "json_schema": {
                "name": output.name, "schema": output.schema, "strict": true,
            }});
        }
        body
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(Chat::default())
    }
}

fn write(message: &Message, messages: &mut Vec<Value>) {
    let has_image = message.parts.iter().any(|part| matches!(part, Part::Image { .. }));
    let mut calls = Vec::new();
    let mut content = Vec::new();
    for part in &message.parts {
        match part {
            Part::Text(text) => content.push(json!({"type": "text", "text": text})),
            Part::Image { media_type, base64 } => content.push(json!({
                "type": "image_url", "image_url": {"url": format!("data:{media_type};base64,{base64}")},
            })),
            Part::ToolCall(call) => calls.push(json!({
                "id": call.id, "type": "function",
                "function": {"name": call.name, "arguments": written(&call.arguments)},
            })),
            Part::ToolResult { id, text, .. } => {
                messages.push(json!({"role": "tool", "tool_call_id": id, "content": text}));
            }
        }
    }
    if content.is_empty() && calls.is_empty() {
        return;
    }
    let role = if message.role == Role::Assistant { "assistant" } else { "user" };
    let text = message.text();
    let mut value = json!({"role": role});
    value["content"] = match (has_image, text.is_empty() && !calls.is_empty()) {
        (true, _) => Value::Array(content),
        (false, true) => Value::Null,
        (false, false) => Value::String(text),
    };
    if !calls.is_empty() {
        value["tool_calls"] = Value::Array(calls);
    }
    messages.push(value);
}

/// Arguments as the provider wrote them: text that was no JSON goes back as it came.
pub(super) fn written(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[derive(Default)]
struct Chat {
    answer: Answer,
    calls: Vec<(String, String, String)>,
    finished: bool,
}

impl Chat {
    fn message(&mut self, delta: &Value) {
        if let Some(piece) = delta["content"].as_str() {
            self.answer.text.push_str(piece);
        }
        for (position, call) in delta["tool_calls"].as_array().into_iter().flatten().enumerate() {
            let index = call["index"].as_u64().map_or(position, |index| index as usize).min(127);
            if self.calls.len() <= index {
                self.calls.resize(index + 1, Default::default());
            }
            let (id, name, text) = &mut self.calls[index];
            id.push_str(call["id"].as_str().filter(|new| new != id).unwrap_or_default());
            name.push_str(call["function"]["name"].as_str().filter(|new| new != name).unwrap_or_default());
            match &call["function"]["arguments"] {
                Value::String(piece) => text.push_str(piece),
                Value::Null => {}
                whole => text.push_str(&whole.to_string()),
            }
        }
    }

    fn rest(&mut self, value: &Value) {
        if let Some(model) = value["model"].as_str() {
            model.clone_into(&mut self.answer.model);
        }
        if value["usage"].is_object() {
            self.answer.usage = TokenUsage {
                input: number(&value["usage"]["prompt_tokens"]),
                output: number(&value["usage"]["completion_tokens"]),
                cached: number(&value["usage"]["prompt_tokens_details"]["cached_tokens"]),
            };
        }
        if let Some(reason) = value["choices"][0]["finish_reason"].as_str() {
            self.finished = true;
            self.answer.stop = match reason {
                "length" => StopReason::Length,
                "tool_calls" | "function_call" => StopReason::Tools,
                "content_filter" => StopReason::Refused,
                _ => StopReason::End,
            };
        }
    }
}

impl Reader for Chat {
    fn event(&mut self, _: &str, value: &Value, text: &dyn Fn(&str)) -> Result<(), ModelError> {
        let delta = &value["choices"][0]["delta"];
        if let Some(piece) = delta["content"].as_str() {
            text(piece);
        }
        self.message(delta);
        self.rest(value);
        Ok(())
    }

    fn whole(&mut self, value: &Value) -> Result<(), ModelError> {
        self.message(&value["choices"][0]["message"]);
        self.rest(value);
        Ok(())
    }

    fn done(&mut self) {
        self.finished = true;
    }

    fn finish(mut self: Box<Self>) -> Result<Answer, ModelError> {
        if !self.finished {
            return Err(cut());
        }
        for (at, (id, name, text)) in self.calls.into_iter().enumerate() {
            if name.is_empty() {
                continue;
            }
            let id = if id.is_empty() { format!("call_{at}") } else { id };
            self.answer.tool_calls.push(ToolCall { id, name, arguments: arguments(&text), signature: None });
        }
        if !self.answer.tool_calls.is_empty() {
            self.answer.stop = StopReason::Tools;
        }
        Ok(self.answer)
    }
}
