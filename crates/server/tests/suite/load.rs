//! More than can be done, and many who listen: what `cargo xtask bench service` measures, in small.

use crate::door::{Door, python, until};
use axum::http::{StatusCode, header};
use formicary_platform::keys::{Quota, Scope};
use futures_util::future::join_all;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn four_times_too_much_is_refused_cleanly_and_the_rest_is_served() {
    let door = Door::with(|settings, _| (settings.at_once, settings.waiting) = (2, 4));
    let body = python("print(1)");
    let answers = join_all((0..24).map(|_| door.post("/v1/execute", &body))).await;
    let served = answers.iter().filter(|answer| answer.status == StatusCode::OK).count();
    for answer in &answers {
        match answer.status {
            StatusCode::OK => assert_eq!(answer.json()["stdout"], "1\n"),
            StatusCode::SERVICE_UNAVAILABLE => {
                let wait = answer.headers[header::RETRY_AFTER].to_str().unwrap();
                assert!(wait.parse::<u64>().unwrap() >= 1, "{wait}");
                assert_eq!(answer.json()["type"], "overloaded");
            }
            other => panic!("{other}: {}", answer.text()),
        }
    }
    assert!((6..24).contains(&served), "{served} of 24 were served");
    until("nothing is left", || door.app.gate.load() == (0, 0)).await;
    assert_eq!(door.post("/v1/execute", &body).await.status, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn five_hundred_listeners_hear_everything() {
    let door = Door::open();
    let code = "import time\nfor n in range(5):\n    time.sleep(0.2)\n    print('line', n, flush=True)";
    let job = door.post("/v1/jobs", &python(code)).await.json();
    let place = format!("/v1/jobs/{}/events", job["id"].as_str().unwrap());
    let heard = join_all((0..500).map(|_| door.get(&place))).await;
    for answer in heard {
        let text = answer.text();
        assert!(
            text.contains("line 0") && text.contains("line 4") && text.contains("event: result"),
            "{text}"
        );
        assert!(!text.contains("event: lost"));
    }
}

#[tokio::test]
async fn those_who_are_refused_for_their_quota_are_in_the_audit_log() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("audit.db").display().to_string();
    let few = Quota { requests_per_minute: Some(2), ..Quota::default() };
    let (door, keys) = Door::keyed_and(
        &[("audit.file", &log)],
        &[("few", &[Scope::Execute], few), ("admin", &[Scope::Admin], Quota::default())],
    );
    let mut refused = 0;
    for _ in 0..20 {
        let answer = door.as_key(&keys[0], "GET", "/v1/version", None).await;
        refused += u32::from(answer.status == StatusCode::TOO_MANY_REQUESTS);
    }
    assert!(refused >= 10, "{refused}");
    let mut found = json!([]);
    for _ in 0..500 {
        found = door.as_key(&keys[1], "GET", "/v1/audit?status=refused", None).await.json();
        if found.to_string().contains("requests came in a minute") {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert!(found.to_string().contains("requests came in a minute"), "{found}");
    // A flood of refusals is not a flood of records.
    assert!(found["items"].as_array().unwrap().len() <= 5, "{found}");
    assert!(!found.to_string().contains(&keys[0]));
}
