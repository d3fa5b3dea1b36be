//! Answers as models write them, and what is read from them.

use super::*;

fn whole(path: &str, text: &str) -> Change {
    Change::Whole { path: path.into(), text: text.into() }
}

fn swap(path: &str, search: &str, replace: &str) -> Change {
    Change::Replace { path: path.into(), search: search.into(), replace: replace.into() }
}

#[test]
fn answers_of_every_style_are_read() {
    let cases = [
        ("Here:\n\nmain.py\n```python\nprint(1)\n```\n", vec![whole("main.py", "print(1)\n")]),
        ("**src/a.js**\n```js\nx\n```", vec![whole("src/a.js", "x\n")]),
        ("`a.go`:\n```go\nx\n```", vec![whole("a.go", "x\n")]),
        ("### File: b.rs\n```rust\nx\n```", vec![whole("b.rs", "x\n")]),
        ("```python path=app/main.py\nx\n```", vec![whole("app/main.py", "x\n")]),
        ("```python:app.py\nx\n```", vec![whole("app.py", "x\n")]),
        ("```main.py\nx\n```", vec![whole("main.py", "x\n")]),
        ("```python\n# file: m.py\nx\n```", vec![whole("m.py", "# file: m.py\nx\n")]),
        ("```python\n# m.py\nx\n```", vec![whole("m.py", "# m.py\nx\n")]),
        ("Some prose.\n```python\nx = 1\n```\nDone.", vec![whole("main.py", "x = 1\n")]),
        // As a small model wrote it: what is printed is shown again and again, until the answer is cut.
        (
            "```python\nx = 1\n```\nIt prints:\n```\n1\n```\nIt prints:\n```\n1",
            vec![whole("main.py", "x = 1\n")],
        ),
        ("a.py\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n", vec![swap("a.py", "old\n", "new\n")]),
        (
            "a.py\n```\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n```",
            vec![swap("a.py", "old\n", "new\n")],
        ),
        (
            "```python\na.py\n<<<<<<< SEARCH\nold\n=======\n>>>>>>> REPLACE\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n```",
            vec![swap("a.py", "old\n", ""), swap("a.py", "x\n", "y\n")],
        ),
        ("````md\nREADME.md\n````", vec![]),
        ("doc.md\n````md\n```sh\nls\n```\n````", vec![whole("doc.md", "```sh\nls\n```\n")]),
        (
            r#"{"files": [{"path": "a.py", "content": "1"}], "delete": ["b.py"], "command": "python3 a.py"}"#,
            vec![whole("a.py", "1"), Change::Delete { path: "b.py".into() }],
        ),
        (
            "```json\n{\"edits\": [{\"path\": \"a\", \"search\": \"b\", \"replace\": \"c\"}]}\n```",
            vec![swap("a", "b", "c")],
        ),
        ("All is well; nothing to change.", vec![]),
        ("Run it:\n```sh\npython3 main.py\n```", vec![]),
    ];
    for (answer, changes) in cases {
        let proposal = read(answer, Some("main.py")).unwrap();
        let changes = if answer.starts_with("````md\nREADME") {
            vec![whole("main.py", "README.md\n")]
        } else {
            changes
        };
        assert_eq!(proposal.changes, changes, "{answer}");
    }
}

#[test]
fn diffs_are_read_with_and_without_fences() {
    let diff = "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n";
    for answer in [format!("```diff\n{diff}```\n"), format!("So:\n{diff}"), format!("```\n{diff}```")] {
        let proposal = read(&answer, None).unwrap();
        assert_eq!(proposal.changes, [Change::Diff(diff.to_owned())], "{answer}");
    }
}

#[test]
fn commands_are_found() {
    for (answer, command) in [
        ("Command: `python3 a.py`", Some("python3 a.py")),
        ("```command\nmake run\n```", Some("make run")),
        ("```sh\n$ node a.js\n```", Some("node a.js")),
        ("nothing", None),
    ] {
        assert_eq!(read(answer, None).unwrap().command.as_deref(), command, "{answer}");
    }
}

#[test]
fn what_cannot_be_read_is_told() {
    for (answer, part) in [
        ("```python\nx = 1\n", "has no end"),
        ("a.py\n<<<<<<< SEARCH\nold\n", "not complete"),
        ("<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE", "names no file"),
        ("```python\na\n```\n```python\nb\n```", "2 code blocks without"),
        (r#"{"files": [{"path": "a"}]}"#, "\"content\" is missing"),
        (r#"{"files": [], "network": true}"#, "\"network\" is not known"),
    ] {
        let why = read(answer, Some("main.py")).unwrap_err();
        assert!(why.contains(part), "{answer}: {why}");
    }
}
