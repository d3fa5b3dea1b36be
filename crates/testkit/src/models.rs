//! A server on loopback that speaks the wire formats of language models, by a script: answers in pieces, refusals, streams
//! that end in the middle, JSON that is none. It remembers what it was asked.

use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A wire format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Chat completions.
    OpenAi,
    /// OpenAI's responses.
    Responses,
    /// Anthropic's messages.
    Anthropic,
    /// Google's generateContent.
    Gemini,
}

impl Format {
    /// All of them, with the word before the colon of a model's name.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::OpenAi, "openai"),
        (Self::Responses, "responses"),
        (Self::Anthropic, "anthropic"),
        (Self::Gemini, "gemini"),
    ];
}

/// What a model says.
#[derive(Debug, Clone, Default)]
pub struct Spoken {
    /// Text.
    pub text: String,
    /// Tools that it calls: name and arguments.
    pub calls: Vec<(String, Value)>,
}

impl Spoken {
    /// Text alone.
    pub fn text(text: &str) -> Self {
        Self { text: text.to_owned(), calls: Vec::new() }
    }

    /// One call.
    pub fn call(name: &str, arguments: Value) -> Self {
        Self { text: String::new(), calls: vec![(name.to_owned(), arguments)] }
    }

    /// The events of a stream that says this, tool calls in small pieces; 100 tokens read, 10 written.
    pub fn events(&self, format: Format) -> Vec<String> {
        match format {
            Format::OpenAi => self.openai(),
            Format::Responses => self.responses(),
            Format::Anthropic => self.anthropic(),
            Format::Gemini => self.gemini(),
        }
    }

    fn openai(&self) -> Vec<String> {
        let chunk = |delta: Value, finish: Value| {
            data(&json!({"id": "c", "object": "chat.completion.chunk", "model": "scripted-1",
                "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}))
        };
        let mut events = vec![
            ": keep-alive\n\n".to_owned(),
            chunk(json!({"role": "assistant", "content": ""}), Value::Null),
        ];
        events.extend(
            pieces(&self.text, 7).into_iter().map(|piece| chunk(json!({"content": piece}), Value::Null)),
        );
        for (index, (name, arguments)) in self.calls.iter().enumerate() {
            let begin = json!({"index": index, "id": format!("call_{index}"), "type": "function", "function": {"name": name, "arguments": ""}});
            events.push(chunk(json!({"tool_calls": [begin]}), Value::Null));
            for piece in pieces(&arguments.to_string(), 5) {
                let part = json!({"index": index, "function": {"arguments": piece}});
                events.push(chunk(json!({"tool_calls": [part]}), Value::Null));
            }
        }
        let reason = if self.calls.is_empty() { "stop" } else { "tool_calls" };
        events.push(chunk(json!({}), json!(reason)));
        events.push(data(
            &json!({"id": "c", "choices": [], "usage": {"prompt_tokens": 100, "completion_tokens": 10}}),
        ));
        events.push("data: [DONE]\n\n".into());
        events
    }

    fn responses(&self) -> Vec<String> {
        let mut events =
            vec![named("response.created", &json!({"type": "response.created", "response": {"id": "r"}}))];
        for piece in pieces(&self.text, 7) {
            let delta = json!({"type": "response.output_text.delta", "delta": piece});
            events.push(named("response.output_text.delta", &delta));
        }
        let mut output = Vec::new();
        if !self.text.is_empty() {
            output.push(json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": self.text}]}));
        }
        for (index, (name, arguments)) in self.calls.iter().enumerate() {
            for piece in pieces(&arguments.to_string(), 5) {
                let delta = json!({"type": "response.function_call_arguments.delta", "delta": piece});
                events.push(named("response.function_call_arguments.delta", &delta));
            }
            output.push(json!({"type": "function_call", "call_id": format!("call_{index}"), "name": name, "arguments": arguments.to_string()}));
        }
        let response = json!({"id": "r", "model": "scripted-1", "status": "completed", "output": output,
            "usage": {"input_tokens": 100, "output_tokens": 10}});
        events
            .push(named("response.completed", &json!({"type": "response.completed", "response": response})));
        events
    }

    fn anthropic(&self) -> Vec<String> {
        let event = |value: Value| named(value["type"].as_str().unwrap_or_default(), &value);
        let mut events = vec![
            event(
                json!({"type": "message_start", "message": {"id": "m", "model": "scripted-1", "content": [], "usage": {"input_tokens": 100, "output_tokens": 1}}}),
            ),
            event(json!({"type": "ping"})),
        ];
        let mut index = 0;
        if !self.text.is_empty() {
            events.push(event(json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}})));
            for piece in pieces(&self.text, 7) {
                events.push(event(json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}})));
            }
            events.push(event(json!({"type": "content_block_stop", "index": 0})));
            index = 1;
        }
        for (name, arguments) in &self.calls {
            let block =
                json!({"type": "tool_use", "id": format!("toolu_{index}"), "name": name, "input": {}});
            events
                .push(event(json!({"type": "content_block_start", "index": index, "content_block": block})));
            for piece in pieces(&arguments.to_string(), 5) {
                let delta = json!({"type": "input_json_delta", "partial_json": piece});
                events.push(event(json!({"type": "content_block_delta", "index": index, "delta": delta})));
            }
            events.push(event(json!({"type": "content_block_stop", "index": index})));
            index += 1;
        }
        let reason = if self.calls.is_empty() { "end_turn" } else { "tool_use" };
        events.push(event(json!({"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 10}})));
        events.push(event(json!({"type": "message_stop"})));
        events
    }

    fn gemini(&self) -> Vec<String> {
        let part = |part: Value| {
            data(
                &json!({"candidates": [{"content": {"role": "model", "parts": [part]}}], "modelVersion": "scripted-1"}),
            )
        };
        let mut events: Vec<String> =
            pieces(&self.text, 7).into_iter().map(|piece| part(json!({"text": piece}))).collect();
        for (name, arguments) in &self.calls {
            events.push(part(
                json!({"functionCall": {"name": name, "args": arguments}, "thoughtSignature": "sig"}),
            ));
        }
        events.push(data(&json!({"candidates": [{"content": {"parts": []}, "finishReason": "STOP"}],
            "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 10}})));
        events
    }
}

fn data(value: &Value) -> String {
    format!("data: {value}\n\n")
}

fn named(name: &str, value: &Value) -> String {
    format!("event: {name}\ndata: {value}\n\n")
}

fn pieces(text: &str, length: usize) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(length).map(|piece| piece.iter().collect()).collect()
}

/// What the server does with one request.
#[derive(Debug, Clone)]
pub enum Play {
    /// Says something, in the format that it is asked in.
    Say(Spoken),
    /// Says only so many events of it, then hangs up.
    Cut(Spoken, usize),
    /// Waits so long before each event.
    Slow(Spoken, Duration),
    /// Answers with a status, headers and a body.
    Status(u16, Vec<(&'static str, String)>, String),
    /// Answers with these bytes as a stream.
    Raw(String),
    /// Hangs up without a word.
    HangUp,
}

/// What the server was asked.
#[derive(Debug, Clone)]
pub struct Seen {
    /// The path with its query.
    pub path: String,
    /// Headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Value,
    /// When.
    pub at: Instant,
}

impl Seen {
    /// The format that it was asked in.
    pub fn format(&self) -> Format {
        match &self.path {
            path if path.contains("/chat/completions") => Format::OpenAi,
            path if path.contains("/responses") => Format::Responses,
            path if path.contains("/messages") => Format::Anthropic,
            _ => Format::Gemini,
        }
    }

    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

type Script = Box<dyn FnMut(usize, &Seen) -> Play + Send>;

/// The server. It ends with its owner.
pub struct ModelServer {
    address: SocketAddr,
    seen: Arc<Mutex<Vec<Seen>>>,
    ended: Arc<AtomicBool>,
}

impl ModelServer {
    /// A server that plays these in order; when they are used up it refuses with 500.
    pub fn start(plays: Vec<Play>) -> std::io::Result<Self> {
        let mut plays = plays.into_iter();
        let ended =
            || Play::Status(500, Vec::new(), r#"{"error":{"message":"the script has ended"}}"#.into());
        Self::with(Box::new(move |_, _| plays.next().unwrap_or_else(ended)))
    }

    /// A server that decides by the request and its number.
    pub fn with(mut script: Script) -> std::io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let (seen, ended) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
        let (own_seen, own_ended) = (Arc::clone(&seen), Arc::clone(&ended));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if own_ended.load(Ordering::Acquire) {
                    return;
                }
                // One after the other: the order of a script is the order of requests.
                let _ = serve(stream, &own_seen, &mut script);
            }
        });
        Ok(Self { address, seen, ended })
    }

    /// Its address for `llm.base_url`.
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Everything that it was asked.
    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Release);
        // Wakes the thread that waits for somebody.
        let _ = TcpStream::connect(self.address);
    }
}

fn serve(stream: TcpStream, seen: &Mutex<Vec<Seen>>, script: &mut Script) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let path = line.split_whitespace().nth(1).unwrap_or_default().to_owned();
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim().split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let length =
        headers.iter().find(|(name, _)| name == "content-length").and_then(|(_, value)| value.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body)?;
    let asked = Seen {
        path,
        headers,
        body: serde_json::from_slice(&body).unwrap_or(Value::Null),
        at: Instant::now(),
    };
    let number = {
        let mut seen = seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        seen.push(asked.clone());
        seen.len() - 1
    };
    let play = script(number, &asked);
    answer(stream, &play, asked.format())
}

const STREAM: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";

fn answer(mut stream: TcpStream, play: &Play, format: Format) -> std::io::Result<()> {
    match play {
        Play::Say(spoken) => {
            stream.write_all(STREAM.as_bytes())?;
            stream.write_all(spoken.events(format).concat().as_bytes())
        }
        Play::Cut(spoken, count) => {
            stream.write_all(STREAM.as_bytes())?;
            let events = spoken.events(format);
            stream.write_all(events[..(*count).min(events.len().saturating_sub(3))].concat().as_bytes())
        }
        Play::Slow(spoken, pause) => {
            stream.write_all(STREAM.as_bytes())?;
            for event in spoken.events(format) {
                std::thread::sleep(*pause);
                stream.write_all(event.as_bytes())?;
                stream.flush()?;
            }
            Ok(())
        }
        Play::Status(status, headers, body) => {
            let headers: String =
                headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
            write!(
                stream,
                "HTTP/1.1 {status} Status\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n{headers}\r\n{body}",
                body.len()
            )
        }
        Play::Raw(text) => {
            stream.write_all(STREAM.as_bytes())?;
            stream.write_all(text.as_bytes())
        }
        Play::HangUp => Ok(()),
    }
}
