//! The command line, asked for JSON.

use crate::SKIPS;
use crate::library::{CELLS, settings};
use crate::project::Project;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub struct Cli {
    binary: PathBuf,
    folder: PathBuf,
    settings: Vec<(String, String)>,
    // The session server's socket.
    runtime: TempDir,
}

pub fn command(binary: &Path) -> std::process::Command {
    let mut command = std::process::Command::new(binary);
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("FORMICARY_")) {
        command.env_remove(name);
    }
    command
}

impl Cli {
    /// The program, as the test command built it, or where cargo puts it beside the tests.
    pub fn find(project: &Project) -> Option<Self> {
        let named = std::env::var_os("FORMICARY_TEST_BINARY").map(PathBuf::from);
        let beside = || Some(std::env::current_exe().ok()?.parent()?.parent()?.join("formicary"));
        let Some(binary) = named.or_else(beside).filter(|path| path.is_file()) else {
            SKIPS.note("doors: command line and HTTP", "the program is not built (FORMICARY_TEST_BINARY)");
            return None;
        };
        Some(Self {
            binary,
            folder: project.folder().to_owned(),
            settings: settings(project),
            runtime: tempfile::tempdir().unwrap(),
        })
    }

    pub fn binary(&self) -> &Path {
        &self.binary
    }

    fn lines(&self, arguments: &[&str], stdin: &str) -> Vec<Value> {
        let input = self.runtime.path().join("input");
        std::fs::write(&input, stdin).unwrap();
        let (verb, rest) = arguments.split_first().unwrap();
        let output = command(&self.binary)
            .args([*verb, "--json"])
            .args(
                self.settings.iter().flat_map(|(key, value)| ["--set".to_owned(), format!("{key}={value}")]),
            )
            .args(rest)
            .current_dir(&self.folder)
            .env("XDG_RUNTIME_DIR", self.runtime.path())
            .stdin(std::fs::File::open(&input).unwrap())
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let values: Result<Vec<Value>, _> = serde_json::Deserializer::from_str(&text).into_iter().collect();
        values.unwrap_or_else(|error| panic!("{arguments:?}: {error}: {text}"))
    }

    /// What the command said. `judge` says one line for each program, and the figures.
    pub fn run(&self, arguments: &[&str]) -> Value {
        self.run_with(arguments, "")
    }

    /// The same with this on its standard input.
    pub fn run_with(&self, arguments: &[&str], stdin: &str) -> Value {
        let mut lines = self.lines(arguments, stdin);
        let last = lines.pop().unwrap();
        match last.get("summary") {
            Some(summary) if arguments[0] == "judge" => json!({"results": lines, "summary": summary}),
            _ => last,
        }
    }

    /// What the last of these cells of one session gave.
    pub fn cells(&self, language: &str, cells: [&str; 2]) -> Value {
        let id = self.run(&["session", "new", language])["id"].as_str().unwrap().to_owned();
        let [_, last] = cells.map(|code| self.run(&["session", "run", &id, "-c", code]));
        self.run(&["session", "close", &id]);
        last
    }

    pub fn session(&self) -> Value {
        let id = self.run(&["session", "new", "python"])["id"].as_str().unwrap().to_owned();
        let cells = CELLS.map(|code| self.run(&["session", "run", &id, "-c", code]));
        std::fs::write(self.folder.join("a.txt"), "kept").unwrap();
        self.run(&["session", "put", &id, "a.txt", "--as", "in/a.txt"]);
        let files = self.run(&["session", "files", &id]);
        let read = self.run(&["session", "get", &id, "in/a.txt"])["content"].clone();
        self.run(&["session", "remove", &id, "in/a.txt"]);
        let left = self.run(&["session", "files", &id]);
        self.run(&["session", "close", &id]);
        json!({"cells": cells, "files": files, "read": read, "left": left})
    }
}
