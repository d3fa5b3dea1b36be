//! Code that comes along: reviewed, searched, rewritten, compared, mended. Nothing of it stays.

use crate::door::Door;
use axum::http::StatusCode;
use serde_json::{Value, json};

async fn asked(door: &Door, path: &str, body: Value) -> Value {
    let answer = door.post(path, &body).await;
    assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.text());
    assert!(!answer.text().contains("/project/"), "no place on this host is told: {}", answer.text());
    answer.json()
}

#[tokio::test]
async fn projects_are_reviewed_and_remembered() {
    let door = Door::open();
    let bad = "import os\ndef f(x):\n    eval(x)\n    os.system(x)\n";
    let files = json!([{ "path": "src/a.py", "content": bad }]);
    let report = asked(&door, "/v1/review", json!({ "files": files, "project": "shop" })).await;
    let findings = report["findings"].as_array().unwrap();
    assert!(findings.iter().any(|finding| finding["file"] == "src/a.py"), "{report}");
    let good = json!([{ "path": "src/a.py", "content": "def f(x):\n    return x\n" }]);
    asked(&door, "/v1/review", json!({ "files": good, "project": "shop" })).await;
    let listed = door.get("/v1/projects").await.json();
    assert_eq!((&listed["items"][0]["name"], &listed["items"][0]["reviews"]), (&json!("shop"), &json!(2)));
    let history = door.get("/v1/projects/shop").await.json();
    let scores: Vec<f64> =
        history["history"].as_array().unwrap().iter().map(|trend| trend["score"].as_f64().unwrap()).collect();
    assert!(scores[0] < scores[1], "{scores:?}");
    let change = asked(&door, "/v1/gate", json!({ "files": files, "before": good })).await;
    assert!(change["change"]["new_findings"].as_u64().unwrap() > 0, "{change}");
    let settings = json!({ "path": "formicary.toml", "content": "[review.gate]\nscore = 100\n" });
    let gated = json!({ "files": [files[0], settings] });
    let gate = asked(&door, "/v1/gate", gated).await;
    assert_eq!(gate["gate"]["passed"], false, "{gate}");
}

#[tokio::test]
async fn what_a_review_fixes_and_knows_goes_back() {
    let door = Door::open();
    let files = json!([{ "path": "a.py", "content": "import os\nx = 1\n" }]);
    let fixed = asked(&door, "/v1/review/fix", json!({ "files": files, "unsafe": true })).await;
    assert_eq!(fixed["files"], json!([{ "path": "a.py", "content": "x = 1\n" }]), "{fixed}");
    assert!(fixed["changes"][0]["diff"].as_str().unwrap().contains("-import os"), "{fixed}");
    assert_eq!((&fixed["applied"], &fixed["written"]), (&json!(1), &json!(false)), "{fixed}");
    let known = asked(&door, "/v1/review/baseline", json!({ "files": files })).await;
    assert_eq!(
        (&known["path"], &known["findings"]),
        (&json!(".formicary/baseline.json"), &json!(1)),
        "{known}"
    );
    let both = json!([files[0], known["files"][0]]);
    let report = asked(&door, "/v1/review", json!({ "files": both, "format": "markdown" })).await;
    assert_eq!(report["findings"][0]["standing"], "unchanged", "{report}");
    assert!(report["text"].as_str().unwrap().contains("a.py"), "{report}");
    let none = asked(&door, "/v1/review", json!({ "files": files, "severity": "critical" })).await;
    assert_eq!((&none["findings"], &none["score"]), (&json!([]), &report["score"]), "{none}");
}

#[tokio::test]
async fn code_is_found_and_changed_by_its_shape() {
    let door = Door::open();
    let files = json!([{ "path": "a.py", "content": "print(1)\nprint(2, 3)\n" }]);
    let found = asked(&door, "/v1/search", json!({ "files": files, "pattern": "print($X)" })).await;
    assert_eq!(found["matches"].as_array().unwrap().len(), 1, "{found}");
    let body = json!({ "files": files, "pattern": "print($X)", "to": "log($X)", "language": "python" });
    let changed = asked(&door, "/v1/rewrite", body).await;
    assert_eq!(changed["files"][0]["content"], "log(1)\nprint(2, 3)\n", "{changed}");
    assert_eq!(changed["written"], false);
    let files = json!([{ "path": "a.py", "content": "def f(a):\n    return a + 1\nprint(f(1))\n" }]);
    let rename = json!({ "kind": "rename", "file": "a.py", "line": 1, "column": 5, "to": "g" });
    let renamed = asked(&door, "/v1/refactor", json!({ "files": files, "refactoring": rename })).await;
    assert_eq!(renamed["files"][0]["content"], "def g(a):\n    return a + 1\nprint(g(1))\n");
    let after = renamed["files"].clone();
    let told = asked(&door, "/v1/refactorings", json!({ "before": files, "after": after })).await;
    assert!(told.to_string().contains("rename"), "{told}");
    let body = "def long(a, b):\n    total = 0\n    for i in range(a):\n        if i % 2 == 0:\n            total += i * b\n        else:\n            total -= i\n    print(total)\n    return total\n";
    let twice = json!([{ "path": "a.py", "content": body }, { "path": "b.py", "content": body }]);
    let copies = asked(&door, "/v1/clones", json!({ "files": twice })).await;
    assert!(copies.to_string().contains("b.py"), "{copies}");
}

#[tokio::test]
async fn a_program_is_mended_by_its_tests() {
    let door = Door::open();
    let files = json!([
        { "path": "add.py", "content": "def add(a, b):\n    return a - b\n" },
        { "path": "check.py", "content": "from add import add\nassert add(2, 3) == 5\nassert add(0, 4) == 4\n" },
    ]);
    let body = json!({ "files": files, "paths": ["add.py"], "test": "python3 check.py", "seconds": 60 });
    let report = asked(&door, "/v1/fix", body).await;
    assert_eq!(report["status"], "fixed", "{report}");
    assert!(report["patches"][0].to_string().contains("a + b"), "{report}");
}
