//! `formicary agent` as a user calls it: the recording that comes with the source, kills, bad input.

use crate::command::{Bench, Said};
use formicary_testkit::leftovers::{Leftovers, Places};
use std::time::{Duration, Instant};

const TASK: &str = "Write main.py that prints the first ten prime numbers, one a line.";

fn recording() -> String {
    format!("recorded:{}/../agent/recordings/primes.jsonl", env!("CARGO_MANIFEST_DIR"))
}

fn bench() -> Bench {
    let bench = Bench::new();
    let state = bench.here().join("../state").display().to_string();
    bench.variable("XDG_STATE_HOME", &state)
}

fn demo(bench: &Bench) -> Said {
    bench.run(&["agent", "--model", &recording(), "--json", "--out", "result", TASK])
}

#[test]
fn the_recording_is_replayed_in_one_command() {
    let bench = bench();
    let said = demo(&bench);
    assert_eq!(said.code, 0, "{said:?}");
    let outcome = said.json();
    assert_eq!((&outcome["ending"], &outcome["spent"]["steps"]), (&"solved".into(), &5.into()));
    let code = std::fs::read_to_string(bench.here().join("result/main.py")).unwrap();
    assert!(code.contains("print(prime)"));
    let told = bench.run(&["agent", "--model", &recording(), TASK]);
    assert!(told.stderr.contains("IndexError: list index out of range at main.py:9"), "{}", told.stderr);
    assert!(told.stdout.contains("solved: accepted by judgement"), "{}", told.stdout);
    let replayed = bench.run(&["agent", "replay", "last"]);
    assert_eq!(replayed.code, 0, "{replayed:?}");
    assert!(replayed.stdout.contains(outcome["tree"].as_str().unwrap()));
    let shown = bench.run(&["agent", "show", "last", "--html", "page.html"]);
    assert_eq!(shown.code, 0, "{shown:?}");
    assert!(std::fs::read_to_string(bench.here().join("page.html")).unwrap().contains("<h2>solved</h2>"));
    assert_eq!(bench.run(&["agent", "list", "--json"]).json().as_array().unwrap().len(), 2);
}

/// Waits until the groups, mounts and files of a killed command are gone. Other tests of this process have descriptors and
/// children of their own: those are theirs.
fn nothing_stays(before: &Leftovers, places: &Places) {
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let now = Leftovers::now(places);
        let counts = |what: &&str| ["cgroup ", "mount ", "file "].iter().any(|kind| what.starts_with(kind));
        let left: Vec<&str> = now.beyond(before).filter(counts).collect();
        if left.is_empty() {
            return;
        }
        assert!(Instant::now() < deadline, "left of the sandbox: {left:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn killed_at_any_moment_it_ends_the_same() {
    let whole = bench();
    let since = Instant::now();
    let tree = demo(&whole).json()["tree"].clone();
    let length = since.elapsed();
    let mut resumed = 0;
    for moment in 1..=20_u32 {
        let bench = bench();
        let before = Leftovers::now(&Places::default());
        let mut child = bench.command(&["agent", "--model", &recording(), "--json", TASK]).spawn().unwrap();
        std::thread::sleep(length.mul_f64(f64::from(moment) / 21.0));
        let places = Places { owners: vec![child.id()], ..Places::default() };
        // SIGKILL: nothing of it can tidy up.
        child.kill().unwrap();
        child.wait().unwrap();
        let again = bench.run(&["agent", "resume", "last", "--json"]);
        if again.code == 120 && again.stdout.contains("there is no run") {
            // Killed before anything was begun: nothing is there to go on with.
            continue;
        }
        resumed += 1;
        assert_eq!(again.code, 0, "{moment}: {again:?}");
        assert_eq!(again.json()["tree"], tree, "{moment}");
        let state = bench.here().join("../state/formicary/agent");
        assert_eq!(std::fs::read_dir(state).unwrap().count(), 1, "{moment}");
        nothing_stays(&before, &places);
    }
    assert!(resumed >= 10, "only {resumed} runs were cut in the middle");
    assert!(length < Duration::from_secs(60));
}

#[test]
fn bad_input_is_named() {
    let bench = bench().file("long.md", vec![b'x'; 10 << 20]).file("model.jsonl", "");
    let cases: [(&[&str], &str); 9] = [
        (&["agent", "--model", &recording(), "--out", "/proc/nowhere", TASK], "/proc/nowhere"),
        (&["agent"], "the task is empty"),
        (&["agent", "--model", "openai:gpt-x", "do it"], "OPENAI_API_KEY is not set"),
        (&["agent", "do it"], "no model is chosen"),
        (&["agent", "--model", "recorded:model.jsonl", "do it"], "it is empty"),
        (&["agent", "--model", "recorded:none", "--task-file", "long.md"], "10485760 characters"),
        (&["agent", "--task-file", "none.md"], "none.md"),
        (&["agent", "--apply", "do it"], "--apply changes the folder of --in"),
        (&["agent", "resume", "nothing"], "there is no run"),
    ];
    for (arguments, part) in cases {
        let said = bench.run(arguments);
        assert_eq!(said.code, 120, "{arguments:?}: {said:?}");
        assert!(
            said.stderr.contains(part) && said.stderr.contains("hint:"),
            "{arguments:?}: {}",
            said.stderr
        );
    }
    assert_eq!(bench.run(&["agent", "list"]).stdout, "no runs yet\n");
}

#[test]
fn a_result_that_cannot_be_put_where_it_is_wanted_is_not_lost() {
    let bench = bench().file("result/main.py/other.txt", "");
    let said = demo(&bench);
    assert_eq!(said.code, 120, "{said:?}");
    assert!(said.json()["error"]["hint"].as_str().unwrap().contains("the files are kept in"), "{said:?}");
    let mut runs = std::fs::read_dir(bench.here().join("../state/formicary/agent")).unwrap();
    let kept = runs.next().unwrap().unwrap().path().join("files/main.py");
    assert!(std::fs::read_to_string(kept).unwrap().contains("print(prime)"));
    let said = bench.run(&["agent", "--model", &recording(), "--out", "result", TASK]);
    assert!(said.code == 120 && said.stdout.contains("solved: accepted by judgement"), "{said:?}");
}
