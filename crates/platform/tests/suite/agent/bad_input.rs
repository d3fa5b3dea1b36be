//! Bad input is named, with its remedy; the key is written down nowhere.

use super::*;
use formicary_model::NoInput;
use formicary_platform::agent::{Ending, ListRuns, ShowRun};

#[test]
fn bad_input_names_the_input_and_the_remedy() {
    let bench = Bench::new("openai", Vec::new(), &[]);
    let with = |change: &dyn Fn(&mut SolveInput)| {
        let mut options = bench.options(expects("x"), None);
        change(&mut options);
        bench.run(options).unwrap_err()
    };
    let file = bench.scratch.path().join("file");
    std::fs::write(&file, "").unwrap();
    let show = |id: &str| bench.platform.perform::<ShowRun>(&bench.context(), RunId { id: id.into() });
    let cases: Vec<(Failure, &str)> = vec![
        (with(&|o| o.task = "  \n".into()), "the task is empty"),
        (with(&|o| o.task = "x".repeat(10 << 20)), "10485760 characters"),
        (with(&|o| o.model = Some(String::new())), "no model is chosen"),
        (with(&|o| o.model = Some("abacus:7".into())), "names no model"),
        (with(&|o| o.model = Some("recorded:no.jsonl".into())), "no.jsonl"),
        (with(&|o| o.code.paths = vec!["missing".into()]), "missing"),
        (with(&|o| o.code.paths = vec!["file".into()]), "not a directory"),
        (with(&|o| o.record = Some("no/such/folder/r.jsonl".into())), "recording"),
        (with(&|o| o.money = Some(1.0)), "has no price"),
        (bench.resume("nobody").unwrap_err(), "there is no run \"nobody\""),
        (bench.resume("../../etc").unwrap_err(), "there is no run"),
        (show("").err().unwrap(), "there is no run"),
        (bench.replay("last").unwrap_err(), "there is no run"),
    ];
    for (failure, part) in cases {
        assert!(failure.message.contains(part), "{failure:?} lacks {part:?}");
        assert!(failure.hint.is_some_and(|hint| !hint.is_empty()), "{part}");
    }
    assert!(bench.asked().is_empty());
    assert!(bench.platform.perform::<ListRuns>(&bench.context(), NoInput {}).unwrap().items.is_empty());
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let server = ModelServer::start(Vec::new()).unwrap();
    let bench = Bench::with_server("openai", server, &[("agent.folder", "/proc/nowhere/runs")]);
    let failure = bench.run(bench.options(expects("x"), None)).unwrap_err();
    assert!(
        failure.message.contains("/proc/nowhere") && failure.hint.unwrap().contains("agent.folder"),
        "{}",
        failure.message
    );
}

#[test]
fn a_wrong_key_model_or_server_ends_with_its_reason() {
    let refuse = |status: u16, message: &str| {
        Play::Status(status, Vec::new(), json!({"error": {"message": message}}).to_string())
    };
    for (play, part) in [
        (refuse(401, &format!("wrong key {KEY}")), "does not take the key"),
        (refuse(404, "model not found"), "does not know \"scripted-1\""),
        (refuse(500, "oh"), "has trouble"),
    ] {
        let bench = Bench::new("openai", vec![play], &[("llm.retries", "0")]);
        let done = bench.run(bench.options(expects("x"), None)).unwrap();
        assert_eq!(done.outcome.ending, Ending::ModelFailed);
        assert!(done.outcome.reason.contains(part), "{}", done.outcome.reason);
        for entry in std::fs::read_dir(&done.folder).unwrap().flatten().filter(|entry| entry.path().is_file())
        {
            assert!(!std::fs::read_to_string(entry.path()).unwrap().contains(KEY), "{entry:?}");
        }
    }
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = format!("http://{free}/v1");
    let bench = Bench::new("openai", Vec::new(), &[("llm.base_url", &url), ("llm.retries", "0")]);
    let outcome = bench.run(bench.options(expects("x"), None)).unwrap().outcome;
    assert_eq!(outcome.ending, Ending::ModelFailed);
    assert!(outcome.reason.contains("is the server running"), "{}", outcome.reason);
}

#[test]
fn secrets_in_answers_and_tasks_are_not_written_down() {
    let leak = "ghp_0123456789abcdefghijABCDEFGHIJ";
    let bench = Bench::new("openai", vec![main_py(&format!("# {leak} {KEY}\nprint('hello')"))], &[]);
    let mut options = bench.options(expects("hello\n"), None);
    options.task = format!("Use the token {leak}.");
    let done = bench.run(options).unwrap();
    assert_eq!(done.outcome.ending, Ending::Solved);
    for name in ["run.json", "transcript.jsonl", "outcome.json", "transcript.html", "files/main.py"] {
        let text = std::fs::read_to_string(done.folder.join(name)).unwrap();
        assert!(!text.contains(leak) && !text.contains(KEY), "{name}");
    }
}
