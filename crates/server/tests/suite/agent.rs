//! The agent's runs belong to the host's user: whoever calls without keys, and admins.

use crate::door::{Door, request};
use axum::http::StatusCode;
use formicary_platform::Cancel;
use formicary_platform::agent::{AgentHooks, AgentOptions, Rules, Task};
use formicary_platform::keys::{Quota, Scope};
use serde_json::json;

const TASK: &str = "Write main.py that prints the first ten prime numbers, one a line.";

/// A run by the recording that comes with the source.
async fn run(door: &Door) -> String {
    let app = door.app.clone();
    let work = move || {
        let options = AgentOptions {
            working_folder: std::env::temp_dir(),
            task: Task { text: TASK.into(), ..Task::default() },
            model: Some(format!("recorded:{}/../agent/recordings/primes.jsonl", env!("CARGO_MANIFEST_DIR"))),
            record: None,
            folder: None,
            rules: Rules::default(),
            budget: app.platform.agent_budget(),
            base: app.platform.new_request(),
        };
        let hooks = AgentHooks { cancel: &Cancel::default(), watch: &|_| (), human: None };
        app.platform.agent(options, &app.settings.sources, &hooks).unwrap().outcome.id
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
    for (wrong, named) in [
        (json!({ "task": " " }), "empty"),
        (json!({ "task": "x", "steps": 100_000 }), "steps is 100000"),
        (json!({ "task": "x", "seconds": 0 }), "seconds is 0"),
        (json!({ "task": "x", "model": "openai:mine" }), "model"),
        (json!({ "task": "x", "files": [{ "path": "../a", "content": "" }] }), "../a"),
    ] {
        let answer = door.post("/v1/agent/runs", &wrong).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{}", answer.text());
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
