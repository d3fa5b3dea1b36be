//! `review`, `gate`, `metrics` and `rules` as commands: the wiring, the exit codes, the files that they write.

use crate::command::Bench;
use std::process::Command;

const CLEAN: &str =
    "\"\"\"Adds.\"\"\"\n\n\ndef add(a, b):\n    \"\"\"Adds two numbers.\"\"\"\n    return a + b\n";
const BROKEN_NAME: &str = "def f():\n    return undefined_thing\n";
const BARE: &str =
    "import os\n\n\ndef f():\n    try:\n        return os.getpid()\n    except:\n        return 0\n";

fn git(bench: &Bench, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main"]);
    let output = command.args(arguments).current_dir(bench.here()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

fn committed(bench: Bench) -> Bench {
    git(&bench, &["init", "-q"]);
    git(&bench, &["add", "-A"]);
    git(&bench, &["commit", "-q", "-m", "first"]);
    bench
}

#[test]
fn findings_are_shown_with_their_code() {
    let bench = Bench::new().file("a.py", BROKEN_NAME);
    let said = bench.run(&["review"]);
    assert_eq!(said.code, 1, "{said:?}");
    for part in
        ["high undefined-name", "a.py:2:12", "   2 |     return undefined_thing", "^^^^^^^^^^^^^^^", "score "]
    {
        assert!(said.stdout.contains(part), "{part}: {said:?}");
    }
    assert_eq!(bench.run(&["review", "--fail-on", "never"]).code, 0);
    assert_eq!(bench.run(&["review", "--fail-on", "critical"]).code, 0);
    assert_eq!(Bench::new().file("a.py", CLEAN).run(&["review"]).code, 0);
}

#[test]
fn reports_are_written_in_the_form_of_their_ending() {
    let bench = Bench::new().file("a.py", BROKEN_NAME);
    let mut arguments = vec!["review"];
    let names = ["r.json", "r.sarif", "r.html", "r.md", "r.xml", "r.csv", "r.txt"];
    names.iter().for_each(|name| arguments.extend(["-o", name]));
    let said = bench.run(&arguments);
    assert_eq!(said.code, 1, "{said:?}");
    let read = |name: &str| std::fs::read_to_string(bench.here().join(name)).unwrap();
    for name in names {
        assert!(read(name).contains("undefined-name"), "{name}");
    }
    let sarif: serde_json::Value = serde_json::from_str(&read("r.sarif")).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert!(results.iter().any(|result| result["ruleId"] == "undefined-name"), "{results:?}");
    assert!(!read("r.txt").contains('\u{1b}'));
    let json = bench.run(&["review", "--json"]).json();
    assert_eq!(json["findings"][0]["file"], "a.py");
    let github = bench.run(&["review", "--format", "github"]).stdout;
    assert!(github.contains("::error file=a.py,line=2,"), "{github}");
    assert_eq!(bench.run(&["review", "-o", "r.pdf"]).code, 120);
}

#[test]
fn a_change_is_judged_through_git_in_the_sandbox() {
    let bench = committed(Bench::new().file("old.py", BROKEN_NAME).file("b.py", CLEAN));
    let said = bench.run(&["gate", "--new", "HEAD"]);
    assert_eq!((said.code, said.stdout.contains("gate passed")), (0, true), "{said:?}");
    let bench = bench.file("b.py", format!("{CLEAN}{BROKEN_NAME}"));
    let said = bench.run(&["review", "--new", "HEAD"]);
    assert_eq!(said.code, 1, "{said:?}");
    assert!(said.stdout.contains("b.py:8:12") && !said.stdout.contains("old.py:2:12"), "{said:?}");
    let said = bench.run(&["gate", "--new", "HEAD"]);
    assert_eq!((said.code, said.stdout.contains("FAIL new.high: 1")), (1, true), "{said:?}");
    let hidden = format!(
        "{CLEAN}{}",
        BROKEN_NAME.replace("thing\n", "thing  # formicary: allow(undefined-name) trust me\n")
    );
    let said = bench.file("b.py", hidden).run(&["gate", "--new", "HEAD", "--json"]);
    assert_eq!(said.json()["change"]["gaming"][0]["kind"], "suppression", "{said:?}");
    assert_eq!(said.code, 1);
}

#[test]
fn a_linked_worktree_is_a_repository_too() {
    let bench = committed(Bench::new().file("main/a.py", CLEAN));
    git(&bench, &["worktree", "add", "-q", "linked"]);
    let bench = bench.file("linked/main/a.py", BROKEN_NAME);
    let said = bench.run(&["gate", "linked", "--new", "HEAD"]);
    assert_eq!((said.code, said.stdout.contains("FAIL new.high: 1")), (1, true), "{said:?}");
}

#[test]
fn a_baseline_holds_what_is_known() {
    let bench = Bench::new()
        .file("a.py", BROKEN_NAME)
        .file("formicary.toml", "[review]\nbaseline = \"known.json\"\n");
    assert_eq!(bench.run(&["review"]).code, 1);
    assert_eq!(bench.run(&["review", "--write-baseline"]).code, 0);
    assert_eq!(bench.run(&["review"]).code, 0);
    let bench = bench.file("a.py", format!("# moved\n{BROKEN_NAME}\n\ndef g():\n    return other_thing\n"));
    let said = bench.run(&["review"]);
    assert_eq!(said.code, 1, "{said:?}");
}

#[test]
fn a_written_baseline_is_read_by_the_gate() {
    let bench = Bench::new().file("a.py", BROKEN_NAME);
    assert_eq!(bench.run(&["gate"]).code, 1);
    assert_eq!(bench.run(&["review", "--write-baseline"]).code, 0);
    let said = bench.run(&["gate"]);
    assert_eq!(said.code, 0, "{said:?}");
    let said = bench.file("b.py", BROKEN_NAME).run(&["gate"]);
    assert_eq!((said.code, said.stdout.contains("b.py:2")), (1, true), "{said:?}");
}

#[test]
fn the_history_becomes_a_trend() {
    let bench = Bench::new().file("a.py", BARE);
    for _ in 0..2 {
        bench.run(&["review", "--record", "--history", "h.jsonl"]);
    }
    let json = bench.run(&["review", "--json", "--history", "h.jsonl"]).json();
    assert_eq!(json["history"].as_array().unwrap().len(), 2);
}

#[test]
fn what_is_learned_is_kept_and_changes_nothing() {
    let bench = Bench::new().file("a.py", BARE).file("b.py", BROKEN_NAME);
    let fresh = bench.run(&["review", "--json", "--no-cache"]).stdout;
    let first = bench.run(&["review", "--json"]).stdout;
    let second = bench.run(&["review", "--json"]).stdout;
    assert_eq!(fresh, first);
    assert_eq!(first, second);
    let changed = bench.file("b.py", CLEAN).run(&["review", "--json"]).json();
    let rules = changed["findings"].as_array().unwrap().iter().map(|finding| finding["rule"].clone());
    assert!(!rules.collect::<Vec<_>>().contains(&"undefined-name".into()));
}

#[test]
fn metrics_and_rules_are_listed() {
    let bench = Bench::new().file("a.py", BARE);
    let json = bench.run(&["metrics", "--json"]).json();
    assert_eq!(json["files"][0]["functions"][0]["name"], "f");
    for by in ["file", "function", "class", "module"] {
        let said = bench.run(&["metrics", "--by", by]);
        assert_eq!(said.code, 0, "{by}: {said:?}");
    }
    let rules = bench.run(&["rules", "--json"]).json();
    assert!(rules.as_array().unwrap().len() > 50);
    let said = bench.run(&["rules", "bare-except"]);
    assert!(said.stdout.contains("Bad Python") && said.stdout.contains("Good Python"), "{said:?}");
    let said = bench.run(&["rules", "bare-exept"]);
    assert_eq!((said.code, said.stderr.contains("did you mean bare-except?")), (120, true), "{said:?}");
}

#[test]
fn bad_input_is_told_with_its_remedy() {
    let cases: [(Bench, &[&str], &str); 8] = [
        (Bench::new(), &["review"], "nothing to review"),
        (Bench::new().file("a.py", CLEAN), &["review", "missing"], "missing: No such file"),
        (Bench::new().file("a.py", CLEAN), &["review", "--new", "HEAD"], "is not in a git repository"),
        (
            committed(Bench::new().file("a.py", CLEAN)),
            &["gate", "--new", "nonesuch"],
            "git knows no revision nonesuch",
        ),
        (Bench::new().file("a.py", CLEAN), &["review", "--types", "securty"], "did you mean security?"),
        (Bench::new().file("a.py", CLEAN), &["review", "--tools", "ruf"], "did you mean ruff?"),
        (
            Bench::new().file("a.py", CLEAN).file("formicary.toml", "[review.rules]\nbare-exept = \"off\"\n"),
            &["review"],
            "formicary.toml:2:1: unknown rule bare-exept",
        ),
        (
            Bench::new().file("a.py", CLEAN).file("pyproject.toml", "[tool.formicary.review]\nexclude = 1\n"),
            &["review"],
            "pyproject.toml:2:11: expected a list, found integer",
        ),
    ];
    for (bench, arguments, expected) in cases {
        let said = bench.run(arguments);
        assert_eq!(said.code, 120, "{arguments:?}: {said:?}");
        assert!(said.stderr.contains(expected), "{arguments:?}: {said:?}");
        assert!(said.stderr.contains("hint:"), "{arguments:?}: {said:?}");
    }
}

#[test]
fn a_missing_tool_is_a_note() {
    let bench = Bench::new().file("a.py", CLEAN);
    let mut command = bench.command(&["review", "--tools", "bandit", "--json"]);
    let output = command.env("PATH", "/nonexistent").output().unwrap();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(json["notes"][0]["message"].as_str().unwrap().contains("bandit: is not installed"), "{json}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn no_report_hides_or_turns_what_it_shows() {
    let name = "a\u{202e}\u{2066}\u{200b}\u{1b}[31mb.py";
    let bench = Bench::new().file(name, "import os\n\n\ndef f():\n    return 'x\u{2066}'\n# \u{202e}\n");
    for format in ["terminal", "json", "sarif", "html", "markdown", "junit", "csv", "github"] {
        let shown =
            bench.run(&["review", "--format", format, "--color", "never", "--fail-on", "never"]).stdout;
        assert!(!shown.is_empty());
        let hidden = shown.chars().find(|c| matches!(c, '\u{202e}' | '\u{2066}' | '\u{200b}' | '\u{1b}'));
        assert_eq!(hidden, None, "{format}: {shown}");
        // The file is still named, encoded in the addresses of SARIF.
        assert!(shown.contains("202e") || shown.contains("%E2%80%AE"), "{format}: {shown}");
    }
    for arguments in [
        &["search", "-l", "python", "return $X", "--json"][..],
        &["search", "-l", "python", "return $X"],
        &["symbols"],
        &["metrics"],
        &["gate", "--json"],
        &["clones", "--json"],
        &["search", "missing\u{202e}("],
    ] {
        let said = bench.run(arguments);
        assert!(
            !format!("{}{}", said.stdout, said.stderr).contains(['\u{202e}', '\u{2066}']),
            "{arguments:?}: {said:?}"
        );
    }
    let json = bench.run(&["review", "--json"]).json();
    assert_eq!(json["files"][0]["file"], name);
}
