//! Whatever comes in, what goes out says what is wrong and what to do.

use crate::door::{Door, python, request};
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use serde_json::{Value, json};
use std::time::Duration;

fn with(mut request: Value, key: &str, value: Value) -> Value {
    request[key] = value;
    request
}

#[tokio::test]
async fn wrong_bodies_are_told_at_every_address() {
    let door = Door::open();
    let file = json!([{ "path": "a.py", "content": "x = 1\n" }]);
    let outside = json!([{ "path": "../a.py", "content": "" }]);
    let rename = json!({ "kind": "rename", "file": "/etc/passwd", "line": 1, "column": 1, "to": "x" });
    let huge = json!({ "memory_bytes": 1u64 << 40 });
    let many = vec!["a.py"; 40];
    let settings = |text: &str| json!([{ "path": "a.py", "content": "1" }, { "path": "formicary.toml", "content": text }]);
    let (wrong_settings, unknown_setting) = (settings("x = ["), settings("[review]\nbogus = 3"));
    let settings_directory = json!([{ "path": "formicary.toml/x", "content": "" }]);
    let in_the_way = json!([{ "path": "a", "content": "1" }, { "path": "a/b.py", "content": "1" }]);
    let cases = [
        ("/v1/execute", json!({}), 400, "code"),
        ("/v1/execute", json!({ "langage": "python" }), 400, "unknown field"),
        ("/v1/execute", json!({ "language": 7 }), 400, "wrong shape"),
        ("/v1/execute", json!([]), 400, "wrong shape"),
        ("/v1/execute", with(python("1"), "language", json!("pythn")), 400, "pythn"),
        ("/v1/execute", with(python("1"), "mounts", json!([{ "host": "/", "guest": "/h" }])), 403, "mounts"),
        ("/v1/execute", with(python("1"), "insist_on_mounts", json!(["/"])), 403, "insist_on_mounts"),
        ("/v1/execute", with(python("1"), "venv", json!("/venv")), 403, "venv"),
        ("/v1/execute", with(python("1"), "network", json!("host")), 403, "network"),
        ("/v1/execute", with(python("1"), "assurance", json!("best_effort")), 403, "protection"),
        ("/v1/execute", with(python("1"), "assurance", json!({ "require": "none" })), 403, "protection"),
        ("/v1/execute", with(python("1"), "provider", json!("trusted")), 403, "trusted"),
        ("/v1/execute", with(python("1"), "session_id", json!("s")), 400, "session_id"),
        (
            "/v1/execute",
            with(python("1"), "limits", json!({ "memory_bytes": 1u64 << 40 })),
            403,
            "memory_bytes",
        ),
        ("/v1/execute", with(python("1"), "limits", json!({ "wall_seconds": 1e9 })), 400, "wall_seconds"),
        ("/v1/jobs", json!({ "x": 1 }), 400, "unknown field"),
        ("/v1/judge", json!({ "items": [] }), 400, "items"),
        ("/v1/judge", json!({}), 400, "items"),
        ("/v1/sessions", json!({ "language": "cobol" }), 400, "cobol"),
        ("/v1/sessions", json!({ "language": "python", "id": "../x" }), 400, "name of a session"),
        ("/v1/sessions", json!({ "language": "python", "mount": [] }), 400, "unknown field"),
        (
            "/v1/sessions",
            json!({ "language": "python", "mounts": [{ "host": "/", "guest": "/h" }] }),
            403,
            "mounts",
        ),
        ("/v1/sessions", json!({ "language": "python", "network": "host" }), 403, "network"),
        (
            "/v1/sessions",
            json!({ "language": "python", "limits": { "output_bytes": 1e9 } }),
            403,
            "output_bytes",
        ),
        ("/v1/sessions/none/cells", json!({ "code": "1" }), 404, "none"),
        ("/v1/review", json!({ "files": outside }), 400, "leaves the folder"),
        ("/v1/review", json!({ "files": file, "project": "a b" }), 400, "project"),
        ("/v1/gate", json!({ "files": [{ "path": "a.py" }] }), 400, "neither"),
        ("/v1/search", json!({ "files": file }), 400, "look for"),
        ("/v1/search", json!({ "files": file, "pattern": "" }), 400, "empty"),
        ("/v1/search", json!({ "files": file, "rules": ["/etc/passwd"] }), 400, "not relative"),
        ("/v1/search", json!({ "files": file, "rules": ["../../etc/passwd"] }), 400, "leaves"),
        ("/v1/rewrite", json!({ "files": file, "pattern": "x" }), 400, "place"),
        ("/v1/clones", json!({ "files": [] }), 400, "no files"),
        ("/v1/clones", json!({ "files": file, "similarity": 2 }), 400, "similarity"),
        ("/v1/refactorings", json!({ "before": file }), 400, "after"),
        ("/v1/refactor", json!({ "files": file, "refactoring": rename }), 400, "/etc/passwd"),
        ("/v1/diagnose", json!({}), 400, "nothing to run"),
        ("/v1/diagnose", json!({ "text": "x", "language": "cobol" }), 400, "cobol"),
        ("/v1/fix", json!({ "files": file, "seconds": 0 }), 400, "seconds"),
        ("/v1/fix", json!({ "files": file, "paths": ["/etc/passwd"] }), 400, "/etc/passwd"),
        ("/v1/fix", json!({ "files": file, "target": "a.py" }), 400, "target"),
        ("/v1/fix", json!({ "files": file, "test": "true", "expect": "1" }), 400, "several"),
        ("/v1/fix", json!({ "files": file, "model": "openai:x" }), 403, "model"),
        ("/v1/fix", json!({ "files": file, "venv": "/venv" }), 403, "venv"),
        ("/v1/fix", json!({ "files": file, "seconds": 601 }), 403, "seconds"),
        ("/v1/diagnose", json!({ "files": file, "limits": huge }), 403, "memory_bytes"),
        ("/v1/review", json!({ "files": wrong_settings }), 400, "formicary.toml:1:6"),
        ("/v1/gate", json!({ "files": unknown_setting }), 400, "bogus"),
        ("/v1/clones", json!({ "files": wrong_settings }), 400, "formicary.toml:1:6"),
        ("/v1/review", json!({ "files": settings_directory }), 400, "cannot be a directory"),
        ("/v1/review", json!({ "files": in_the_way }), 400, "in its way"),
        ("/v1/execute", json!({ "files": in_the_way }), 400, "both a file"),
        ("/v1/execute", json!({ "code": "1", "files": file }), 400, "twice"),
        ("/v1/jobs", json!({ "files": [{ "path": "a.py" }] }), 400, "neither"),
        ("/v1/tests/run", json!({}), 400, "files"),
        ("/v1/tests/run", json!({ "files": [] }), 400, "no files"),
        ("/v1/tests/run", json!({ "files": file }), 400, "no tests"),
        ("/v1/tests/run", json!({ "files": file, "framework": "pytets" }), 400, "pytets"),
        ("/v1/tests/run", json!({ "files": file, "seconds": 301 }), 400, "seconds"),
        ("/v1/tests/run", json!({ "files": file, "test_seconds": 0 }), 400, "test_seconds"),
        ("/v1/tests/run", json!({ "files": outside }), 400, "leaves the folder"),
        ("/v1/tests/run", json!({ "files": file, "venv": "/venv" }), 403, "venv"),
        ("/v1/tests/run", json!({ "files": file, "limits": huge }), 403, "memory_bytes"),
        ("/v1/tests/generate", json!({ "files": file }), 400, "no Python files with functions"),
        ("/v1/tests/generate", json!({ "files": file, "only": ["/etc/passwd"] }), 400, "/etc/passwd"),
        ("/v1/tests/generate", json!({ "files": file, "style": "nose" }), 400, "nose"),
        ("/v1/tests/generate", json!({ "files": file, "only": many, "seconds": 100 }), 403, "3600"),
        ("/v1/tests/mutate", json!({ "files": file, "only": ["a.py"] }), 400, "no Python tests"),
        ("/v1/tests/mutate", json!({ "files": file, "most": 0 }), 400, "most"),
        ("/v1/tests/mutate", json!({ "files": file, "seconds": -1 }), 400, "seconds"),
        ("/v1/inspect", json!({}), 400, "nothing to run"),
        ("/v1/inspect", json!({ "files": file, "code": "1" }), 400, "twice"),
        ("/v1/inspect", json!({ "code": "1", "language": "cobol" }), 400, "language"),
        ("/v1/inspect", json!({ "code": "1", "language": "python", "stops": 0 }), 400, "stops"),
        ("/v1/inspect", json!({ "code": "1", "breakpoints": [{}] }), 400, "breakpoints.0"),
        ("/v1/inspect", json!({ "code": "1", "breakpoints": [{ "line": 0 }] }), 400, "breakpoints.0"),
        ("/v1/inspect", json!({ "code": "1", "breakpoints": [["a.py:1"]] }), 400, "breakpoints.0"),
        (
            "/v1/inspect",
            json!({ "code": "x = 1\n", "language": "python", "breakpoints": [{ "line": 99 }] }),
            400,
            "99",
        ),
    ];
    for (path, body, status, named) in cases {
        let answer = door.post(path, &body).await;
        let text = answer.text();
        assert_eq!(answer.status, status, "{path} {body}: {text}");
        assert_eq!(answer.headers[header::CONTENT_TYPE], "application/problem+json", "{path}");
        let problem = answer.json();
        assert_eq!((&problem["status"], &problem["instance"]), (&json!(status), &json!(path)), "{text}");
        assert!(problem["type"].is_string() && problem["title"].is_string(), "{text}");
        let told = problem["detail"].as_str().unwrap();
        assert!(told.contains(named), "{path} {body}: {told}");
        assert!(!text.contains("/tmp/"), "no place on this host is told: {text}");
    }
}

#[tokio::test]
async fn what_is_not_there_is_not_found() {
    let door = Door::open();
    for (method, path) in [
        ("GET", "/v1/nothing"),
        ("GET", "/nothing.js"),
        ("POST", "/nothing"),
        ("GET", "/v1/jobs/none"),
        ("DELETE", "/v1/jobs/none"),
        ("GET", "/v1/jobs/none/events"),
        ("GET", "/v1/jobs/none/timeline"),
        ("DELETE", "/v1/runs/none"),
        ("GET", "/v1/runs/none/timeline"),
        ("GET", "/v1/sessions/none"),
        ("GET", "/v1/sessions/%2e%2e%2fx"),
        ("DELETE", "/v1/sessions/none"),
        ("POST", "/v1/sessions/none/reset"),
        ("POST", "/v1/sessions/none/interrupt"),
        ("GET", "/v1/sessions/none/files"),
        ("GET", "/v1/sessions/none/files/a"),
        ("PUT", "/v1/sessions/none/files/a"),
        ("GET", "/v1/projects/none"),
        ("GET", "/v1/agent/runs/none"),
        ("GET", "/v1/agent/runs/last"),
        ("GET", "/v1/agent/runs/%2e%2e%2fx"),
    ] {
        let answer = door.call(request(method, path, None, Body::empty())).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{method} {path}: {}", answer.text());
        assert_eq!(answer.json()["type"], "not_found");
    }
}

#[tokio::test]
async fn wrong_methods_queries_and_headers_are_told() {
    let door = Door::open();
    let answer = door.get("/v1/execute").await;
    assert_eq!((answer.status.as_u16(), &answer.json()["type"]), (405, &json!("method_not_allowed")));
    assert_eq!(answer.headers[header::ALLOW], "POST");
    for query in ["limit=0", "limit=201", "limit=x", "status=over", "x=1", "cursor=zzz"] {
        let answer = door.get(&format!("/v1/jobs?{query}")).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{query}: {}", answer.text());
    }
    assert_eq!(door.get("/v1/execute/ws").await.status, StatusCode::UPGRADE_REQUIRED);
    let plain =
        Request::post("/v1/execute").header(header::HOST, "localhost").body(Body::from("{}")).unwrap();
    assert_eq!(door.call(plain).await.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let broken = door.call(request("POST", "/v1/execute", None, "{".into())).await;
    assert!(broken.json()["detail"].as_str().unwrap().contains("not JSON"));
}

#[tokio::test]
async fn other_names_and_other_pages_are_refused() {
    let door = Door::open();
    let from = |host: &str, origin: Option<&str>| {
        let mut request = Request::get("/v1/version").header(header::HOST, host);
        if let Some(origin) = origin {
            request = request.header(header::ORIGIN, origin);
        }
        request.body(Body::empty()).unwrap()
    };
    assert_eq!(door.call(from("evil.example", None)).await.status, StatusCode::MISDIRECTED_REQUEST);
    let foreign = door.call(from("localhost:8765", Some("http://evil.example"))).await;
    assert_eq!(foreign.status, StatusCode::FORBIDDEN);
    assert!(!foreign.headers.contains_key(header::ACCESS_CONTROL_ALLOW_ORIGIN));
    let own = door.call(from("localhost:8765", Some("http://localhost:8765"))).await;
    assert_eq!(own.status, StatusCode::OK);
    let preflight = request("OPTIONS", "/v1/execute", None, Body::empty());
    assert_eq!(door.call(preflight).await.status, StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn large_and_slow_bodies_are_ended() {
    let door = Door::with(|settings, _| {
        settings.body_bytes = 1_000;
        settings.body_time = Duration::from_millis(100);
    });
    let large = python(&"#".repeat(2_000)).to_string();
    let declared = request("POST", "/v1/execute", None, large.clone().into());
    assert_eq!(door.call(declared).await.status, StatusCode::PAYLOAD_TOO_LARGE);
    let pieces = large
        .into_bytes()
        .chunks(100)
        .map(|piece| Ok::<_, std::io::Error>(piece.to_vec()))
        .collect::<Vec<_>>();
    let streamed = Body::from_stream(futures_util::stream::iter(pieces));
    let answer = door.call(request("POST", "/v1/execute", None, streamed)).await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
    let never = Body::from_stream(futures_util::stream::pending::<Result<Vec<u8>, std::io::Error>>());
    let answer = door.call(request("POST", "/v1/execute", None, never)).await;
    assert_eq!(answer.status, StatusCode::REQUEST_TIMEOUT, "{}", answer.text());
}

#[tokio::test]
async fn what_a_browser_is_told() {
    let door = Door::open();
    let page = door.get("/").await;
    assert_eq!(page.status, StatusCode::OK);
    let policy = page.headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    let docs = door.get("/docs").await;
    assert!(docs.text().contains("/v1/execute") && !docs.text().contains("<script"));
    for path in ["/", "/docs", "/v1/health", "/openapi.json", "/nothing"] {
        let answer = door.get(path).await;
        assert_eq!(answer.headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff", "{path}");
        assert_eq!(answer.headers[header::X_FRAME_OPTIONS], "DENY", "{path}");
    }
}

/// Nothing runs that the log would not know of, and whoever asks is told why.
#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_gone_stops_runs_and_says_so() {
    // A port on which nobody listens.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let door = Door::configured(&[("audit.url", &format!("postgres://nobody@127.0.0.1:{port}/audit"))]);
    for (path, body) in [
        ("/v1/execute", crate::door::python("print(1)")),
        ("/v1/diagnose", json!({ "language": "python", "code": "print(1)" })),
    ] {
        let answer = door.post(path, &body).await;
        assert!(answer.status.is_server_error(), "{path}: {} {}", answer.status, answer.text());
        assert!(answer.text().contains("audit"), "{path}: {}", answer.text());
        assert!(!answer.text().contains("stdout"), "{path}: {}", answer.text());
    }
    let ready = door.get("/v1/ready").await;
    assert_eq!(ready.status, StatusCode::SERVICE_UNAVAILABLE, "{}", ready.text());
    assert_eq!(door.get("/v1/health").await.status, StatusCode::OK);
}
