//! Models over a real wire: a server on loopback speaks each provider's format, well and badly.

use formicary_llm::{
    Answer, Capabilities, Endpoint, ErrorKind, Listener, Message, Model as _, ModelError, OutputSchema, Part,
    Patience, Remote, Request, Role, Secret, StopReason, ToolSpec, WireFormat,
};
use formicary_testkit::models::{Format, ModelServer, Play, Spoken};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::time::{Duration, Instant};

const KEY: &str = "sk-test-0123456789";

fn patience() -> Patience {
    Patience {
        whole: Duration::from_secs(20),
        idle: Duration::from_secs(10),
        retries: 3,
        first_pause: Duration::from_millis(5),
        longest_pause: Duration::from_secs(5),
        ..Patience::default()
    }
}

fn formats() -> Vec<(WireFormat, Format)> {
    let word = |word: &str| WireFormat::ALL.into_iter().find(|format| format.word() == word).unwrap();
    Format::ALL.into_iter().map(|(format, name)| (word(name), format)).collect()
}

fn remote(format: WireFormat, url: &str, patience: Patience) -> Remote {
    let endpoint = Endpoint {
        base_url: url.to_owned(),
        model: "scripted-1".into(),
        key: Some(Secret::new(KEY)),
        proxy: None,
        patience,
    };
    let capabilities =
        Capabilities { tools: true, structured_output: true, images: true, context_tokens: 8_000 };
    Remote::new(format, endpoint, capabilities).unwrap()
}

fn request() -> Request {
    let call = formicary_llm::ToolCall {
        id: "call_0".into(),
        name: "read_file".into(),
        arguments: json!({"path": "a.py"}),
        signature: Some("sig".into()),
    };
    let result = Part::ToolResult {
        id: "call_0".into(),
        name: "read_file".into(),
        text: "print(1)".into(),
        failed: false,
    };
    Request {
        system: "be brief".into(),
        messages: vec![
            Message {
                role: Role::User,
                parts: vec![
                    Part::Text("what is it?".into()),
                    Part::Image { media_type: "image/png".into(), base64: "aGk=".into() },
                ],
            },
            Message { role: Role::Assistant, parts: vec![Part::ToolCall(call)] },
            Message { role: Role::Tool, parts: vec![result] },
        ],
        tools: vec![ToolSpec {
            name: "read_file".into(),
            description: "Reads.".into(),
            schema: json!({"type": "object", "properties": {"path": {"type": "string"}}, "additionalProperties": false}),
        }],
        output: None,
        max_output_tokens: 256,
        temperature: Some(0.0),
    }
}

fn ask(format: WireFormat, plays: Vec<Play>) -> (Result<Answer, ModelError>, ModelServer) {
    let server = ModelServer::start(plays).unwrap();
    let answer = remote(format, &server.url(), patience()).ask(&request(), Listener::NOBODY);
    (answer, server)
}

#[test]
fn text_and_calls_come_whole_in_every_format() {
    let spoken = Spoken {
        text: "Zwölf Bären — done".into(),
        calls: vec![("read_file".into(), json!({"path": "ä b.py"})), ("run".into(), json!({}))],
    };
    for (format, _) in formats() {
        let (answer, server) = ask(format, vec![Play::Say(spoken.clone())]);
        let answer = answer.unwrap();
        assert_eq!(answer.text, spoken.text, "{format:?}");
        let calls: Vec<(String, Value)> =
            answer.tool_calls.iter().map(|call| (call.name.clone(), call.arguments.clone())).collect();
        assert_eq!(calls, spoken.calls, "{format:?}");
        let ids: std::collections::BTreeSet<&str> =
            answer.tool_calls.iter().map(|call| call.id.as_str()).collect();
        assert_eq!(ids.len(), 2, "{format:?}");
        assert_eq!((answer.usage.input, answer.usage.output), (100, 10), "{format:?}");
        assert_eq!((answer.stop, answer.model.as_str()), (StopReason::Tools, "scripted-1"), "{format:?}");
        assert_eq!(server.seen().len(), 1);
    }
}

#[test]
fn requests_have_the_shape_of_each_wire() {
    for (format, _) in formats() {
        let (answer, server) = ask(format, vec![Play::Say(Spoken::text("ok"))]);
        assert_eq!(answer.unwrap().stop, StopReason::End);
        let seen = server.seen().remove(0);
        let body = &seen.body;
        let bearer = format!("Bearer {KEY}");
        match format {
            WireFormat::OpenAi => {
                assert_eq!(seen.path, "/v1/chat/completions");
                assert_eq!(seen.header("authorization"), Some(bearer.as_str()));
                assert_eq!(body["messages"][0], json!({"role": "system", "content": "be brief"}));
                assert_eq!(
                    body["messages"][1]["content"][1]["image_url"]["url"],
                    "data:image/png;base64,aGk="
                );
                assert_eq!(
                    body["messages"][2]["tool_calls"][0]["function"]["arguments"],
                    r#"{"path":"a.py"}"#
                );
                assert_eq!(
                    body["messages"][3],
                    json!({"role": "tool", "tool_call_id": "call_0", "content": "print(1)"})
                );
                assert_eq!(body["tools"][0]["function"]["name"], "read_file");
                assert_eq!(body["max_tokens"], 256);
            }
            WireFormat::Responses => {
                assert_eq!(seen.path, "/v1/responses");
                assert_eq!(body["instructions"], "be brief");
                assert_eq!(body["store"], false);
                assert_eq!(body["input"][0]["content"][0]["type"], "input_text");
                assert_eq!(body["input"][1]["type"], "function_call");
                assert_eq!(
                    body["input"][2],
                    json!({"type": "function_call_output", "call_id": "call_0", "output": "print(1)"})
                );
            }
            WireFormat::Anthropic => {
                assert_eq!(seen.path, "/v1/messages");
                assert_eq!(seen.header("x-api-key"), Some(KEY));
                assert_eq!(seen.header("anthropic-version"), Some("2023-06-01"));
                assert_eq!(body["system"], "be brief");
                assert_eq!(body["messages"][0]["content"][1]["source"]["data"], "aGk=");
                assert_eq!(body["messages"][1]["content"][0]["input"], json!({"path": "a.py"}));
                assert_eq!(body["messages"][2]["content"][0]["tool_use_id"], "call_0");
            }
            WireFormat::Gemini => {
                assert_eq!(seen.path, "/v1/models/scripted-1:streamGenerateContent?alt=sse");
                assert_eq!(seen.header("x-goog-api-key"), Some(KEY));
                assert_eq!(body["systemInstruction"]["parts"][0]["text"], "be brief");
                assert_eq!(body["contents"][1]["parts"][0]["thoughtSignature"], "sig");
                assert_eq!(
                    body["contents"][2]["parts"][0]["functionResponse"]["response"]["result"],
                    "print(1)"
                );
                let parameters = &body["tools"][0]["functionDeclarations"][0]["parameters"];
                assert_eq!(parameters["additionalProperties"], Value::Null);
            }
        }
    }
}

#[test]
fn a_form_for_answers_is_asked_for_in_each_wire() {
    let output = OutputSchema {
        name: "verdict".into(),
        schema: json!({"type": "object", "properties": {"done": {"type": "boolean"}}}),
    };
    for (format, _) in formats() {
        let server = ModelServer::start(vec![Play::Say(Spoken::text("{}"))]).unwrap();
        let request = Request { output: Some(output.clone()), tools: Vec::new(), ..request() };
        remote(format, &server.url(), patience()).ask(&request, Listener::NOBODY).unwrap();
        let body = server.seen().remove(0).body;
        let found = match format {
            WireFormat::OpenAi => &body["response_format"]["json_schema"]["name"],
            WireFormat::Responses => &body["text"]["format"]["name"],
            WireFormat::Anthropic => &body["tool_choice"]["name"],
            WireFormat::Gemini => &body["generationConfig"]["responseMimeType"],
        };
        let expected = if format == WireFormat::Gemini { "application/json" } else { "verdict" };
        assert_eq!(found, expected);
    }
}

fn status(code: u16, message: &str) -> Play {
    Play::Status(code, Vec::new(), json!({"error": {"message": message, "type": "t"}}).to_string())
}

#[test]
fn passing_trouble_is_waited_out() {
    let good = || Play::Say(Spoken::text("at last"));
    for (format, _) in formats() {
        let plays = vec![
            status(503, "overloaded"),
            Play::Cut(Spoken::text("never whole, whatever comes"), 3),
            Play::HangUp,
            good(),
        ];
        let (answer, server) = ask(format, plays);
        assert_eq!(answer.unwrap().text, "at last", "{format:?}");
        assert_eq!(server.seen().len(), 4, "{format:?}");
        let (answer, server) = ask(format, vec![Play::Raw("data: {\"choices\": [oops\n\n".into()), good()]);
        assert_eq!(answer.unwrap().text, "at last", "{format:?}");
        assert_eq!(server.seen().len(), 2, "{format:?}");
    }
}

#[test]
fn what_stays_wrong_is_told_after_the_last_try() {
    let cases = [
        (Play::Cut(Spoken::text("half of it and no more"), 2), ErrorKind::Cut, 4),
        (Play::Raw("data: nonsense\n\n".into()), ErrorKind::Malformed, 4),
        (status(500, "broken"), ErrorKind::Overloaded, 4),
        (status(401, "bad key sk-test-0123456789"), ErrorKind::InvalidKey, 1),
        (status(404, "no such model"), ErrorKind::UnknownModel, 1),
        (status(400, "this model's maximum context length is 8"), ErrorKind::TooLong, 1),
        (status(400, "bad field"), ErrorKind::BadRequest, 1),
        (
            Play::Status(302, vec![("location", "http://127.0.0.1:1/".into())], String::new()),
            ErrorKind::Configuration,
            1,
        ),
    ];
    for (format, _) in formats() {
        for (play, kind, times) in &cases {
            let (answer, server) = ask(format, vec![play.clone(); 6]);
            let error = answer.unwrap_err();
            assert_eq!(error.kind, *kind, "{format:?} {play:?}: {error}");
            assert_eq!(server.seen().len(), *times, "{format:?} {play:?}");
            assert!(!error.message.contains(KEY), "{error}");
        }
    }
}

#[test]
fn the_provider_says_when_to_come_back() {
    let limited = |after: &str| {
        Play::Status(429, vec![("retry-after", after.into())], r#"{"error":{"message":"slow down"}}"#.into())
    };
    let (answer, server) = ask(WireFormat::OpenAi, vec![limited("1"), Play::Say(Spoken::text("ok"))]);
    assert_eq!(answer.unwrap().text, "ok");
    let seen = server.seen();
    assert!(seen[1].at - seen[0].at >= Duration::from_secs(1));
    // A date has whole seconds: two from now are at least one.
    let date = httpdate::fmt_http_date(std::time::SystemTime::now() + Duration::from_secs(2));
    let (answer, server) = ask(WireFormat::Gemini, vec![limited(&date), Play::Say(Spoken::text("ok"))]);
    assert_eq!(answer.unwrap().text, "ok");
    let seen = server.seen();
    assert!(seen[1].at - seen[0].at >= Duration::from_millis(900));
    let (answer, server) = ask(WireFormat::Anthropic, vec![limited("3600")]);
    assert_eq!(answer.unwrap_err().kind, ErrorKind::RateLimited);
    assert_eq!(server.seen().len(), 1);
}

#[test]
fn slow_words_are_heard_and_silence_is_not_waited_for() {
    let server =
        ModelServer::start(vec![Play::Slow(Spoken::text("slow but sure"), Duration::from_millis(20))])
            .unwrap();
    let heard = RefCell::new(Vec::new());
    let listener = Listener { text: &|piece| heard.borrow_mut().push(piece.to_owned()), ..Listener::NOBODY };
    let answer = remote(WireFormat::OpenAi, &server.url(), patience()).ask(&request(), listener).unwrap();
    assert_eq!(heard.borrow().concat(), answer.text);
    assert!(heard.borrow().len() > 1);
    let server = ModelServer::start(vec![Play::Slow(Spoken::text("x"), Duration::from_secs(2))]).unwrap();
    let hurried = Patience { idle: Duration::from_millis(100), retries: 0, ..patience() };
    let error =
        remote(WireFormat::OpenAi, &server.url(), hurried).ask(&request(), Listener::NOBODY).unwrap_err();
    assert_eq!(error.kind, ErrorKind::TimedOut);
}

#[test]
fn an_answer_can_be_called_off() {
    let server = ModelServer::start(vec![Play::Slow(Spoken::text("long"), Duration::from_secs(3))]).unwrap();
    let since = Instant::now();
    let listener =
        Listener { cancelled: &|| since.elapsed() > Duration::from_millis(100), ..Listener::NOBODY };
    let error = remote(WireFormat::OpenAi, &server.url(), patience()).ask(&request(), listener).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Cancelled);
}

#[test]
fn nobody_there_is_told_soon() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let error = remote(WireFormat::OpenAi, &format!("http://{free}/v1"), patience())
        .ask(&request(), Listener::NOBODY)
        .unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unreachable, "{error}");
    assert!(error.message.contains(&free.to_string()), "{error}");
    assert!(!error.remedy().is_empty());
}

#[test]
fn servers_that_do_not_stream_are_understood() {
    let call = json!({"id": "1", "function": {"name": "t", "arguments": "{\"a\":1}"}});
    let cases = [
        (
            WireFormat::OpenAi,
            json!({"choices": [{"message": {"content": "hi", "tool_calls": [call]}, "finish_reason": "tool_calls"}]}),
        ),
        (
            WireFormat::Anthropic,
            json!({"content": [{"type": "text", "text": "hi"}, {"type": "tool_use", "id": "1", "name": "t", "input": {"a": 1}}], "stop_reason": "tool_use"}),
        ),
        (
            WireFormat::Responses,
            json!({"output": [{"type": "message", "content": [{"type": "output_text", "text": "hi"}]}, {"type": "function_call", "call_id": "1", "name": "t", "arguments": "{\"a\":1}"}]}),
        ),
        (
            WireFormat::Gemini,
            json!([{"candidates": [{"content": {"parts": [{"text": "hi"}, {"functionCall": {"name": "t", "args": {"a": 1}}}]}, "finishReason": "STOP"}]}]),
        ),
    ];
    for (format, body) in cases {
        let (answer, _server) = ask(format, vec![Play::Status(200, Vec::new(), body.to_string())]);
        let answer = answer.unwrap();
        assert_eq!(
            (answer.text.as_str(), &answer.tool_calls[0].arguments),
            ("hi", &json!({"a": 1})),
            "{format:?}"
        );
    }
}

#[test]
fn requests_are_spread_over_the_minute() {
    let server = ModelServer::start(vec![Play::Say(Spoken::text("ok")); 3]).unwrap();
    let model =
        remote(WireFormat::OpenAi, &server.url(), Patience { requests_per_minute: Some(600), ..patience() });
    for _ in 0..3 {
        model.ask(&request(), Listener::NOBODY).unwrap();
    }
    let seen = server.seen();
    assert!(seen[2].at - seen[0].at >= Duration::from_millis(150));
}
