//! `action.yml` and `.pre-commit-hooks.yaml`: their own shell lines, run as their hosts run them.

use crate::command::Bench;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const CLEAN: &str =
    "\"\"\"Adds.\"\"\"\n\n\ndef add(a, b):\n    \"\"\"Adds two numbers.\"\"\"\n    return a + b\n";
const BROKEN: &str = "def f():\n    return undefined_thing\n";

fn repository_file(name: &str) -> Option<String> {
    // Who runs the tests may not be allowed to read the clone; then there is nothing of it to try.
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)).ok()
}

/// Whether the files are there to be tried; a skip is noted if not.
fn file(name: &str) -> Option<String> {
    let found = repository_file(name);
    if found.is_none() {
        formicary_testkit::skips::Skips::new().note(name, "the clone is closed to this user");
    }
    found
}

/// A git repository with one commit, and `formicary` on the PATH.
struct Checkout {
    bench: Bench,
    tools: PathBuf,
}

impl Checkout {
    fn new() -> Self {
        let bench = Bench::new().file("a.py", CLEAN);
        let tools = bench.here().parent().unwrap().join("tools");
        std::fs::create_dir(&tools).unwrap();
        let binary = bench.command(&["--version"]).get_program().to_owned();
        std::os::unix::fs::symlink(binary, tools.join("formicary")).unwrap();
        let checkout = Self { bench, tools };
        for line in ["git init -q -b main", "git add -A", "git commit -q -m first"] {
            let done = checkout.shell(line, &[]);
            assert!(done.status.success(), "{line}: {done:?}");
        }
        checkout
    }

    /// Runs lines as GitHub's runners do.
    fn shell(&self, script: &str, variables: &[(&str, &str)]) -> Output {
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", self.tools.display());
        let mut command = Command::new("bash");
        command
            .args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script])
            .current_dir(self.bench.here());
        command.env_clear().env("PATH", path).env("HOME", self.tools.parent().unwrap());
        for role in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{role}_NAME"), "a").env(format!("GIT_{role}_EMAIL"), "a@b.c");
        }
        for name in ["GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_PATH"] {
            command.env(name, self.told(name));
        }
        command.env("RUNNER_TEMP", &self.tools).envs(variables.iter().copied());
        command.output().unwrap()
    }

    /// The file by which a step passes something on.
    fn told(&self, name: &str) -> PathBuf {
        self.tools.join(name)
    }

    fn change(&self, content: &str) {
        std::fs::write(self.bench.here().join("a.py"), content).unwrap();
    }

    fn commit(&self) {
        assert!(self.shell("git commit -q -a -m second", &[]).status.success());
    }
}

/// The scripts of an action's steps, in order: what is indented below each `run: |`.
fn steps(action: &str) -> Vec<String> {
    let mut scripts: Vec<String> = Vec::new();
    let mut inside = false;
    for line in action.lines() {
        if inside && (line.is_empty() || line.starts_with("        ")) {
            let script = scripts.last_mut().unwrap();
            script.push_str(line.trim_start_matches("        "));
            script.push('\n');
        } else {
            inside = line.trim() == "run: |";
            if inside {
                scripts.push(String::new());
            }
        }
    }
    scripts
}

#[test]
fn the_action_reports_and_gates_what_a_change_made_worse() {
    let Some(action) = file("action.yml") else { return };
    let steps = steps(&action);
    let [install, review, gate] = steps.as_slice() else { panic!("three steps: {steps:?}") };
    assert!(!action.contains("run: ${{") && !steps.iter().any(|step| step.contains("${{")), "{action}");
    for (content, code) in [(CLEAN.replace("two", "2"), 0), (format!("{CLEAN}\n\n{BROKEN}"), 1)] {
        let checkout = Checkout::new();
        checkout.change(&content);
        checkout.commit();
        let installed = checkout.shell(install, &[]);
        assert!(installed.status.success(), "{installed:?}");
        let reviewed = checkout.shell(review, &[("BASE", "HEAD~1"), ("PATHS", ""), ("SARIF", "out.sarif")]);
        assert!(reviewed.status.success(), "{reviewed:?}");
        let sarif = std::fs::read_to_string(checkout.bench.here().join("out.sarif")).unwrap();
        assert_eq!(sarif.contains("undefined-name"), code == 1, "{sarif}");
        let passed_on = std::fs::read_to_string(checkout.told("GITHUB_OUTPUT")).unwrap();
        let base = passed_on.lines().find_map(|line| line.strip_prefix("base=")).unwrap();
        let gated = checkout.shell(gate, &[("BASE", base), ("PATHS", "a.py\n")]);
        assert_eq!(gated.status.code(), Some(code), "{gated:?}");
        let summary = std::fs::read(checkout.told("GITHUB_STEP_SUMMARY")).unwrap();
        assert_eq!(summary, gated.stdout);
    }
}

#[test]
fn the_action_names_a_base_that_was_not_fetched() {
    let Some(action) = file("action.yml") else { return };
    let checkout = Checkout::new();
    let steps = steps(&action);
    for base in ["", "0000000000000000000000000000000000000000", "--output=x", "$(touch x)"] {
        let said = checkout.shell(&steps[1], &[("BASE", base), ("PATHS", ""), ("SARIF", "out.sarif")]);
        let stdout = String::from_utf8_lossy(&said.stdout);
        assert!(said.status.code() == Some(2) && stdout.contains("fetch-depth: 0"), "{base}: {said:?}");
    }
    assert_eq!(checkout.bench.names(), [".git", "a.py"]);
}

#[test]
fn the_hooks_judge_what_is_staged() {
    let Some(hooks) = file(".pre-commit-hooks.yaml") else { return };
    let entries: Vec<&str> = hooks.lines().filter_map(|line| line.trim().strip_prefix("entry: ")).collect();
    assert_eq!(entries.len(), 2, "{hooks}");
    for entry in entries {
        let checkout = Checkout::new();
        let said = checkout.shell(entry, &[]);
        assert_eq!(said.status.code(), Some(0), "{entry}: {said:?}");
        checkout.change(&format!("{CLEAN}\n\n{BROKEN}"));
        assert!(checkout.shell("git add -A", &[]).status.success());
        let said = checkout.shell(entry, &[]);
        assert_eq!(said.status.code(), Some(1), "{entry}: {said:?}");
        assert!(String::from_utf8_lossy(&said.stdout).contains("undefined-name"), "{entry}: {said:?}");
    }
}
