//! Google's generateContent.

use super::{Reader, Wire, cut, joined, number};
use crate::endpoint::Secret;
use crate::{Answer, ErrorKind, ModelError, Part, Request, Role, StopReason, TokenUsage, ToolCall};
use serde_json::{Value, json};

pub(super) struct Gemini;

impl Wire for Gemini {
    fn url(&self, base: &str, model: &str) -> String {
        joined(base, &format!("models/{model}:streamGenerateContent?alt=sse"))
    }

    fn headers(&self, key: Option<&Secret>, _: &str) -> Vec<(&'static str, String)> {
        key.map(|key| ("x-goog-api-key", key.expose().to_owned())).into_iter().collect()
    }

    fn body(&self, _: &str, request: &Request) -> Value {
        let mut contents: Vec<Value> = Vec::new();
        for message in &request.messages {
            let role = if message.role == Role::Assistant { "model" } else { "user" };
            let mut parts: Vec<Value> = message.parts.iter().map(part).collect();
            match contents.last_mut().filter(|last| last["role"] == role) {
                Some(last) => {
                    if let Some(there) = last["parts"].as_array_mut() {
                        there.append(&mut parts);
                    }
                }
                None => contents.push(json!({"role": role, "parts": parts})),
            }
        }
        let mut config = json!({});
        if request.max_output_tokens > 0 {
            config["maxOutputTokens"] = json!(request.max_output_tokens);
        }
        if let Some(temperature) = request.temperature {
            config["temperature"] = json!(temperature);
        }
        if let Some(output) = &request.output {
            config["responseMimeType"] = json!("application/json");
            config["responseSchema"] = plain_schema(&output.schema);
        }
        let mut body = json!({"contents": contents, "generationConfig": config});
        if !request.system.is_empty() {
            body["systemInstruction"] = json!({"parts": [{"text": request.system}]});
        }
        if !request.tools.is_empty() {
            let tools = request.tools.iter().map(|tool| {
                json!({"name": tool.name, "description": tool.description, "parameters": plain_schema(&tool.schema)})
            });
            body["tools"] = json!([{"functionDeclarations": tools.collect::<Vec<_>>()}]);
        }
        body
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(Content::default())
    }
}

fn part(part: &Part) -> Value {
    match part {
        Part::Text(text) => json!({"text": text}),
        Part::Image { media_type, base64 } => json!({"inlineData": {"mimeType": media_type, "data": base64}}),
        Part::ToolCall(call) => {
            let arguments = if call.arguments.is_object() { call.arguments.clone() } else { json!({}) };
            let mut part = json!({"functionCall": {"name": call.name, "args": arguments}});
            if let Some(signature) = &call.signature {
                part["thoughtSignature"] = json!(signature);
            }
            part
        }
        Part::ToolResult { name, text, failed, .. } => {
            let key = if *failed { "error" } else { "result" };
            json!({"functionResponse": {"name": name, "response": {key: text}}})
        }
    }
}

/// The subset of JSON schema that the wire takes.
fn plain_schema(schema: &Value) -> Value {
    match schema {
        Value::Object(map) => {
            let kept = map.iter().filter(|(key, _)| *key != "additionalProperties" && *key != "$schema");
            kept.map(|(key, value)| (key.clone(), plain_schema(value))).collect()
        }
        Value::Array(items) => items.iter().map(plain_schema).collect(),
        other => other.clone(),
    }
}

#[derive(Default)]
struct Content {
    answer: Answer,
    finished: bool,
}

impl Content {
    fn take(&mut self, value: &Value, text: &dyn Fn(&str)) -> Result<(), ModelError> {
        if let Some(reason) = value["promptFeedback"]["blockReason"].as_str() {
            let message = format!("the provider does not take the request: {reason}");
            return Err(ModelError::new(ErrorKind::BadRequest, message));
        }
        let candidate = &value["candidates"][0];
        for part in candidate["content"]["parts"].as_array().into_iter().flatten() {
            if part["thought"] == true {
                continue;
            }
            if let Some(piece) = part["text"].as_str() {
                text(piece);
                self.answer.text.push_str(piece);
            }
            if part["functionCall"].is_object() {
                let call = &part["functionCall"];
                let at = self.answer.tool_calls.len();
                self.answer.tool_calls.push(ToolCall {
                    id: call["id"].as_str().map_or_else(|| format!("call_{at}"), str::to_owned),
                    name: call["name"].as_str().unwrap_or_default().to_owned(),
                    arguments: if call["args"].is_null() { json!({}) } else { call["args"].clone() },
                    signature: part["thoughtSignature"].as_str().map(str::to_owned),
                });
            }
        }
        if let Some(reason) = candidate["finishReason"].as_str() {
            self.finished = true;
            self.answer.stop = match reason {
                "MAX_TOKENS" => StopReason::Length,
                "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" => StopReason::Refused,
                _ => StopReason::End,
            };
        }
        let usage = &value["usageMetadata"];
        if usage.is_object() {
            let output = number(&usage["candidatesTokenCount"]) + number(&usage["thoughtsTokenCount"]);
            let cached = number(&usage["cachedContentTokenCount"]);
            self.answer.usage = TokenUsage { input: number(&usage["promptTokenCount"]), output, cached };
        }
        if let Some(model) = value["modelVersion"].as_str() {
            model.clone_into(&mut self.answer.model);
        }
        Ok(())
    }
}

impl Reader for Content {
    fn event(&mut self, _: &str, value: &Value, text: &dyn Fn(&str)) -> Result<(), ModelError> {
        self.take(value, text)
    }

    fn whole(&mut self, value: &Value) -> Result<(), ModelError> {
        // Without `alt=sse` honoured, the pieces come as a list.
        match value.as_array() {
            Some(pieces) => pieces.iter().try_for_each(|piece| self.take(piece, &|_| ())),
            None => self.take(value, &|_| ()),
        }
    }

    fn finish(mut self: Box<Self>) -> Result<Answer, ModelError> {
        if !self.finished {
            return Err(cut());
        }
        if !self.answer.tool_calls.is_empty() {
            self.answer.stop = StopReason::Tools;
        }
        Ok(self.answer)
    }
}
