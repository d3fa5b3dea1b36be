//! A run that was cut anywhere ends as if it had not been, and nothing happens twice.

use super::*;
use formicary_model::{AgentStep, Event, NoInput, Observer};
use formicary_platform::Cancel;
use formicary_platform::agent::{Ending, ListRuns};
use std::sync::atomic::{AtomicUsize, Ordering};

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

/// Cancels at a step.
struct CancelsAt {
    step: usize,
    seen: AtomicUsize,
    cancel: Cancel,
}

impl Observer for CancelsAt {
    fn event(&self, _: &Event) {}

    fn step(&self, _: &AgentStep) {
        if self.seen.fetch_add(1, Ordering::Relaxed) + 1 == self.step {
            self.cancel.cancel();
        }
    }
}

#[test]
fn a_run_that_was_called_off_goes_on() {
    let bench = Bench::with_server("openai", server(), &[]);
    let observer = CancelsAt { step: 6, seen: AtomicUsize::new(0), cancel: Cancel::default() };
    let context = bench.context().until(observer.cancel.clone()).observed(&observer);
    let options = bench.options(expects("hello\n"), None);
    let failure = bench.platform.perform::<SolveTask>(&context, options).unwrap_err();
    assert_eq!(failure.kind, formicary_model::FailureKind::Cancelled);
    let runs = bench.platform.perform::<ListRuns>(&bench.context(), NoInput {}).unwrap().items;
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

/// A run whose first model, on a server of its own, could not answer; with the server that other settings name meanwhile.
fn broken_off() -> (Bench, ModelServer, AgentDone) {
    let down = || Play::Status(503, Vec::new(), "{}".into());
    let mut bench = Bench::new("openai", vec![down(), main_py("print('hello')")], &[("llm.retries", "0")]);
    let first = bench.run(bench.options(expects("hello\n"), None)).unwrap();
    assert_eq!(first.outcome.ending, Ending::ModelFailed);
    let other = ModelServer::start(vec![main_py("print('hello')")]).unwrap();
    // The same user a day later: the flags are gone, and the environment names another server and its key.
    bench.sources.flags.retain(|(key, _)| key == "agent.folder");
    let names =
        [("FORMICARY_LLM_BASE_URL", other.url()), ("OPENAI_API_KEY", "sk-public-0123456789".to_owned())];
    bench.sources.environment.extend(names.map(|(name, value)| (name.to_owned(), value)));
    bench.configure();
    (bench, other, first)
}

#[test]
fn a_run_goes_on_at_the_server_where_it_began() {
    let (bench, other, first) = broken_off();
    assert_eq!(bench.resume(&first.outcome.id).unwrap().outcome.ending, Ending::Solved);
    assert_eq!((bench.server.seen().len(), other.seen().len()), (2, 0));
    let run = first.folder.join("run.json");
    assert!(!std::fs::read_to_string(run).unwrap().contains(KEY), "only where the key comes from is kept");
}

#[test]
fn a_server_that_a_flag_names_is_asked_instead() {
    let (mut bench, other, first) = broken_off();
    bench.sources.flags.push(("llm.base_url".to_owned(), other.url()));
    bench.configure();
    assert_eq!(bench.resume(&first.outcome.id).unwrap().outcome.ending, Ending::Solved);
    assert_eq!((bench.server.seen().len(), other.seen().len()), (1, 1));
    let sent = format!("{:?}", other.seen());
    assert!(!sent.contains(KEY), "the key of the other server stays there: {sent}");
}

#[test]
fn a_run_that_does_not_say_its_server_asks_nobody() {
    let (bench, other, first) = broken_off();
    let run = first.folder.join("run.json");
    let mut kept: Value = serde_json::from_slice(&std::fs::read(&run).unwrap()).unwrap();
    assert!(kept.as_object_mut().unwrap().remove("settings").is_some());
    std::fs::write(&run, kept.to_string()).unwrap();
    let failure = bench.resume(&first.outcome.id).unwrap_err();
    assert!(failure.message.contains("which server") && failure.hint.is_some(), "{failure:?}");
    assert_eq!((bench.server.seen().len(), other.seen().len()), (1, 0));
}

#[test]
fn recordings_answer_for_ever() {
    let bench = Bench::with_server("openai", server(), &[]);
    let recording = bench.scratch.path().join("r.jsonl");
    let mut options = bench.options(expects("hello\n"), None);
    options.record = Some(recording.display().to_string());
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
