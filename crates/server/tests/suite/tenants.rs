//! Callers with keys: what each may do, and that none touches another.

use crate::door::{Door, python, request, until};
use axum::body::Body;
use axum::http::{StatusCode, header};
use formicary_platform::keys::{Quota, Scope};
use serde_json::json;

const ALL: &[Scope] = &[Scope::Execute, Scope::Review, Scope::Debug];

#[tokio::test]
async fn a_key_is_needed_known_valid_and_enough() {
    let (door, keys) = Door::keyed(&[
        ("good", &[Scope::Execute], Quota::default()),
        ("expired", ALL, Quota::default()),
        ("admin", &[Scope::Admin], Quota::default()),
    ]);
    for open in ["/v1/health", "/v1/ready", "/openapi.json", "/docs", "/"] {
        assert_eq!(door.get(open).await.status, StatusCode::OK, "{open}");
    }
    let none = door.get("/v1/version").await;
    assert_eq!(none.status, StatusCode::UNAUTHORIZED);
    assert!(none.headers.contains_key(header::WWW_AUTHENTICATE));
    for (key, status) in [(&keys[0], 200), (&keys[1], 401), (&"fmk_00".to_owned(), 401), (&keys[2], 200)] {
        assert_eq!(door.as_key(key, "GET", "/v1/version", None).await.status, status);
    }
    for (method, path) in [("POST", "/v1/review"), ("POST", "/v1/fix"), ("GET", "/metrics"), ("GET", "/v1/metrics")] {
        let answer = door.as_key(&keys[0], method, path, Some(&json!({}))).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
        assert!(answer.json()["hint"].as_str().unwrap().contains("scope"));
        assert!(!answer.text().contains(&keys[0]));
    }
    assert_eq!(door.as_key(&keys[2], "GET", "/metrics", None).await.status, StatusCode::OK);
    assert_eq!(door.as_key(&keys[2], "POST", "/v1/execute", None).await.status, StatusCode::FORBIDDEN);
    door.app.settings.keys.as_ref().unwrap().revoke("good").unwrap();
    let mut status = StatusCode::OK;
    for _ in 0..300 {
        status = door.as_key(&keys[0], "GET", "/v1/version", None).await.status;
        if status == StatusCode::UNAUTHORIZED {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!(status, StatusCode::UNAUTHORIZED, "a revoked key holds no longer than a second");
}

#[tokio::test]
async fn a_hostile_tenant_neither_sees_nor_ends_anothers() {
    let (door, keys) = Door::keyed(&[
        ("victim", ALL, Quota::default()),
        ("hostile", ALL, Quota::default()),
        ("admin", &[Scope::Execute, Scope::Admin], Quota::default()),
    ]);
    let (victim, hostile, admin) = (&keys[0], &keys[1], &keys[2]);
    let job = door.as_key(victim, "POST", "/v1/jobs", Some(&python("import time; time.sleep(100)"))).await.json();
    let job = format!("/v1/jobs/{}", job["id"].as_str().unwrap());
    let body = json!({ "language": "python", "id": "work" });
    assert_eq!(door.as_key(victim, "POST", "/v1/sessions", Some(&body)).await.status, StatusCode::CREATED);
    let files = json!({ "files": [{ "path": "a.py", "content": "x = 1\n" }], "project": "secret" });
    door.as_key(victim, "POST", "/v1/review", Some(&files)).await;
    let active = || door.app.platform.monitors().executions.active();
    until("it runs", || !active().is_empty()).await;
    let run = format!("/v1/runs/{}", active()[0].run_id);
    for (method, path) in [
        ("GET", job.clone()),
        ("GET", format!("{job}/events")),
        ("GET", format!("{job}/timeline")),
        ("DELETE", job.clone()),
        ("DELETE", run.clone()),
        ("GET", format!("{run}/timeline")),
        ("GET", "/v1/sessions/work".into()),
        ("DELETE", "/v1/sessions/work".into()),
        ("GET", "/v1/sessions/work/files".into()),
        ("POST", "/v1/sessions/work/interrupt".into()),
        ("GET", "/v1/projects/secret".into()),
    ] {
        let answer = door.as_key(hostile, method, &path, None).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{method} {path}: {}", answer.text());
    }
    let cell = door.as_key(hostile, "POST", "/v1/sessions/work/cells", Some(&json!({ "code": "1" }))).await;
    assert_eq!(cell.status, StatusCode::NOT_FOUND);
    // Neither by a name that holds the other's: names inside begin with the caller's own.
    for list in ["/v1/jobs", "/v1/sessions", "/v1/projects"] {
        let listed = door.as_key(hostile, "GET", list, None).await.json();
        assert_eq!(listed["items"], json!([]), "{list}");
    }
    let runs = door.as_key(hostile, "GET", "/v1/runs", None).await.json();
    assert_eq!(runs, json!({ "active": [], "ended": [] }));
    assert_eq!(door.as_key(victim, "GET", "/v1/runs", None).await.json()["active"].as_array().unwrap().len(), 1);
    // The same name is another session.
    assert_eq!(door.as_key(hostile, "POST", "/v1/sessions", Some(&body)).await.status, StatusCode::CREATED);
    assert_eq!(door.as_key(hostile, "DELETE", "/v1/sessions/work", None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(door.as_key(victim, "GET", "/v1/sessions/work", None).await.status, StatusCode::OK);
    // An admin may see and end everybody's runs.
    assert_eq!(door.as_key(admin, "GET", "/v1/runs", None).await.json()["active"].as_array().unwrap().len(), 1);
    assert_eq!(door.as_key(admin, "DELETE", &run, None).await.status, StatusCode::NO_CONTENT);
    until("it is over", || active().is_empty()).await;
}

#[tokio::test]
async fn the_quota_of_one_does_not_touch_the_other() {
    let small = Quota {
        requests_per_minute: Some(30),
        concurrency: Some(1),
        cpu_seconds_per_day: Some(1e-6),
        memory_bytes: Some(64 << 20),
    };
    let (door, keys) = Door::keyed(&[("small", ALL, small), ("other", ALL, Quota::default())]);
    let mut hungry = python("print(1)");
    hungry["limits"] = json!({ "memory_bytes": 128 << 20 });
    let refused = door.as_key(&keys[0], "POST", "/v1/execute", Some(&hungry)).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.text());
    assert_eq!(door.as_key(&keys[1], "POST", "/v1/execute", Some(&hungry)).await.status, StatusCode::OK);
    let job = door.as_key(&keys[0], "POST", "/v1/jobs", Some(&python("import time; time.sleep(100)"))).await;
    assert_eq!(job.status, StatusCode::ACCEPTED, "{}", job.text());
    let second = door.as_key(&keys[0], "POST", "/v1/execute", Some(&python("1"))).await;
    assert_eq!(second.status, StatusCode::TOO_MANY_REQUESTS, "{}", second.text());
    assert!(second.headers.contains_key(header::RETRY_AFTER));
    assert_eq!(door.as_key(&keys[1], "POST", "/v1/execute", Some(&python("1"))).await.status, StatusCode::OK);
    let place = format!("/v1/jobs/{}", job.json()["id"].as_str().unwrap());
    door.as_key(&keys[0], "DELETE", &place, None).await;
    until("its place is free", || door.app.gate.load() == (0, 0)).await;
    // One run uses up the day; the next one is refused.
    door.as_key(&keys[0], "POST", "/v1/execute", Some(&python("sum(range(10**6))"))).await;
    let spent = door.as_key(&keys[0], "POST", "/v1/execute", Some(&python("1"))).await;
    assert_eq!(spent.status, StatusCode::TOO_MANY_REQUESTS, "{}", spent.text());
    assert!(spent.text().contains("CPU"), "{}", spent.text());
    let mut last = StatusCode::OK;
    for _ in 0..40 {
        last = door.as_key(&keys[0], "GET", "/v1/version", None).await.status;
    }
    assert_eq!(last, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(door.as_key(&keys[1], "GET", "/v1/version", None).await.status, StatusCode::OK);
    let unkeyed = door.call(request("GET", "/v1/version", None, Body::empty())).await;
    assert_eq!(unkeyed.status, StatusCode::UNAUTHORIZED);
}
