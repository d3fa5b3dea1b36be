//! Code that runs: at once, as events, as jobs; and its end when nobody waits.

use crate::door::{Answer, Door, python, request, until};
use axum::body::Body;
use axum::http::{StatusCode, header};
use serde_json::{Value, json};
use tower::ServiceExt as _;

/// Name and data of each event.
fn events(answer: &Answer) -> Vec<(String, Value)> {
    let text = answer.text();
    let blocks = text.split("\n\n").filter(|block| !block.trim().is_empty());
    let field = |block: &str, name: &str| {
        block.lines().find_map(|line| line.strip_prefix(name).map(str::trim)).unwrap_or_default().to_owned()
    };
    blocks
        .map(|block| {
            (field(block, "event:"), serde_json::from_str(&field(block, "data:")).unwrap_or_default())
        })
        .collect()
}

#[tokio::test]
async fn a_program_runs_and_its_end_is_a_result() {
    let door = Door::open();
    let answer = door.post("/v1/execute", &python("print(6 * 7)")).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    let result = answer.json();
    assert_eq!((&result["status"], &result["stdout"]), (&json!("success"), &json!("42\n")));
    let mut failing = python("open('x.bin', 'wb').write(bytes([255, 0])); raise SystemExit(3)");
    failing["collect"] = json!({ "globs": ["*.bin"] });
    let result = door.post("/v1/execute", &failing).await.json();
    assert_eq!((&result["status"], &result["exit_code"]), (&json!("nonzero_exit"), &json!(3)));
    assert_eq!(result["artifacts"][0]["content"]["base64"], "/wA=");
    let metrics = door.get("/metrics").await.text();
    let success =
        |line: &str| line.contains("language=\"python\"") && line.ends_with("status=\"success\"} 1");
    assert!(metrics.lines().any(success), "{metrics}");
    assert_eq!(door.get("/v1/metrics").await.json()["finished"], 2);
    let runs = door.get("/v1/runs").await.json();
    assert_eq!(runs["ended"].as_array().unwrap().len(), 2, "{runs}");
}

#[tokio::test]
async fn events_come_with_the_result_as_the_last() {
    let door = Door::open();
    let mut call = request("POST", "/v1/execute", None, python("print('out')").to_string().into());
    call.headers_mut().insert(header::ACCEPT, "text/event-stream".parse().unwrap());
    let answer = door.call(call).await;
    assert!(answer.headers[header::CONTENT_TYPE].to_str().unwrap().starts_with("text/event-stream"));
    let events = events(&answer);
    let names: Vec<&str> = events.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names.last(), Some(&"result"), "{names:?}");
    assert!(names.contains(&"stage"), "{names:?}");
    // A program that somebody reads along with writes when it has something: a line may come in parts.
    let output: Vec<_> = events.iter().filter(|(name, _)| name == "output").map(|(_, data)| data).collect();
    assert!(output.iter().all(|data| data["stream"] == "stdout"), "{output:?}");
    let text: String = output.iter().filter_map(|data| data["text"].as_str()).collect();
    assert_eq!(text, "out\n");
    assert_eq!(events.last().unwrap().1["stdout"], "out\n");
}

#[tokio::test]
async fn a_job_is_asked_for_once_and_told_again() {
    let door = Door::open();
    let ask = |code: &str| {
        let mut call = request("POST", "/v1/jobs", None, python(code).to_string().into());
        call.headers_mut().insert("idempotency-key", "once".parse().unwrap());
        call
    };
    let answer = door.call(ask("print('job')")).await;
    assert_eq!(answer.status, StatusCode::ACCEPTED, "{}", answer.text());
    let id = answer.json()["id"].as_str().unwrap().to_owned();
    let place = format!("/v1/jobs/{id}");
    assert_eq!(answer.headers[header::LOCATION], place.as_str());
    assert_eq!(door.call(ask("print('job')")).await.json()["id"], id.as_str());
    assert_eq!(door.call(ask("print('other')")).await.status, StatusCode::CONFLICT);
    // The stream ends when the job does.
    let all = events(&door.get(&format!("{place}/events")).await);
    let done = door.get(&place).await.json();
    assert_eq!((&done["status"], &done["result"]["stdout"]), (&json!("done"), &json!("job\n")));
    let mut resume = request("GET", &format!("{place}/events"), None, Body::empty());
    resume.headers_mut().insert("last-event-id", (all.len() - 1).to_string().parse().unwrap());
    assert_eq!(events(&door.call(resume).await).len(), 1, "only what was not seen");
    assert!(door.get(&format!("{place}/timeline")).await.json()["points"].is_array());
    let listed = door.get("/v1/jobs?status=done&limit=1").await.json();
    assert_eq!(listed["items"][0]["id"], id.as_str());
    assert!(listed["items"][0].get("result").is_none(), "lists are short");
    let gone = door.call(request("DELETE", &place, None, Body::empty())).await;
    assert_eq!(gone.status, StatusCode::NO_CONTENT);
    assert_eq!(door.get(&place).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn runs_are_ended_by_whoever_may() {
    let door = Door::open();
    let sleeping = python("import time; time.sleep(100)");
    let job = door.post("/v1/jobs", &sleeping).await.json();
    let monitor = || door.app.platform.monitors().executions.active();
    until("it runs", || monitor().iter().any(|run| door.app.runs.is_owned(&run.run_id, "local"))).await;
    let run = monitor()[0].run_id.clone();
    let ended = door.call(request("DELETE", &format!("/v1/runs/{run}"), None, Body::empty())).await;
    assert_eq!(ended.status, StatusCode::NO_CONTENT, "{}", ended.text());
    until("it is over", || monitor().is_empty()).await;
    let place = format!("/v1/jobs/{}", job["id"].as_str().unwrap());
    // The stream ends when the job does.
    door.get(&format!("{place}/events")).await;
    assert_eq!(door.get(&place).await.json()["status"], "cancelled");
}

#[tokio::test]
async fn a_caller_that_goes_away_takes_its_run_along() {
    let door = Door::open();
    let sleeping = || python("import time; time.sleep(100)").to_string();
    for accept in ["application/json", "text/event-stream"] {
        let mut call = request("POST", "/v1/execute", None, sleeping().into());
        call.headers_mut().insert(header::ACCEPT, accept.parse().unwrap());
        let waiting = tokio::spawn(door.router.clone().oneshot(call));
        let active = || door.app.platform.monitors().executions.active();
        until("it runs", || !active().is_empty()).await;
        if accept == "application/json" {
            waiting.abort();
        } else {
            drop(waiting.await.unwrap().unwrap());
        }
        until("it is over", || active().is_empty() && door.app.runs.under_way() == 0).await;
        until("its place is free", || door.app.gate.load() == (0, 0)).await;
    }
}

#[tokio::test]
async fn more_than_can_be_done_is_told_to_come_back() {
    let door = Door::with(|settings, _| (settings.at_once, settings.waiting) = (1, 1));
    let sleeping = python("import time; time.sleep(100)");
    for _ in 0..2 {
        assert_eq!(door.post("/v1/jobs", &sleeping).await.status, StatusCode::ACCEPTED);
    }
    for path in ["/v1/jobs", "/v1/execute"] {
        let answer = door.post(path, &python("1")).await;
        assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "{}", answer.text());
        assert!(answer.headers.contains_key(header::RETRY_AFTER));
    }
    assert_eq!(door.get("/v1/jobs").await.json()["items"].as_array().unwrap().len(), 2);
    for job in door.get("/v1/jobs").await.json()["items"].as_array().unwrap() {
        let place = format!("/v1/jobs/{}", job["id"].as_str().unwrap());
        door.call(request("DELETE", &place, None, Body::empty())).await;
    }
    until("nothing is left", || door.app.gate.load() == (0, 0)).await;
    assert_eq!(door.post("/v1/execute", &python("1")).await.status, StatusCode::OK);
}

#[tokio::test]
async fn programs_are_judged_and_their_failures_read() {
    let door = Door::open();
    let item = |code: &str| json!({ "code": code, "cases": [{ "stdin": "2\n", "expected": "4\n" }] });
    let body = json!({
        "language": "python",
        "items": [item("print(int(input()) * 2)"), item("print(5)")],
    });
    let judged = door.post("/v1/judge", &body).await.json();
    let verdicts: Vec<&Value> =
        judged["results"].as_array().unwrap().iter().map(|result| &result["verdict"]).collect();
    assert_eq!(verdicts, ["accepted", "wrong_answer"], "{judged}");
    assert_eq!(judged["summary"]["items"], 2);
    let body = json!({ "language": "python", "code": "def f(x):\n    return 1 / x\nf(0)\n" });
    let told = door.post("/v1/diagnose", &body).await.json();
    assert_eq!(told["result"]["status"], "nonzero_exit");
    assert!(told["diagnosis"].to_string().contains("ZeroDivisionError"), "{told}");
    let text = "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nNameError: name 'x' is not defined\n";
    let told = door.post("/v1/diagnose", &json!({ "text": text })).await.json();
    assert!(told["result"].is_null() && told["diagnosis"].to_string().contains("NameError"), "{told}");
}

/// As other front ends take it, and as it was before.
#[tokio::test]
async fn code_and_files_are_taken_plain() {
    let door = Door::open();
    let files = json!([{ "path": "main.py", "content": "import other\n" }, { "path": "other.py", "content": "print(42)\n" }]);
    for body in [
        json!({ "language": "python", "code": "print(42)" }),
        json!({ "language": "python", "files": files }),
        json!({ "language": "python", "files": files, "entry": "other.py" }),
        json!({ "language": "python", "source": { "files": { "files": files } } }),
    ] {
        let answer = door.post("/v1/execute", &body).await;
        assert_eq!(answer.json()["stdout"], "42\n", "{body}: {}", answer.text());
        let job = door.post("/v1/jobs", &body).await;
        assert_eq!(job.status, axum::http::StatusCode::ACCEPTED, "{}", job.text());
    }
}
