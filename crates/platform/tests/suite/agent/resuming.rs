//! A run that was cut anywhere ends as if it had not been, and nothing happens twice.

use super::*;
use formicary_platform::agent::Ending;

const PLAYS: usize = 6;

/// A model that answers by how long the conversation is: the same question gets the same answer, however often asked.
fn server() -> ModelServer {
    ModelServer::with(Box::new(|_, seen| {
        let turns = seen.body["messages"]
            .as_array()
            .map_or(0, |all| all.iter().filter(|m| m["role"] == "assistant").count());
        match turns {
            0 => write("main.py", "value = []\nprint(value[3])\n"),
            1 => call("run_code", json!({})),
            2 => call(
                "edit_file",
                json!({"path": "main.py", "search": "print(value[3])", "replace": "print('hallo')"}),
            ),
            3 => finish(),
            4 => call("edit_file", json!({"path": "main.py", "search": "hallo", "replace": "hello"})),
            _ => finish(),
        }
    }))
    .unwrap()
}

#[test]
fn a_run_that_was_cut_anywhere_ends_the_same() {
    let bench = Bench::with_server("openai", server(), &[]);
    let done = bench.run(bench.options(expects("hello\n"), None)).unwrap();
    assert_eq!(done.outcome.ending, Ending::Solved, "{}", done.outcome.reason);
    assert_eq!(bench.asked().len(), PLAYS);
    let transcript = done.folder.join("transcript.jsonl");
    let whole = std::fs::read(&transcript).unwrap();
    let lines = whole.iter().filter(|byte| **byte == b'\n').count();
    // Cut at 24 places that follow no pattern: after lines, within lines, at the very start.
    let cuts = (0..24_usize).map(|n| (n * 7919 + 13 * n * n) % whole.len());
    for cut in cuts {
        std::fs::write(&transcript, &whole[..cut]).unwrap();
        let _ = std::fs::remove_file(done.folder.join("outcome.json"));
        let kept = String::from_utf8_lossy(&whole[..cut])
            .lines()
            .filter(|line| line.contains("\"kind\":\"ask\""))
            .count();
        let before = bench.asked().len();
        let again = bench.resume(&done.outcome.id).unwrap().outcome;
        assert_eq!(
            (again.ending, &again.tree, &again.files),
            (Ending::Solved, &done.outcome.tree, &done.outcome.files)
        );
        assert_eq!(again.spent.steps, done.outcome.spent.steps);
        // A line that was cut in the middle is asked for again, a whole one is not.
        let asked = bench.asked().len() - before;
        assert!(
            asked == PLAYS - kept || asked == PLAYS + 1 - kept,
            "cut at {cut}: {asked} asked, {kept} kept"
        );
        let now = std::fs::read(&transcript).unwrap();
        assert_eq!(now.iter().filter(|byte| **byte == b'\n').count(), lines);
    }
}

#[test]
fn a_run_that_was_called_off_goes_on() {
    let bench = Bench::with_server("openai", server(), &[]);
    let cancel = Cancel::default();
    let steps = std::cell::Cell::new(0);
    let watch = |_| {
        steps.set(steps.get() + 1);
        if steps.get() == 6 {
            cancel.cancel();
        }
    };
    let hooks = AgentHooks { cancel: &cancel, watch: &watch, human: None };
    let failure =
        bench.platform.agent(bench.options(expects("hello\n"), None), &bench.sources, &hooks).unwrap_err();
    assert_eq!(failure.kind, formicary_model::FailureKind::Cancelled);
    let runs = bench.platform.agent_runs(&bench.sources).unwrap();
    assert_eq!((runs.len(), runs[0].ending), (1, None));
    assert_eq!(bench.resume("last").unwrap().outcome.ending, Ending::Solved);
    assert_eq!(bench.asked().len(), PLAYS);
}

#[test]
fn a_model_that_comes_back_is_asked_again() {
    let down = || Play::Status(503, Vec::new(), "{}".into());
    let bench = Bench::new("openai", vec![down(), main_py("print('hello')")], &[("llm.retries", "0")]);
    let first = bench.run(bench.options(expects("hello\n"), None)).unwrap().outcome;
    assert_eq!(first.ending, Ending::ModelFailed);
    assert_eq!(bench.resume(&first.id).unwrap().outcome.ending, Ending::Solved);
}

#[test]
fn recordings_answer_for_ever() {
    let bench = Bench::with_server("openai", server(), &[]);
    let recording = bench.scratch.path().join("r.jsonl");
    let mut options = bench.options(expects("hello\n"), None);
    options.record = Some(recording.clone());
    let first = bench.run(options).unwrap().outcome;
    for _ in 0..2 {
        let mut options = bench.options(expects("hello\n"), None);
        options.model = Some(format!("recorded:{}", recording.display()));
        let again = bench.run(options).unwrap().outcome;
        assert_eq!((again.ending, &again.tree), (Ending::Solved, &first.tree));
    }
    assert_eq!(bench.asked().len(), PLAYS);
    assert!(!std::fs::read_to_string(recording).unwrap().contains(KEY));
}
