//! The audit log through the binary: killed at any moment it holds every result that was returned.

use crate::command::Bench;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// Numbers that look random and are the same every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

fn items(bench: &Bench, round: u64, count: u64) -> String {
    let name = format!("items-{round}.jsonl");
    let line = |number: u64| {
        format!(
            "{{\"id\": \"{round}-{number}\", \"language\": \"bash\", \"code\": \": {round}-{number}\", \"cases\": [{{\"expected\": \"\"}}]}}\n"
        )
    };
    std::fs::write(bench.here().join(&name), (0..count).map(line).collect::<String>()).unwrap();
    name
}

/// Everything that the log says, line by line.
fn exported(bench: &Bench) -> Vec<serde_json::Value> {
    let said = bench.run(&["audit", "export"]);
    assert_eq!(said.code, 0, "{said:?}");
    said.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn killed_at_any_moment_the_log_holds_every_result_and_its_chain_verifies() {
    let bench =
        Bench::new().variable("FORMICARY_AUDIT_FILE", "audit.db").variable("FORMICARY_AUDIT_CODE", "full");
    let mut numbers = Numbers(20_261_116);
    let mut returned = BTreeSet::new();
    // Ten thousand results in all where there is time: each process is killed when it has given about five hundred.
    let long = std::env::var_os("FORMICARY_LONG").is_some();
    let (count, least, spread, patience) = if long { (600, 480, 40, 600) } else { (60, 0, 20, 60) };
    for round in 0..20 {
        let name = items(&bench, round, count);
        let out = bench.here().join(format!("out-{round}.jsonl"));
        let mut child =
            bench.command(&["judge", &name, "--out", &out.display().to_string()]).spawn().unwrap();
        let lines = (least + numbers.below(spread)) as usize;
        let more = Duration::from_micros(numbers.below(20_000));
        let read = || std::fs::read_to_string(&out).unwrap_or_default();
        let deadline = Instant::now() + Duration::from_secs(patience);
        while read().lines().count() < lines && child.try_wait().unwrap().is_none() {
            assert!(Instant::now() < deadline, "no results come");
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(more);
        child.kill().unwrap();
        child.wait().unwrap();
        for line in read().split_inclusive('\n').filter(|line| line.ends_with('\n')) {
            let result: serde_json::Value = serde_json::from_str(line).unwrap();
            returned.insert(result["id"].as_str().unwrap().to_owned());
        }
    }
    assert!(returned.len() > 20, "{} results", returned.len());
    let verified = bench.run(&["audit", "verify", "--json"]);
    assert_eq!((verified.code, &verified.json()["intact"]), (0, &true.into()), "{verified:?}");
    let mut codes = BTreeMap::new();
    let mut ended = BTreeSet::new();
    for line in exported(&bench) {
        let record = &line["record"];
        let run = record["run_id"].as_str().unwrap().to_owned();
        match record["kind"].as_str().unwrap() {
            "started" => _ = codes.insert(run, record["code"].as_str().unwrap().to_owned()),
            "ended" => _ = ended.insert(codes[&run].trim_start_matches(": ").to_owned()),
            other => panic!("{other}"),
        }
    }
    let missing: Vec<_> = returned.difference(&ended).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn ten_thousand_runs_are_in_the_log() {
    let count = if std::env::var_os("FORMICARY_LONG").is_some() { 10_000 } else { 200 };
    let bench = Bench::new().variable("FORMICARY_AUDIT_FILE", "audit.db");
    let name = items(&bench, 0, count);
    let said = bench.run(&["judge", &name, "--out", "out.jsonl"]);
    assert_eq!(said.code, 0, "{said:?}");
    let verified = bench.run(&["audit", "verify", "--json"]).json();
    assert_eq!((&verified["intact"], &verified["unfinished"]), (&true.into(), &0.into()), "{verified}");
    // The older half may have moved to an archive.
    assert_eq!(verified["last"].as_u64().map(|last| last >= 2 * count), Some(true), "{verified}");
}

#[test]
fn the_verbs_tell_what_they_need() {
    let bench = Bench::new();
    let place = ["--set", "audit.file=audit.db"];
    for (arguments, code, word) in [
        (vec!["audit", "verify"], 120, "audit.file"),
        (vec!["--set", "audit.file=audit.db", "audit", "query"], 120, "not there"),
        (vec!["--set", "audit.url=ftp://x", "run", "-l", "bash", "-c", ":"], 120, "PostgreSQL"),
        (vec!["audit", "prune", "--before", "yesterday"], 120, "yesterday"),
        (vec!["audit", "verify", "--archive", "none.jsonl"], 120, "none.jsonl"),
        (vec!["audit", "verify", "--expect", "1:zz"], 120, "1:zz"),
    ] {
        let said = bench.run(&arguments);
        assert_eq!(said.code, code, "{said:?}");
        assert!(said.stderr.contains(word), "{arguments:?}: {said:?}");
    }
    let run = |code: &str| bench.run(&[&place[..], &["run", "-l", "bash", "-c", code]].concat());
    assert_eq!((run("exit 3").code, run("exit 0").code), (3, 0));
    let audit = |verb: &[&str]| bench.run(&[&place[..], &["audit"], verb].concat());
    let said = audit(&["query", "--status", "nonzero_exit"]);
    assert!(said.code == 0 && said.stdout.lines().count() == 2, "{said:?}");
    let csv = audit(&["export", "--format", "csv", "--language", "bash"]).stdout;
    assert_eq!((csv.lines().count(), csv.starts_with("seq,at_ms,kind,")), (5, true), "{csv}");
    let head = audit(&["verify", "--json"]).json()["head"].as_str().unwrap().to_owned();
    assert_eq!(audit(&["verify", "--expect", &head]).code, 0);
    let pruned = audit(&["prune", "--before", "0s", "--archive", "old.jsonl", "--json"]);
    assert_eq!(pruned.json()["removed"], 4, "{pruned:?}");
    assert_eq!(audit(&["verify", "--archive", "old.jsonl", "--expect", &head]).code, 0);
    assert_eq!(audit(&["verify"]).code, 0);
    // A log that is cut off together with its own note of its end.
    std::fs::remove_file(bench.here().join("audit.db")).unwrap();
    assert_eq!(run("exit 0").code, 0);
    assert_eq!((audit(&["verify"]).code, audit(&["verify", "--expect", &head]).code), (0, 1));
}
