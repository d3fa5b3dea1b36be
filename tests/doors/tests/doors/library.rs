//! The library: the platform itself, which all other doors must agree with.

use crate::cases::FAILING;
use crate::project::Project;
use formicary_model::{CellRequest, Failure, SourceFile};
use formicary_platform::config::{ConfigSources, Configuration};
use formicary_platform::policy::Policy;
use formicary_platform::use_case::Context;
use formicary_platform::{Platform, local_caller, registry};
use formicary_testkit::programs::{READING_ARGUMENT, READING_STDIN};
use serde_json::{Value, json};
use std::path::PathBuf;

pub const PATTERN: &str = "print($X)";

pub struct Library {
    platform: Platform,
    folder: PathBuf,
}

/// What every door is told: the model of the agent, which answers from the recording that comes with the source, and where its
/// runs are kept.
pub fn settings(project: &Project) -> Vec<(String, String)> {
    let recording =
        format!("recorded:{}/../../crates/agent/recordings/primes.jsonl", env!("CARGO_MANIFEST_DIR"));
    let folder = project.runs().display().to_string();
    // Runs of tests are not in the log of who runs them.
    let audit = ("audit.enabled".into(), "off".into());
    vec![("llm.model".into(), recording), ("agent.folder".into(), folder), audit]
}

/// The configuration of a user without settings of their own but these.
pub fn sources(project: &Project) -> ConfigSources {
    let environment = std::env::vars().filter(|(name, _)| !name.starts_with("FORMICARY_")).collect();
    let mut sources = ConfigSources::new(environment, Some(project.folder().to_owned()));
    sources.flags = settings(project);
    sources
}

/// Whether a platform stays, so that sandboxes stand ready in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stays {
    Yes,
    No,
}

/// A platform as a user without settings of their own has it.
pub fn platform(project: &Project, stays: Stays) -> Platform {
    let sources = sources(project);
    let configuration = Configuration::load(&sources).unwrap();
    match stays {
        Stays::Yes => Platform::to_stay(configuration, &sources).unwrap(),
        Stays::No => Platform::new(configuration, &sources).unwrap(),
    }
}

fn told(result: Result<impl serde::Serialize, Failure>) -> Value {
    match result {
        Ok(value) => serde_json::to_value(value).unwrap(),
        Err(failure) => json!({ "error": failure }),
    }
}

impl Library {
    pub fn new(project: &Project) -> Self {
        Self::that(project, Stays::No)
    }

    pub fn that(project: &Project, stays: Stays) -> Self {
        let platform = platform(project, stays);
        Self { platform, folder: project.folder().to_owned() }
    }

    /// Runs a program with the input and the argument of those that read.
    pub fn read(&self, language: &str, code: &str) -> Value {
        let (stdin, args) = (READING_STDIN, [READING_ARGUMENT]);
        self.perform("execute", json!({"language": language, "code": code, "stdin": stdin, "args": args}))
    }

    /// What the last of these cells of one session gave.
    pub fn cells(&self, language: &str, cells: [&str; 2]) -> Value {
        let sessions = self.platform.sessions().unwrap();
        let id = sessions.create(self.platform.new_session(language)).unwrap().id;
        let [_, last] = cells.map(|code| {
            let cell = CellRequest { code: code.as_bytes().to_vec(), ..CellRequest::default() };
            told(self.platform.run_cell(&id, &cell, &mut |_, _| ()))
        });
        sessions.close(&id).unwrap();
        last
    }

    pub fn execute(&self, language: &str, code: &str, wall: Option<f64>) -> Value {
        let limits = json!({"wall_seconds": wall});
        self.perform("execute", json!({"language": language, "code": code, "limits": limits}))
    }

    pub fn languages(&self) -> Value {
        self.perform("languages", json!({}))
    }

    pub fn judge(&self) -> Value {
        self.perform("judge", json!({"items": Project::items()}))
    }

    /// Performs a use case of the registry for the user of this host.
    pub fn perform(&self, name: &str, input: Value) -> Value {
        let context = Context::new(local_caller(), Policy::local(self.folder.clone()));
        told(registry::find(name).unwrap().call(&self.platform, &context, input))
    }

    pub fn diagnose(&self) -> Value {
        self.perform("diagnose", json!({"language": "python", "code": FAILING}))
    }

    pub fn fix(&self) -> Value {
        self.perform("fix", json!({"paths": ["gcd.py"], "test": "python3 test_gcd.py"}))
    }

    pub fn doctor(&self) -> Value {
        told(Ok(self.platform.doctor()))
    }

    pub fn inspect(&self) -> Value {
        let input = json!({"language": "python", "code": FAILING, "breakpoints": ["2 if x == 0"], "print": ["x + 1"]});
        self.perform("inspect", input)
    }

    /// Three cells of one session, of which the last fails, and a file that comes and goes.
    pub fn session(&self) -> Value {
        let sessions = self.platform.sessions().unwrap();
        let id = sessions.create(self.platform.new_session("python")).unwrap().id;
        let cell = |code: &str| {
            let cell = CellRequest { code: code.as_bytes().to_vec(), ..CellRequest::default() };
            told(self.platform.run_cell(&id, &cell, &mut |_, _| ()))
        };
        let cells = CELLS.map(cell);
        let session = sessions.find(&id).unwrap();
        let file = SourceFile { path: "in/a.txt".into(), content: b"kept".to_vec(), executable: false };
        session.put(&[file]).unwrap();
        let files = session.files().unwrap();
        let read = String::from_utf8(session.get("in/a.txt").unwrap().content).unwrap();
        session.remove("in/a.txt").unwrap();
        let left = session.files().unwrap();
        sessions.close(&id).unwrap();
        json!({"cells": cells, "files": files, "read": read, "left": left})
    }
}

/// What the recording was made with.
pub const TASK: &str = "Write main.py that prints the first ten prime numbers, one a line.";

pub const CELLS: [&str; 3] = ["x = 6\nprint('kept')", "x * 7", "1 / 0"];
