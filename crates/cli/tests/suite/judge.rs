//! `formicary judge` as a whole command: folders, lines, checkers, interruption and going on, bad input.

use crate::command::{Bench, Said};
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const DOUBLE: &str = "print(int(input()) * 2)\n";

fn folder() -> Bench {
    Bench::new()
        .file("tests/1.in", "1\n")
        .file("tests/1.out", "2\n")
        .file("tests/secret/2.in", "20")
        .file("tests/secret/2.ans", "40\n")
        .file("right.py", DOUBLE)
        .file("wrong.py", "n = int(input()); print(2 if n == 1 else n)\n")
        .file("right.c", "#include <stdio.h>\nint main(void){int n; scanf(\"%d\", &n); printf(\"%d\\n\", n * 2); return 0;}")
        .file("broken.c", "int main(void) {")
}

/// Name and verdict of every result line.
fn verdicts(text: &str) -> Vec<String> {
    let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let results = lines.filter(|line| line.get("summary").is_none());
    results
        .map(|line| {
            format!("{} {}", line["id"].as_str().unwrap(), line["verdict"].as_str().unwrap_or("error"))
        })
        .collect()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

#[test]
fn a_folder_of_cases() {
    let bench = folder();
    let said = bench.run(&["judge", "right.py", "right.c", "--cases", "tests"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(said.stdout.contains("right.py: accepted (2 of 2 cases)\nCASE"), "{said:?}");
    assert!(said.stdout.contains("secret/2  accepted") && said.stdout.contains("2 judged: 2 accepted\n"));
    let said = bench.run(&["judge", "wrong.py", "broken.c", "--cases", "tests"]);
    assert_eq!(said.code, 1, "{said:?}");
    assert!(
        said.stdout.contains("wrong_answer") && said.stdout.contains("line 1: expected \"40\", got \"20\"")
    );
    assert!(
        said.stdout.contains("broken.c: compile_error\n") && said.stdout.contains("error: expected"),
        "{said:?}"
    );
    let said = bench.run(&["judge", "right.py", "wrong.py", "--cases", "tests", "--json"]);
    assert_eq!(verdicts(&said.stdout), ["right.py accepted", "wrong.py wrong_answer"]);
    let last: serde_json::Value = serde_json::from_str(said.stdout.lines().last().unwrap()).unwrap();
    assert_eq!(last["summary"]["cases"], 4, "{last}");
}

#[test]
fn a_compiled_program_comes_from_the_cache_unless_it_may_not() {
    let bench = folder();
    let cached = |arguments: &[&str]| {
        let said = bench.run(&[&["judge", "right.c", "--cases", "tests", "--json"], arguments].concat());
        let line: serde_json::Value = serde_json::from_str(said.stdout.lines().next().unwrap()).unwrap();
        line["compile"]["cached"].as_bool().unwrap()
    };
    assert!(!cached(&["--no-cache"]));
    assert!(!cached(&[]));
    assert!(cached(&[]));
    assert!(!cached(&["--no-cache"]));
    let run = |arguments: &[&str]| {
        let said = bench.run_with_stdin(&[&["run", "--json", "right.c"], arguments].concat(), b"1");
        said.json()["compile"]["cached"].as_bool().unwrap()
    };
    assert!(run(&[]) && !run(&["--no-cache"]) && !run(&["--set", "cache.enabled=off"]));
}

#[test]
fn checkers_tests_and_tolerance() {
    let bench = folder()
        .file(
            "check.py",
            "import sys\nsys.exit(0 if open(sys.argv[2]).read().strip() in ('2', '20') else 1)\n",
        )
        .file("double.py", "def double(n): return 2 * n\n")
        .file("test_double.py", "from double import double\nassert double(2) == 4\n")
        .file("test_wrong.py", "from double import double\nassert double(2) == 5\n")
        .file("leaves/double.py", "import sys\nsys.exit(0)\n")
        .file("near/1.in", "")
        .file("near/1.out", "3.14 x")
        .file("pi.sh", "echo 3.1415 x\n");
    for (arguments, code) in [
        (&["wrong.py", "--cases", "tests", "--checker", "check.py"][..], 0),
        (&["right.py", "--cases", "tests", "--checker", "check.py"], 1),
        (&["double.py", "--test", "test_double.py"], 0),
        (&["double.py", "--test", "test_wrong.py"], 1),
        (&["leaves/double.py", "--test", "test_wrong.py"], 1),
        (&["pi.sh", "--cases", "near"], 1),
        (&["pi.sh", "--cases", "near", "--tolerance", "0.01"], 0),
        (&["pi.sh", "--cases", "near", "--compare", "numeric"], 1),
    ] {
        let said = bench.run(&[&["judge"], arguments].concat());
        assert_eq!(said.code, code, "{arguments:?}: {said:?}");
    }
}

#[test]
fn lines_in_and_out() {
    let items = concat!(
        r#"{"id": "a", "language": "bash", "code": "cat", "cases": [{"stdin": "1", "expected": "1"}], "group": "g"}"#,
        "\n",
        "this is not json\n",
        r#"{"id": "b", "language": "bash", "code": "exit 1", "group": "g"}"#,
        "\n",
    );
    let bench = Bench::new().file("items.jsonl", items);
    let check = |said: &Said| {
        assert_eq!(said.code, 1, "{said:?}");
        assert_eq!(verdicts(&said.stdout), ["a accepted", " error", "b runtime_error"]);
        assert!(said.stdout.contains("line 2 is not an item"), "{said:?}");
    };
    let said = bench.run(&["judge", "items.jsonl"]);
    check(&said);
    assert!(said.stderr.contains("3 judged: 1 accepted, 1 runtime_error, 1 not judged"), "{said:?}");
    assert!(said.stderr.contains("pass@1 0.5000 over 1 groups"), "{said:?}");
    check(&bench.run_with_stdin(&["judge", "-", "--quiet"], items.as_bytes()));
    check(&bench.run(&["judge", "items.jsonl", "--json"]));
}

#[test]
fn results_come_while_input_is_still_open() {
    let bench = Bench::new();
    let mut child = bench.command(&["judge", "-"]).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    writeln!(stdin, r#"{{"id": "a", "language": "bash", "code": "true"}}"#).unwrap();
    let mut line = String::new();
    let mut reader = std::io::BufReader::new(child.stdout.take().unwrap());
    std::io::BufRead::read_line(&mut reader, &mut line).unwrap();
    assert_eq!(verdicts(&line), ["a accepted"]);
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// Fifty items whose verdicts are known.
fn known(bench: Bench) -> (Bench, Vec<String>) {
    let kinds = [
        ("cat", "accepted"),
        ("echo 2", "wrong_answer"),
        ("exit 3", "runtime_error"),
        ("echo; cat", "presentation_error"),
    ];
    let (mut items, mut table) = (String::new(), Vec::new());
    for number in 0..50 {
        let (code, verdict) = kinds[number % kinds.len()];
        let cases = r#"[{"stdin": "1", "expected": "1"}]"#;
        items += &format!(
            "{{\"id\": \"i{number}\", \"language\": \"bash\", \"code\": \"{code}\", \"cases\": {cases}}}\n"
        );
        table.push(format!("i{number} {verdict}"));
    }
    (bench.file("items.jsonl", items), table)
}

fn wait_for_lines(path: &Path, lines: usize, child: &mut Child) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while read(path).lines().count() < lines && child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < deadline, "no results come");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn killed_at_any_moment_it_goes_on_to_the_same_table() {
    for order in ["input", "completion"] {
        let (bench, table) = known(Bench::new());
        let out = bench.here().join("out.jsonl");
        let arguments = ["judge", "items.jsonl", "--resume", "out.jsonl", "--order", order];
        for lines in [1, 9, 10, 23, 40] {
            let mut child = bench.command(&arguments).spawn().unwrap();
            wait_for_lines(&out, lines, &mut child);
            child.kill().unwrap();
            child.wait().unwrap();
            // As if the last write had been cut in two.
            let whole = std::fs::read(&out).unwrap();
            std::fs::write(&out, &whole[..whole.len().saturating_sub(lines)]).unwrap();
        }
        let said = bench.run(&arguments);
        assert_eq!(said.code, 1, "{said:?}");
        assert!(
            said.stdout
                .contains("50 judged: 13 accepted, 13 wrong_answer, 12 presentation_error, 12 runtime_error"),
            "{said:?}"
        );
        let mut found = verdicts(&read(&out));
        if order == "completion" {
            let number = |row: &String| row[1..].split(' ').next().unwrap().parse::<u32>().unwrap();
            found.sort_by_key(number);
        }
        assert_eq!(found, table, "{order}");
        let said = bench.run(&["judge", "items.jsonl", "--resume", "out.jsonl", "--json"]);
        assert_eq!(said.json()["summary"]["resumed"], 50, "{said:?}");
    }
}

#[test]
fn an_interrupt_ends_it_and_leaves_valid_results() {
    let (bench, table) = known(Bench::new());
    let out = bench.here().join("out.jsonl");
    let mut child = bench.command(&["judge", "items.jsonl", "--out", "out.jsonl"]).spawn().unwrap();
    wait_for_lines(&out, 5, &mut child);
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("--resume out.jsonl goes on where this ended"), "{said}");
    let found = verdicts(&read(&out));
    assert!(found.len() >= 5 && read(&out).ends_with('\n'));
    assert_eq!(found, table[..found.len()]);
    bench.run(&["judge", "items.jsonl", "--resume", "out.jsonl"]);
    assert_eq!(verdicts(&read(&out)), table);
}

#[test]
fn bad_input_is_named_with_its_remedy() {
    let bench = folder()
        .file("inputs/1.in", "")
        .file("half/1.in", "")
        .file("half/1.out", "")
        .file("half/2.in", "")
        .file("notes.jsonl", "{}")
        .file("old.jsonl", "my notes\n")
        .file("items.jsonl", "");
    for (arguments, message) in [
        (&["right.py"][..], "what to judge by is not said"),
        (&["right.py", "--cases", "nowhere"], "folder nowhere cannot be read"),
        (&["right.py", "--cases", "inputs"], "folder inputs holds 1 inputs and no outputs"),
        (&["right.py", "--cases", "half"], "test case 2.in in half has no output"),
        (&["missing.py", "--cases", "tests"], "file missing.py does not exist"),
        (&["none.jsonl"], "items in none.jsonl cannot be read"),
        (&["items.jsonl", "right.py"], "items in items.jsonl bring their own cases"),
        (&["items.jsonl", "--cases", "tests"], "items in items.jsonl bring their own cases"),
        (&["items.jsonl", "--out", "old.jsonl"], "result file old.jsonl holds results already"),
        (&["items.jsonl", "--resume", "old.jsonl"], "line 1 of old.jsonl is not a result"),
        (&["items.jsonl", "--out", "no/such/out.jsonl"], "result file no/such/out.jsonl cannot be opened"),
        (&["right.py", "--cases", "tests", "--compare", "tokns"], "invalid value 'tokns'"),
        (&["right.py", "--cases", "tests", "--tolerance", "much"], "give a number"),
        (&["right.py", "--cases", "tests", "--jobs", "0"], "0 is not in"),
        (&[], "required arguments were not provided"),
    ] {
        let said = bench.run(&[&["judge"], arguments].concat());
        assert_eq!(said.code, 120, "{arguments:?}: {said:?}");
        assert!(said.stderr.contains(message) && said.stderr.contains("hint:"), "{arguments:?}: {said:?}");
        assert_eq!(said.stdout, "");
    }
    let said = bench.run(&["judge", "items.jsonl"]);
    assert_eq!((said.code, said.stdout.as_str()), (0, ""), "nothing to judge is not a failure");
}
