//! Tests that come along: run, written, judged. What they use is their caller's.

use crate::door::{Door, request};
use axum::http::{StatusCode, header};
use formicary_platform::keys::{Quota, Scope};
use serde_json::{Value, json};

const CALC: &str = "def clamp(x, low, high):\n    if x < low:\n        return low\n    if x > high:\n        return high\n    return x\n";
const CHECKS: &str = "import unittest\nfrom calc import clamp\n\n\nclass Checks(unittest.TestCase):\n    def test_low(self):\n        self.assertEqual(clamp(-1, 0, 9), 0)\n\n    def test_wrong(self):\n        self.assertEqual(clamp(5, 0, 9), 6)\n";

fn project(checks: &str) -> Value {
    json!([{ "path": "calc.py", "content": CALC }, { "path": "test_calc.py", "content": checks }])
}

fn right() -> String {
    CHECKS.replace(", 6)", ", 5)")
}

#[tokio::test]
async fn tests_are_run_and_each_is_told() {
    let door = Door::open();
    let body = json!({ "files": project(CHECKS), "framework": "unittest" });
    let answer = door.post("/v1/tests/run", &body).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    let report = answer.json();
    assert_eq!((&report["passed"], &report["totals"]["tests"]), (&json!(false), &json!(2)), "{report}");
    let failed = report["tests"].as_array().unwrap().iter().find(|test| test["status"] == "failed").unwrap();
    assert_eq!(failed["name"], "test_wrong", "{report}");
    assert_eq!(failed["place"], json!({ "file": "test_calc.py", "line": 10 }), "{report}");
    let body = json!({ "files": project(&right()), "framework": "unittest", "filter": "low" });
    let report = door.post("/v1/tests/run", &body).await.json();
    assert_eq!((&report["passed"], &report["totals"]["tests"]), (&json!(true), &json!(1)), "{report}");
}

#[tokio::test]
async fn tests_are_written_and_judged() {
    let door = Door::open();
    let calc = json!([{ "path": "calc.py", "content": CALC }]);
    let body = json!({ "files": calc, "style": "unittest", "seconds": 3 });
    let answer = door.post("/v1/tests/generate", &body).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    let report = answer.json();
    let made = &report["files"][0];
    assert!(made["tests"].as_u64().unwrap() > 0, "{report}");
    assert!(made["text"].as_str().unwrap().contains("clamp("), "{report}");
    // Few tests notice little; those that were written notice more.
    let judged = async |checks: &str| {
        let body = json!({ "files": project(checks), "framework": "unittest", "seconds": 60 });
        let answer = door.post("/v1/tests/mutate", &body).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        answer.json()
    };
    let weak = judged("import unittest\nfrom calc import clamp\n\n\nclass Checks(unittest.TestCase):\n    def test_one(self):\n        self.assertEqual(clamp(-1, 0, 9), 0)\n").await;
    assert!(weak["survived"].as_u64().unwrap() + weak["not_covered"].as_u64().unwrap() > 0, "{weak}");
    let strong = judged(made["text"].as_str().unwrap()).await;
    assert!(strong["score"].as_f64() > weak["score"].as_f64(), "{weak} {strong}");
}

#[tokio::test]
async fn runs_of_tests_are_their_callers() {
    let small = Quota { cpu_seconds_per_day: Some(1e-6), memory_bytes: Some(64 << 20), ..Quota::default() };
    let (door, keys) = Door::keyed(&[
        ("tester", &[Scope::Execute], small),
        ("other", &[Scope::Execute], Quota::default()),
        ("reviewer", &[Scope::Review], Quota::default()),
    ]);
    let body = json!({ "files": project(&right()), "framework": "unittest" });
    for path in ["/v1/tests/run", "/v1/tests/generate", "/v1/tests/mutate", "/v1/inspect"] {
        let answer = door.as_key(&keys[2], "POST", path, Some(&body)).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
    }
    // A suite that wants more memory than its caller may have does not get it.
    let hungry = right().replace("clamp(5,", "clamp(len(bytearray(200 << 20)) * 0 + 5,");
    let hungry = json!({ "files": project(&hungry), "framework": "unittest" });
    let told = door.as_key(&keys[1], "POST", "/v1/tests/run", Some(&hungry)).await.json();
    assert_eq!(told["passed"], true, "{told}");
    let told = door.as_key(&keys[0], "POST", "/v1/tests/run", Some(&hungry)).await.json();
    assert_eq!(told["passed"], false, "{told}");
    let runs = door.as_key(&keys[0], "GET", "/v1/runs", None).await.json();
    assert_eq!(runs["ended"][0]["run_id"], told["run_id"], "{runs}");
    let spent = door.as_key(&keys[0], "POST", "/v1/tests/run", Some(&body)).await;
    assert_eq!(spent.status, StatusCode::TOO_MANY_REQUESTS, "{}", spent.text());
}

#[tokio::test]
async fn a_run_of_tests_is_told_as_it_goes() {
    let door = Door::open();
    let body = json!({ "files": project(&right()), "framework": "unittest" });
    let mut wish = request("POST", "/v1/tests/run", None, body.to_string().into());
    wish.headers_mut().insert(header::ACCEPT, "text/event-stream".parse().unwrap());
    let text = door.call(wish).await.text();
    let last = text.lines().rfind(|line| line.starts_with("event:"));
    assert!(text.contains("event: stage") && last == Some("event: result"), "{text}");
}
