//! What a server knows after its end, when another begins in the same folder; and what it then says of what is lost.

use crate::door::{Door, python, request, until};
use axum::http::StatusCode;
use serde_json::json;
use std::path::Path;

fn door(state: &Path) -> Door {
    Door::with(|settings, _| settings.state = Some(state.to_owned()))
}

#[tokio::test]
async fn jobs_their_keys_and_projects_outlive_the_server() {
    let state = tempfile::tempdir().unwrap();
    let ask = |code: &str, key: &'static str| {
        let mut call = request("POST", "/v1/jobs", None, python(code).to_string().into());
        call.headers_mut().insert("idempotency-key", key.parse().unwrap());
        call
    };
    let first = door(state.path());
    let done = first.call(ask("print('kept')", "one")).await.json()["id"].as_str().unwrap().to_owned();
    first.get(&format!("/v1/jobs/{done}/events")).await;
    let gone = first.call(ask("print('gone')", "two")).await.json()["id"].as_str().unwrap().to_owned();
    first.get(&format!("/v1/jobs/{gone}/events")).await;
    let lost = first.call(ask("import time; time.sleep(100)", "three")).await.json();
    let lost = lost["id"].as_str().unwrap().to_owned();
    let files = json!({ "files": [{ "path": "a.py", "content": "x = 1\n" }], "project": "mine" });
    assert_eq!(first.post("/v1/review", &files).await.status, StatusCode::OK);
    // The file comes after the last event.
    let over = |id: &str| {
        let text = std::fs::read_to_string(state.path().join(format!("jobs/local/{id}.json")));
        text.is_ok_and(|text| text.contains("\"status\":\"done\""))
    };
    until("what is done is kept", || over(&done) && over(&gone)).await;
    let removed =
        first.call(request("DELETE", &format!("/v1/jobs/{gone}"), None, axum::body::Body::empty())).await;
    assert_eq!(removed.status, StatusCode::NO_CONTENT);

    // The first is still there, as one that was killed would be for the files; the second knows only these.
    let second = door(state.path());
    let job = second.get(&format!("/v1/jobs/{done}")).await.json();
    assert_eq!((&job["status"], &job["result"]["stdout"]), (&json!("done"), &json!("kept\n")));
    assert!(second.get(&format!("/v1/jobs/{done}/events")).await.text().contains("event: result"));
    assert_eq!(second.call(ask("print('kept')", "one")).await.json()["id"], done.as_str());
    assert_eq!(second.call(ask("print('other')", "one")).await.status, StatusCode::CONFLICT);
    assert_eq!(second.get(&format!("/v1/jobs/{gone}")).await.status, StatusCode::NOT_FOUND);
    let job = second.get(&format!("/v1/jobs/{lost}")).await.json();
    assert_eq!(job["status"], "failed", "{job}");
    assert!(job["problem"]["detail"].as_str().unwrap().contains("the server ended"), "{job}");
    assert_eq!(second.get("/v1/projects/mine").await.json()["history"].as_array().unwrap().len(), 1);
    second.post("/v1/review", &files).await;
    assert_eq!(second.get("/v1/projects/mine").await.json()["history"].as_array().unwrap().len(), 2);
    first.call(request("DELETE", &format!("/v1/jobs/{lost}"), None, axum::body::Body::empty())).await;
    until("nothing is left", || first.app.gate.load() == (0, 0)).await;
}
