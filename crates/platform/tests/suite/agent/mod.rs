//! The agent end to end: a scripted model over a real wire, programs in the real sandbox.

mod bad_input;
mod budgets;
mod injections;
mod real_model;
mod resuming;
mod tasks;

use formicary_model::Failure;
use formicary_model::agent::{ResumeInput, RunId, SolveInput};
use formicary_model::use_case::Code;
use formicary_platform::agent::{
    Acceptance, AgentDone, Budget, ExpectedOutput, Outcome, ReplayRun, ResumeRun, SolveTask,
};
use formicary_platform::config::{ConfigSources, Configuration};
use formicary_platform::policy::Policy;
use formicary_platform::use_case::Context;
use formicary_platform::{Platform, local_caller};
use formicary_testkit::models::{ModelServer, Play, Spoken};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The key that the model's server is sent.
pub const KEY: &str = "sk-bench-0123456789abcdef";

/// A platform with a model of our own.
pub struct Bench {
    pub scratch: tempfile::TempDir,
    pub platform: Platform,
    pub sources: ConfigSources,
    pub server: ModelServer,
    pub word: &'static str,
}

impl Bench {
    pub fn new(word: &'static str, plays: Vec<Play>, flags: &[(&str, &str)]) -> Self {
        let server = ModelServer::start(plays).unwrap();
        Self::with_server(word, server, flags)
    }

    #[expect(clippy::disallowed_methods, reason = "tests look for compilers where their caller does")]
    pub fn with_server(word: &'static str, server: ModelServer, flags: &[(&str, &str)]) -> Self {
        let scratch = tempfile::tempdir().unwrap();
        let text = |path: PathBuf| path.to_string_lossy().into_owned();
        let environment = [
            ("PATH".to_owned(), std::env::var("PATH").unwrap_or_default()),
            ("HOME".to_owned(), text(scratch.path().join("home"))),
            ("BENCH_KEY".to_owned(), KEY.to_owned()),
        ];
        let mut sources = ConfigSources::new(environment.into(), Some(scratch.path().to_owned()));
        sources.system_file = None;
        let own = [
            ("llm.base_url", server.url()),
            ("llm.key_variable", "BENCH_KEY".to_owned()),
            ("agent.folder", text(scratch.path().join("runs"))),
            ("limits.wall_seconds", "20".to_owned()),
            ("cache.enabled", "off".to_owned()),
        ];
        sources.flags = own.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        sources.flags.extend(flags.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())));
        let configuration = Configuration::load(&sources).unwrap();
        let platform = Platform::new(configuration, &sources).unwrap();
        Self { scratch, platform, sources, server, word }
    }

    /// The platform anew, by what the sources say now.
    pub fn configure(&mut self) {
        self.platform = Platform::new(Configuration::load(&self.sources).unwrap(), &self.sources).unwrap();
    }

    /// A folder with these files.
    pub fn folder(&self, files: &[(&str, &str)]) -> PathBuf {
        let folder = self.scratch.path().join("project");
        for (path, text) in files {
            let path = folder.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        folder
    }

    pub fn options(&self, acceptance: Acceptance, folder: Option<&Path>) -> SolveInput {
        let paths = folder.map(|folder| folder.to_str().unwrap().to_owned()).into_iter().collect();
        SolveInput {
            task: "Do the task.".into(),
            code: Code { paths, ..Code::default() },
            environment: self.platform.new_request().environment,
            cases: acceptance.expected,
            test: acceptance.tests,
            checker: acceptance.checker,
            model: Some(format!("{}:scripted-1", self.word)),
            without_fixer: true,
            seconds: Some(300.0),
            ..SolveInput::default()
        }
    }

    /// On behalf of the user whose platform it is.
    pub fn context(&self) -> Context<'static> {
        Context::new(local_caller(), Policy::local(self.scratch.path().to_owned()))
    }

    pub fn run(&self, options: SolveInput) -> Result<AgentDone, Failure> {
        self.platform.perform::<SolveTask>(&self.context(), options)
    }

    pub fn resume(&self, id: &str) -> Result<AgentDone, Failure> {
        let input = ResumeInput { id: id.into(), ..ResumeInput::default() };
        self.platform.perform::<ResumeRun>(&self.context(), input)
    }

    pub fn replay(&self, id: &str) -> Result<AgentDone, Failure> {
        self.platform.perform::<ReplayRun>(&self.context(), RunId { id: id.into() })
    }

    pub fn solve(&self, acceptance: Acceptance, folder: Option<&Path>) -> Outcome {
        self.run(self.options(acceptance, folder)).unwrap().outcome
    }

    /// The bodies of all requests, as text.
    pub fn asked(&self) -> Vec<String> {
        self.server.seen().iter().map(|seen| plain(&seen.body)).collect()
    }
}

/// The same with this to spend.
pub fn spending(input: SolveInput, budget: Budget) -> SolveInput {
    SolveInput {
        steps: Some(budget.steps),
        attempts: Some(budget.attempts),
        seconds: Some(budget.seconds),
        tokens: Some(budget.tokens),
        money: budget.money,
        sandbox_seconds: Some(budget.sandbox_seconds),
        ..input
    }
}

/// All strings of a value, one after the other: what a model reads.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{text}\n"),
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(map) => map.values().map(plain).collect(),
        other => format!("{other}\n"),
    }
}

pub fn say(text: &str) -> Play {
    Play::Say(Spoken::text(text))
}

pub fn call(name: &str, arguments: Value) -> Play {
    Play::Say(Spoken::call(name, arguments))
}

pub fn write(path: &str, content: &str) -> Play {
    call("write_file", json!({"path": path, "content": content}))
}

pub fn finish() -> Play {
    call("finish", json!({"summary": "done"}))
}

pub fn expects(stdout: &str) -> Acceptance {
    Acceptance {
        expected: vec![ExpectedOutput { stdin: String::new(), stdout: stdout.into() }],
        ..Acceptance::default()
    }
}

pub fn tests(command: &str) -> Acceptance {
    Acceptance { tests: Some(command.into()), ..Acceptance::default() }
}

/// An answer of one Python file.
pub fn main_py(code: &str) -> Play {
    say(&format!("main.py\n```python\n{code}\n```\n"))
}

pub const BUGGY: &str = "def add(a, b):\n    return a - b\n";
pub const TEST: &str = "import unittest\nfrom calc import add\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(2, 3), 5)\n\n    def test_zero(self):\n        self.assertEqual(add(0, 0), 0)\n\n\nif __name__ == '__main__':\n    unittest.main()\n";
pub const UNITTEST: &str = "python3 -m unittest -v test_calc";
