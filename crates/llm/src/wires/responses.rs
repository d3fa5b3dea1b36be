//! OpenAI's responses.

use super::openai::written;
use super::{Reader, Wire, bearer, cut, joined, number};
use crate::endpoint::Secret;
use crate::message::arguments;
use crate::{Answer, ErrorKind, Message, ModelError, Part, Request, Role, StopReason, TokenUsage, ToolCall};
use serde_json::{Value, json};

pub(super) struct Responses;

impl Wire for Responses {
    fn url(&self, base: &str, _: &str) -> String {
        joined(base, "responses")
    }

    fn headers(&self, key: Option<&Secret>, base: &str) -> Vec<(&'static str, String)> {
        bearer(key, base)
    }

    fn body(&self, model: &str, request: &Request) -> Value {
        let mut input = Vec::new();
        request.messages.iter().for_each(|message| write(message, &mut input));
        // Nothing is kept at the provider: every request carries the whole conversation.
        let mut body = json!({"model": model, "input": input, "stream": true, "store": false});
        if !request.system.is_empty() {
            body["instructions"] = json!(request.system);
        }
        if request.max_output_tokens > 0 {
            body["max_output_tokens"] = json!(request.max_output_tokens);
        }
        if !request.tools.is_empty() {
            let tools = request.tools.iter().map(|tool| {
                json!({"type": "function", "name": tool.name, "description": tool.description,
                       "parameters": tool.schema, "strict": false})
            });
            body["tools"] = tools.collect();
        }
        if let Some(output) = &request.output {
            body["text"] = json!({"format": {
                "type": "json_schema", "name": output.name, "schema": output.schema, "strict": true,
            }});
        }
        body
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(Response::default())
    }
}

fn write(message: &Message, input: &mut Vec<Value>) {
    let mine = message.role == Role::Assistant;
    let mut content = Vec::new();
    let mut after = Vec::new();
    for part in &message.parts {
        match part {
            Part::Text(text) => {
                content.push(json!({"type": if mine { "output_text" } else { "input_text" }, "text": text}));
            }
            Part::Image { media_type, base64 } => content.push(json!({
                "type": "input_image", "image_url": format!("data:{media_type};base64,{base64}"),
            })),
            Part::ToolCall(call) => after.push(json!({
                "type": "function_call", "call_id": call.id, "name": call.name,
                "arguments": written(&call.arguments),
            })),
            Part::ToolResult { id, text, .. } => {
                after.push(json!({"type": "function_call_output", "call_id": id, "output": text}));
            }
        }
    }
    if !content.is_empty() {
        input.push(json!({"role": if mine { "assistant" } else { "user" }, "content": content}));
    }
    input.append(&mut after);
}

#[derive(Default)]
struct Response {
    answer: Option<Answer>,
}

impl Reader for Response {
    fn event(&mut self, name: &str, value: &Value, text: &dyn Fn(&str)) -> Result<(), ModelError> {
        let kind = value["type"].as_str().unwrap_or(name);
        match kind {
            "response.output_text.delta" => text(value["delta"].as_str().unwrap_or_default()),
            "response.completed" | "response.incomplete" => self.whole(&value["response"])?,
            "response.failed" => {
                let why = value["response"]["error"]["message"].as_str().unwrap_or("without a reason");
                return Err(ModelError::new(ErrorKind::Overloaded, format!("the provider broke off: {why}")));
            }
            "error" => {
                let why = value["message"].as_str().unwrap_or("without a reason");
                return Err(ModelError::new(ErrorKind::Overloaded, format!("the provider broke off: {why}")));
            }
            // The last event holds everything again, so the pieces need not be kept.
            _ => {}
        }
        Ok(())
    }

    fn whole(&mut self, value: &Value) -> Result<(), ModelError> {
        let mut answer = Answer {
            model: value["model"].as_str().unwrap_or_default().to_owned(),
            usage: TokenUsage {
                input: number(&value["usage"]["input_tokens"]),
                output: number(&value["usage"]["output_tokens"]),
                cached: number(&value["usage"]["input_tokens_details"]["cached_tokens"]),
            },
            ..Answer::default()
        };
        for item in value["output"].as_array().into_iter().flatten() {
            match item["type"].as_str() {
                Some("message") => {
                    for part in item["content"].as_array().into_iter().flatten() {
                        if part["type"] == "refusal" {
                            answer.stop = StopReason::Refused;
                        }
                        answer.text.push_str(part["text"].as_str().unwrap_or_default());
                    }
                }
                Some("function_call") => answer.tool_calls.push(ToolCall {
                    id: item["call_id"].as_str().unwrap_or_default().to_owned(),
                    name: item["name"].as_str().unwrap_or_default().to_owned(),
                    arguments: arguments(item["arguments"].as_str().unwrap_or_default()),
                    signature: None,
                }),
                _ => {}
            }
        }
        if value["status"] == "incomplete" {
            answer.stop = StopReason::Length;
        }
        if !answer.tool_calls.is_empty() {
            answer.stop = StopReason::Tools;
        }
        self.answer = Some(answer);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Answer, ModelError> {
        self.answer.ok_or_else(cut)
    }
}
