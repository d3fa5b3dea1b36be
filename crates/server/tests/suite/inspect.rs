//! Programs that are stopped and looked into.

use crate::door::{Door, request};
use axum::http::{StatusCode, header};
use serde_json::{Value, json};

fn body() -> Value {
    let code = "height = int(input())\ndef area(w, h):\n    total = w * h\n    return total\n\nfor i in range(4):\n    print(area(i, height))\n";
    json!({
        "files": [{ "path": "main.py", "content": code }],
        "breakpoints": [{ "file": "main.py", "line": 4, "condition": "w > 1" }],
        "stdin": "2\n",
        "print": ["total + 1", "nothing"],
    })
}

#[tokio::test]
async fn a_program_stops_where_it_is_told_to() {
    let door = Door::open();
    let answer = door.post("/v1/inspect", &body()).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    let report = answer.json();
    let stops = report["stops"].as_array().unwrap();
    assert_eq!(stops.len(), 2, "{report}");
    assert_eq!((&stops[0]["reason"], &stops[0]["frames"][0]["line"]), (&json!("breakpoint"), &json!(4)));
    assert_eq!(stops[0]["values"][0]["value"], "5", "{report}");
    assert!(stops[0]["values"][1]["error"].as_str().unwrap().contains("nothing"), "{report}");
    assert_eq!((&report["exit_code"], &report["output"]), (&json!(0), &json!("0\n2\n4\n6\n")));
    assert_eq!(report["debugger"], "bdb");
    let mut other = body();
    other["adapter"] = json!("delve");
    let refused = door.post("/v1/inspect", &other).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.text());
    assert!(refused.text().contains("bdb, debugpy"), "{}", refused.text());
    let mut one = body();
    one["stops"] = json!(1);
    assert_eq!(door.post("/v1/inspect", &one).await.json()["stops"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn stops_are_told_as_they_come() {
    let door = Door::open();
    let mut wish = request("POST", "/v1/inspect", None, body().to_string().into());
    wish.headers_mut().insert(header::ACCEPT, "text/event-stream".parse().unwrap());
    let text = door.call(wish).await.text();
    let events: Vec<&str> = text.lines().filter(|line| line.starts_with("event:")).collect();
    // A stop comes whole, after the count of them.
    let expected =
        ["progress", "progress", "stop", "progress", "stop", "result"].map(|name| format!("event: {name}"));
    assert_eq!(events, expected, "{text}");
}
