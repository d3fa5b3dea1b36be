//! Whether it is done: expected output, tests, a checker, and only where there is none of these the model's own judgement.

use crate::desk::{Desk, Stop};
use crate::guard;
use crate::observe::{Observation, Program};
use crate::redact::{as_data, trimmed};
use crate::tree::language_of;
use formicary_diagnose::command::{Meaning, TestCommand};
use formicary_model::agent::AgentStep;
use formicary_model::{FixStatus, PatchEvidence, SourceFile};
use formicary_repair::Cases;
use formicary_repair::judges::python::RUNNER;
use formicary_repair::remedies::Remedies;
use formicary_repair::{Case, CaseFile};
use formicary_repair::{Debugger, FixRequest, Purpose};
use formicary_testing::console::failing_tests;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeSet;

/// Seconds that the fixer may take, and candidates that it may try.
const FIXER_SECONDS: f64 = 12.0;
const FIXER_CANDIDATES: usize = 2_000;

/// What a judgement gave.
#[derive(Debug, Clone, Default)]
pub struct Judged {
    /// Whether it passed; nothing where only the model can say.
    pub accepted: Option<bool>,
    /// By whom.
    pub by: String,
    /// What the model is told.
    pub told: String,
    /// The failure's fingerprint.
    pub fingerprint: String,
    /// Failing tests, where they can be read.
    pub failing: BTreeSet<String>,
    /// How far it came: the more the better.
    pub score: i64,
    /// What the program wrote, where only the model can judge.
    pub output: String,
}

#[derive(Default, Serialize, Deserialize)]
struct Fixed {
    origin: String,
    explanation: String,
    files: Vec<(String, String)>,
    seconds: f64,
    #[serde(default)]
    evidence: PatchEvidence,
    #[serde(default)]
    caveats: Vec<String>,
    #[serde(default)]
    diff: String,
}

/// What the fixer found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ByFixer {
    /// A patch that the tests verify; it is in the workspace. What it did, in a sentence.
    Applied(String),
    /// A patch that passes and may be made for the failing test alone: the model decides. What it is told; the workspace is
    /// as it was.
    Candidate(String),
}

impl Desk<'_> {
    /// Judges the workspace as it is.
    pub fn judge(&mut self) -> Result<Judged, Stop> {
        let judged = self.judged()?;
        let word = judged
            .accepted
            .map_or("undecided", |accepted| if accepted { "accepted" } else { "not accepted" });
        self.journal.note(
            "decision",
            json!({"judged": word, "by": judged.by, "tree": self.tree.hash(), "failing": judged.failing}),
        )?;
        if let Some(accepted) = judged.accepted {
            let first = judged.told.lines().next().unwrap_or_default().to_owned();
            self.tell(AgentStep::Judged {
                passed: accepted,
                text: if accepted { judged.by.clone() } else { first },
            });
        }
        Ok(judged)
    }

    fn judged(&mut self) -> Result<Judged, Stop> {
        let order = self.order;
        let acceptance = &order.task.acceptance;
        let mut by = Vec::new();
        let mut score = 1;
        for (index, expected) in acceptance.expected.iter().enumerate() {
            let program = Program {
                purpose: "expected output",
                command: self.command.clone(),
                stdin: expected.stdin.clone(),
                ..Program::default()
            };
            let seen = self.observe(&program)?;
            if !seen.succeeded() || !same_output(&seen.stdout, &expected.stdout) {
                let told = match seen.succeeded() {
                    false => format!("The program failed.\n{}", seen.told()),
                    true => difference(&seen.stdout, &expected.stdout, &expected.stdin),
                };
                let fingerprint =
                    format!("{}{}", seen.fingerprint(), blake3::hash(seen.stdout.as_bytes()).to_hex());
                let score = score + i64::from(seen.succeeded());
                let failing = BTreeSet::from([format!("output {}", index + 1)]);
                return Ok(Judged {
                    accepted: Some(false),
                    told,
                    fingerprint,
                    score,
                    failing,
                    ..Judged::default()
                });
            }
            score += 2;
            by.push("expected output");
        }
        if let Some(command) = &acceptance.tests {
            let seen = self.test(command)?;
            if !seen.succeeded() {
                let said = format!("{}\n{}", seen.stdout, seen.stderr);
                let failing = failing_tests(&said);
                let names: Vec<&str> = failing.iter().take(20).map(String::as_str).collect();
                let mut told = format!("The tests do not pass.\n{}", seen.told());
                if !names.is_empty() {
                    told = format!("{told}\n{}", as_data("failing tests", &names.join("\n")));
                }
                let score =
                    score + if seen.status.is_some() { 100 - failing.len().min(99) as i64 } else { 0 };
                let fingerprint = seen.fingerprint();
                return Ok(Judged {
                    accepted: Some(false),
                    told,
                    fingerprint,
                    failing,
                    score,
                    ..Judged::default()
                });
            }
            score += 200;
            by.push("tests");
        }
        if let Some(checker) = &acceptance.checker {
            let path = format!("formicary_checker_{}", checker.name);
            let command = match language_of(&checker.name).map(|language| language.id()) {
                Some("python") => format!("python3 {path}"),
                Some("javascript") => format!("node {path}"),
                _ => format!("sh {path}"),
            };
            let extra =
                vec![SourceFile { path, content: checker.text.clone().into_bytes(), executable: true }];
            let seen = self.observe(&Program {
                purpose: "checker",
                command: Some(command),
                extra,
                ..Program::default()
            })?;
            if !seen.succeeded() {
                let told = format!("The checker does not accept it.\n{}", seen.told());
                let fingerprint = seen.fingerprint();
                return Ok(Judged { accepted: Some(false), told, fingerprint, score, ..Judged::default() });
            }
            by.push("checker");
        }
        if !by.is_empty() {
            by.dedup();
            return Ok(Judged {
                accepted: Some(true),
                by: by.join(", "),
                score: score + 1000,
                ..Judged::default()
            });
        }
        // Nothing to go by: it must at least run, now and as it is.
        let seen =
            self.observe(&Program { purpose: "run", command: self.command.clone(), ..Program::default() })?;
        if !seen.succeeded() {
            let told = format!("The program failed.\n{}", seen.told());
            return Ok(Judged {
                accepted: Some(false),
                told,
                fingerprint: seen.fingerprint(),
                score,
                ..Judged::default()
            });
        }
        Ok(Judged {
            by: "judgement".into(),
            score: score + 500,
            output: trimmed(&seen.stdout, 4_000),
            ..Judged::default()
        })
    }

    /// Runs a test command. Where pytest is not in the sandbox, a runner of our own stands in for it.
    pub fn test(&mut self, command: &str) -> Result<Observation, Stop> {
        let program = Program {
            purpose: "tests",
            command: Some(command.to_owned()),
            seconds: Some(120.0),
            ..Program::default()
        };
        let paths: Vec<String> = self.tree.paths().map(str::to_owned).collect();
        let Meaning::PythonTests { files, pytest } = TestCommand::read(command, &paths).meaning else {
            return self.observe(&program);
        };
        if !(pytest && self.without_pytest) {
            let seen = self.observe(&program)?;
            let said = format!("{}{}", seen.stdout, seen.stderr);
            if seen.succeeded() || !said.contains("No module named pytest") {
                return Ok(seen);
            }
            self.without_pytest = true;
        }
        let quoted: Vec<String> =
            files.iter().map(|path| format!("'{}'", path.replace('\'', "'\\''"))).collect();
        let (name, text) = RUNNER;
        let extra = vec![SourceFile { path: name.into(), content: text.into(), executable: false }];
        let command = format!("python3 {name} {}", quoted.join(" "));
        self.observe(&Program { command: Some(command), extra, ..program })
    }

    /// Lets the fixer that needs no model try. Says what it did.
    pub fn fix(&mut self) -> Result<Option<ByFixer>, Stop> {
        let order = self.order;
        let acceptance = &order.task.acceptance;
        let judged_by_run = acceptance.tests.is_some() || !acceptance.expected.is_empty();
        if !order.rules.fixer || !judged_by_run || self.tree.is_empty() {
            return Ok(None);
        }
        let Some(command) = acceptance.tests.clone().or_else(|| self.shell()) else { return Ok(None) };
        self.tell(AgentStep::Fixing);
        let language = self.tree.language();
        let files: Vec<CaseFile> = self
            .tree
            .paths()
            .filter_map(|path| {
                let editable = language_of(path) == Some(language)
                    && self.may_change(path, Some("")).is_ok()
                    && !guard::is_test(path);
                Some(CaseFile { path: path.to_owned(), text: self.tree.text(path)?.to_owned(), editable })
            })
            .collect();
        if !files.iter().any(|file| file.editable) {
            return Ok(None);
        }
        let paths: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
        let pairs = match acceptance.tests {
            Some(_) => Vec::new(),
            None => {
                acceptance.expected.iter().map(|pair| (pair.stdin.clone(), pair.stdout.clone())).collect()
            }
        };
        let mut base = self.world.base.clone();
        base.packages.requirements.extend(self.packages.iter().cloned());
        let seconds = order.budget.seconds_for_a_run(&self.spent, FIXER_SECONDS);
        let mut request = FixRequest {
            case: Case { language, files, evidence: None, suspects: Vec::new() },
            command: TestCommand::read(&command, &paths),
            purpose: Purpose::Tests,
            cases: Cases { pairs },
            seconds,
            most_candidates: FIXER_CANDIDATES,
            most_patches: 1,
        };
        let (world, tree) = (self.world, self.tree.hash());
        let fixed: Option<Fixed> =
            self.journal.effect("fix", json!({"tree": tree, "command": command}), || {
                let watch = |_| ();
                let debugger = Debugger {
                    run: world.run,
                    base: &base,
                    strategies: vec![Box::new(Remedies)],
                    workers: world.workers,
                    watch: &watch,
                };
                let report = debugger.fix(&mut request)?;
                let seconds = (report.seconds * 1e3).round() / 1e3;
                let patch = report.patches.into_iter().next().filter(|_| report.status == FixStatus::Fixed);
                let Some(patch) = patch else { return Ok(Some(Fixed { seconds, ..Fixed::default() })) };
                Ok(Some(Fixed {
                    origin: patch.origin,
                    explanation: patch.explanation,
                    files: patch.files.into_iter().map(|file| (file.path, file.text)).collect(),
                    seconds,
                    evidence: patch.evidence,
                    caveats: patch.caveats,
                    diff: patch.diff,
                }))
            })?;
        let Some(fixed) = fixed else { return Ok(None) };
        self.spent.sandbox_seconds += fixed.seconds;
        if fixed.files.is_empty() {
            return Ok(None);
        }
        if !fixed.evidence.is_strong() {
            let why = fixed.caveats.join("; ");
            self.notes.push(format!("the fixer's patch was left to the model: {why}"));
            return Ok(Some(ByFixer::Candidate(format!(
                "A search without a model found a change that passes, but it may be wrong ({why}). It was not made. Take it \
                 only if it is what the task asks for; else do it right.\n{}",
                as_data("candidate change", &trimmed(&fixed.diff, 3_000))
            ))));
        }
        let changes = fixed.files.into_iter().map(|(path, text)| (path, Some(text))).collect();
        if self.change(&changes).is_err() {
            return Ok(None);
        }
        let done =
            format!("the fixer found a patch without a model ({}): {}", fixed.origin, fixed.explanation);
        self.notes.push(done.clone());
        Ok(Some(ByFixer::Applied(done)))
    }

    /// The shell command that runs the program.
    fn shell(&self) -> Option<String> {
        if let Some(command) = &self.command {
            return Some(command.clone());
        }
        let path = self.usual_file().filter(|path| self.tree.contains(path))?;
        match language_of(&path)?.id() {
            "python" => Some(format!("python3 {path}")),
            "javascript" => Some(format!("node {path}")),
            "bash" => Some(format!("bash {path}")),
            _ => None,
        }
    }
}

fn lines(text: &str) -> Vec<String> {
    text.trim_end().lines().map(|line| line.trim_end().to_owned()).collect()
}

/// Whether two outputs are the same but for white space at the ends.
pub fn same_output(said: &str, expected: &str) -> bool {
    lines(said) == lines(expected)
}

fn difference(said: &str, expected: &str, stdin: &str) -> String {
    let (given, wanted) = (lines(said), lines(expected));
    let at = (0..given.len().max(wanted.len())).find(|at| given.get(*at) != wanted.get(*at)).unwrap_or(0);
    let line =
        |lines: &[String]| lines.get(at).map_or_else(|| "(nothing)".to_owned(), |line| trimmed(line, 300));
    let input = if stdin.is_empty() {
        String::new()
    } else {
        format!("\n{}", as_data("input", &trimmed(stdin, 500)))
    };
    format!(
        "The output is not the expected one: line {} differs ({} lines given, {} expected).{input}\n{}\n{}",
        at + 1,
        given.len(),
        wanted.len(),
        as_data("given line", &line(&given)),
        as_data("expected line", &line(&wanted)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_name_the_line() {
        assert!(same_output("a \nb\n\n", "a\nb"));
        assert!(!same_output("a b", "ab"));
        let told = difference("1\n2\n", "1\n3\n", "in");
        for part in ["line 2 differs", "given line\">\n2", "expected line\">\n3", "input\">\nin"] {
            assert!(told.contains(part), "{told}");
        }
        assert!(difference("1\n", "1\n2\n", "").contains("(nothing)"));
    }
}
