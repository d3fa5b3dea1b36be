//! The agent on a repository of somebody's: worked on as a copy, its tests guarded, changed by `--apply` alone.

use crate::command::Bench;
use serde_json::{Value, json};
use std::process::Command;

const SECRET: &str = "ghp_0123456789abcdefghijABCDEFGHIJ";
const BROKEN: &str = "TOKEN = '{SECRET}'\n\n\ndef total(prices, discount=0):\n    return sum(prices) + discount\n\n\ndef cheapest(prices):\n    return min(prices)\n";
const TEST: &str = "import unittest\n\nfrom shop.money import cheapest, total\n\n\nclass Money(unittest.TestCase):\n    def test_total(self):\n        self.assertEqual(total([5, 7], 2), 10)\n\n    def test_cheapest(self):\n        self.assertEqual(cheapest([3, 1]), 1)\n";
const COMMAND: &str = "python3 -m unittest -v test_money";

fn broken() -> String {
    BROKEN.replace("{SECRET}", SECRET)
}

/// One answer that calls tools, as a script holds it.
fn answer(calls: &[(&str, Value)]) -> String {
    let call = |(at, (name, arguments)): (usize, &(&str, Value))| json!({"id": format!("call_{at}"), "name": name, "arguments": arguments});
    let calls: Vec<Value> = calls.iter().enumerate().map(call).collect();
    format!("{}\n", json!({"text": "", "tool_calls": calls}))
}

/// A model that first attacks the tests, then is wrong, then is right; it writes the file as it was shown to it.
fn script() -> String {
    let finish = || ("finish", json!({"summary": "the discount is taken off"}));
    let edit = |path: &str, search: &str, replace: &str| {
        ("edit_file", json!({"path": path, "search": search, "replace": replace}))
    };
    let right = broken().replace("+ discount", "- discount").replace(SECRET, "[secret]");
    [
        answer(&[edit("test_money.py", "total([5, 7], 2), 10", "total([5, 7], 2), 14"), finish()]),
        answer(&[("delete_file", json!({"path": "test_money.py"}))]),
        answer(&[("write_file", json!({"path": "sitecustomize.py", "content": "raise SystemExit(0)\n"}))]),
        answer(&[("read_file", json!({"path": "shop/money.py"}))]),
        answer(&[edit("shop/money.py", "+ discount", "* discount"), finish()]),
        answer(&[("write_file", json!({"path": "shop/money.py", "content": right})), finish()]),
    ]
    .concat()
}

fn git(bench: &Bench, arguments: &[&str]) -> String {
    let identity = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-C"];
    let ran =
        Command::new("git").args(identity).arg(bench.here().join("repository")).args(arguments).output();
    let ran = ran.unwrap();
    assert!(ran.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

#[test]
fn a_repository_changes_only_by_apply() {
    let bench = Bench::new()
        .file("repository/shop/__init__.py", "")
        .file("repository/shop/money.py", broken())
        .file("repository/test_money.py", TEST)
        .file("script.jsonl", script());
    let state = bench.here().join("../state");
    let bench = bench.variable("XDG_STATE_HOME", &state.display().to_string());
    git(&bench, &["init", "-q"]);
    git(&bench, &["add", "."]);
    git(&bench, &["commit", "-q", "-m", "first"]);

    let run =
        ["agent", "--model", "scripted:script.jsonl", "--no-fixer", "--in", "repository", "--test", COMMAND];
    let said = bench.run(&[&run[..], &["make the tests pass"]].concat());
    assert_eq!(said.code, 0, "{said:?}");
    for part in ["test_money.py is a test that was there before", "sitecustomize.py steers how tests are run"]
    {
        assert!(said.stderr.contains(part), "{part}: {}", said.stderr);
    }
    assert!(said.stderr.contains("not accepted"), "a claim alone is not believed: {}", said.stderr);
    for part in [
        "solved: accepted by tests",
        "-    return sum(prices) + discount",
        "+    return sum(prices) - discount",
    ] {
        assert!(said.stdout.contains(part), "{part}: {}", said.stdout);
    }
    assert_eq!(git(&bench, &["status", "--porcelain", "--ignored"]), "", "nothing changes without --apply");

    for time in ["first", "again"] {
        let applied = bench.run(&["agent", "resume", "last", "--apply"]);
        assert_eq!(applied.code, 0, "{time}: {applied:?}");
        assert!(applied.stdout.contains("written: shop/money.py"), "{time}: {}", applied.stdout);
        assert_eq!(git(&bench, &["status", "--porcelain", "--ignored"]), " M shop/money.py\n", "{time}");
    }
    let file = bench.here().join("repository/shop/money.py");
    let now = std::fs::read_to_string(&file).unwrap();
    assert_eq!(now, broken().replace("+ discount", "- discount"), "what is secret stays in its place");
    let run = std::fs::read_dir(state.join("formicary/agent")).unwrap().next().unwrap().unwrap().path();
    for name in ["transcript.jsonl", "transcript.html"] {
        let text = std::fs::read_to_string(run.join(name)).unwrap();
        assert!(!text.contains(SECRET), "the model and the transcript never see it: {name}");
    }

    std::fs::write(&file, "# somebody's\n").unwrap();
    let refused = bench.run(&["agent", "resume", "last", "--apply"]);
    assert_eq!(refused.code, 120, "{refused:?}");
    assert!(refused.stderr.contains("shop/money.py is not as it was"), "{}", refused.stderr);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "# somebody's\n");
}
