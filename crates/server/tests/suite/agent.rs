//! The agent's runs belong to the host's user: whoever calls without keys, and admins.

use crate::door::{Door, request};
use axum::http::StatusCode;
use formicary_model::agent::SolveInput;
use formicary_platform::agent::SolveTask;
use formicary_platform::keys::{Quota, Scope};
use formicary_platform::local_caller;
use formicary_platform::policy::Policy;
use formicary_platform::use_case::Context;
use serde_json::json;

const TASK: &str = "Write main.py that prints the first ten prime numbers, one a line.";

/// A run by the recording that comes with the source.
async fn run(door: &Door) -> String {
    let app = door.app.clone();
    let work = move || {
        let input = SolveInput {
            task: TASK.into(),
            environment: app.platform.new_request().environment,
            model: Some(format!("recorded:{}/../agent/recordings/primes.jsonl", env!("CARGO_MANIFEST_DIR"))),
            ..SolveInput::default()
        };
        let context = Context::new(local_caller(), Policy::local(std::env::temp_dir()));
        app.platform.perform::<SolveTask>(&context, input).unwrap().outcome.id
    };
    tokio::task::spawn_blocking(work).await.unwrap()
}

#[tokio::test]
async fn runs_are_listed_and_shown() {
    let door = Door::open();
    assert_eq!(door.get("/v1/agent/runs").await.json(), json!({ "items": [] }));
    let id = run(&door).await;
    let listed = door.get("/v1/agent/runs").await.json();
    let row = &listed["items"][0];
    assert_eq!((&row["id"], &row["ending"], &row["task"]), (&json!(id), &json!("solved"), &json!(TASK)));
    let shown = door.get(&format!("/v1/agent/runs/{id}")).await.json();
    assert_eq!(shown["outcome"]["changed"], json!(["main.py"]), "{shown}");
    let records = shown["records"].as_array().unwrap();
    assert!(records.len() > 5 && records.last().unwrap()["kind"] == "ended", "{shown}");
    // What fits only by its beginning is another address.
    for name in [&id[..4], "last", "none"] {
        let answer = door.get(&format!("/v1/agent/runs/{name}")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{name}: {}", answer.text());
    }
}

#[tokio::test]
async fn runs_are_not_for_every_key() {
    let (door, keys) = Door::keyed(&[
        ("agent", &[Scope::Agent], Quota::default()),
        ("admin", &[Scope::Admin], Quota::default()),
        ("both", &[Scope::Agent, Scope::Admin], Quota::default()),
    ]);
    for (key, status) in keys.iter().zip([403, 403, 200]) {
        let answer = door.as_key(key, "GET", "/v1/agent/runs", None).await;
        assert_eq!(answer.status, status, "{}", answer.text());
        assert!(status == 200 || answer.json()["hint"].as_str().unwrap().contains("scope"));
    }
    let shown = door.as_key(&keys[0], "GET", "/v1/agent/runs/none", None).await;
    assert_eq!(shown.status, StatusCode::FORBIDDEN, "{}", shown.text());
}

#[tokio::test]
async fn a_task_is_solved_by_the_operators_model() {
    let recording = format!("recorded:{}/../agent/recordings/primes.jsonl", env!("CARGO_MANIFEST_DIR"));
    let door = Door::configured(&[("llm.model", &recording)]);
    let mut call = request("POST", "/v1/agent/runs", None, json!({ "task": TASK }).to_string().into());
    call.headers_mut().insert("accept", "text/event-stream".parse().unwrap());
    let answer = door.call(call).await.text();
    assert!(answer.contains("\"step\":\"asking\"") && answer.contains("\"ending\":\"solved\""), "{answer}");
    for (wrong, named, status) in [
        (json!({ "task": " " }), "empty", StatusCode::BAD_REQUEST),
        (json!({ "task": "x", "steps": 100_000 }), "steps is 100000", StatusCode::FORBIDDEN),
        (json!({ "task": "x", "sandbox_seconds": 1e6 }), "sandbox_seconds is 1000000", StatusCode::FORBIDDEN),
        (json!({ "task": "x", "seconds": 0 }), "seconds is 0", StatusCode::BAD_REQUEST),
        (json!({ "task": "x", "model": "openai:mine" }), "model", StatusCode::FORBIDDEN),
        (json!({ "task": "x", "record": "/tmp/answers" }), "record", StatusCode::FORBIDDEN),
        (json!({ "task": "x", "out": "/tmp" }), "out", StatusCode::FORBIDDEN),
        (
            json!({ "task": "x", "files": [{ "path": "../a", "content": "" }] }),
            "../a",
            StatusCode::BAD_REQUEST,
        ),
    ] {
        let answer = door.post("/v1/agent/runs", &wrong).await;
        assert_eq!(answer.status, status, "{}", answer.text());
        assert!(answer.text().contains(named), "{}", answer.text());
    }
    let (door, keys) = Door::keyed(&[
        ("agent", &[Scope::Agent], Quota::default()),
        ("other", &[Scope::Execute], Quota::default()),
    ]);
    let body = json!({ "task": TASK });
    let none = door.as_key(&keys[0], "POST", "/v1/agent/runs", Some(&body)).await;
    assert!(none.status == StatusCode::BAD_REQUEST && none.text().contains("llm.model"), "{}", none.text());
    let other = door.as_key(&keys[1], "POST", "/v1/agent/runs", Some(&body)).await;
    assert_eq!(other.status, StatusCode::FORBIDDEN);
}
