//! Sessions and their files.

use crate::door::{Door, request};
use axum::http::StatusCode;
use serde_json::json;

#[tokio::test]
async fn a_session_keeps_its_state_and_files() {
    let door = Door::open();
    let made = door.post("/v1/sessions", &json!({ "language": "python", "id": "work" })).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text());
    assert_eq!(made.json()["id"], "work");
    let again = door.post("/v1/sessions", &json!({ "language": "python", "id": "work" })).await;
    assert_eq!(again.status, StatusCode::CONFLICT);
    let problem = again.json();
    assert_eq!(problem["type"], "conflict");
    assert_eq!(problem["detail"], "there is a session \"work\" already");
    let cell = async |code: &str| door.post("/v1/sessions/work/cells", &json!({ "code": code })).await.json();
    cell("x = 6").await;
    let result = cell("x * 7").await;
    assert_eq!((&result["value"]["text/plain"], &result["session_id"]), (&json!("42"), &json!("work")));
    let put = request("PUT", "/v1/sessions/work/files/in/data.bin", None, vec![255, 0, 10].into());
    assert_eq!(door.call(put).await.status, StatusCode::NO_CONTENT);
    let size = cell("len(open('in/data.bin', 'rb').read())").await;
    assert_eq!(size["value"]["text/plain"], "3", "{size}");
    let listed = door.get("/v1/sessions/work/files").await.json();
    assert_eq!(listed["items"][0]["path"], "in/data.bin");
    assert_eq!(door.get("/v1/sessions/work/files/in/data.bin").await.bytes, vec![255, 0, 10]);
    for wrong in ["/v1/sessions/work/files/none", "/v1/sessions/work/files/..%2f..%2fetc%2fpasswd"] {
        let status = door.get(wrong).await.status;
        assert!(status.is_client_error(), "{wrong}: {status}");
    }
    let remove = async |path: &str| {
        door.call(request("DELETE", &format!("/v1/sessions/work/files/{path}"), None, "".into())).await.status
    };
    assert_eq!(remove("in/data.bin").await, StatusCode::NO_CONTENT);
    for wrong in ["in/data.bin", "in", "none", "..%2f..%2fetc%2fpasswd"] {
        assert!(remove(wrong).await.is_client_error(), "{wrong}");
    }
    assert_eq!(door.get("/v1/sessions/work/files").await.json()["items"], json!([]));
    let reset = request("POST", "/v1/sessions/work/reset", None, "".into());
    assert_eq!(door.call(reset).await.status, StatusCode::NO_CONTENT);
    assert_eq!(cell("x").await["status"], "nonzero_exit", "the interpreter is a new one");
    assert_eq!(door.get("/v1/sessions").await.json()["items"].as_array().unwrap().len(), 1);
    let closed = request("DELETE", "/v1/sessions/work", None, "".into());
    assert_eq!(door.call(closed).await.status, StatusCode::NO_CONTENT);
    assert_eq!(door.get("/v1/sessions/work").await.status, StatusCode::NOT_FOUND);
}

/// Of many that ask for one name at a time one gets it, and no answer shows how names are kept apart inside.
#[tokio::test(flavor = "multi_thread")]
async fn one_of_several_at_a_time_gets_a_name() {
    let door = Door::open();
    let wish = json!({ "language": "python", "id": "one" });
    let answers = futures_util::future::join_all((0..4).map(|_| door.post("/v1/sessions", &wish))).await;
    let made = answers.iter().filter(|answer| answer.status == StatusCode::CREATED).count();
    assert_eq!(made, 1);
    for answer in answers.iter().filter(|answer| answer.status != StatusCode::CREATED) {
        assert_eq!(answer.status, StatusCode::CONFLICT, "{}", answer.text());
        assert_eq!(answer.json()["detail"], "there is a session \"one\" already");
    }
    let wrong = door.post("/v1/sessions", &json!({ "language": "klingon", "id": "two" })).await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
    assert!(!wrong.text().contains("-two"), "{}", wrong.text());
}
