//! The judge of Python programs: one sandbox, one warm interpreter, a fork for each candidate.
//!
//! What it says is a hint. Programs run there as the same user and could lie to each other; whatever passes is run again
//! by the real tests in a sandbox of its own.

use super::that_fit;
use crate::Cases;
use crate::verify::Run;
use crate::{Candidate, Case};
use formicary_diagnose::command::Meaning;
use formicary_model::{ExecutionRequest, Failure, LimitOverrides, Source, SourceFile};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashMap;

const JUDGE: &str = include_str!("judge.py");
const TESTS_OF: &str = include_str!("tests_of.py");

/// The tests' own runner, for hosts without pytest.
pub const RUNNER: (&str, &str) = ("formicary_tests.py", TESTS_OF);

/// Runs the phases of the judge for one case.
pub struct Judge<'a> {
    /// The case.
    pub case: &'a Case,
    /// What the tests are.
    pub meaning: &'a Meaning,
    /// Inputs and expected outputs, where the tests are such.
    pub cases: &'a Cases,
    /// How requests are run.
    pub run: &'a Run<'a>,
    /// A request as the configuration would have it.
    pub base: &'a ExecutionRequest,
    /// Processes at a time.
    pub workers: usize,
}

/// What one run of each test told.
#[derive(Debug, Clone, Default)]
pub struct Recording {
    /// The tests in order.
    pub tests: Vec<TestRecord>,
    /// The program or its tests could not even be loaded.
    pub broken_import: Option<Described>,
}

/// One check of a test: its name, whether it passed, the lines that it ran, what ended it.
pub type Check = (String, bool, Vec<(usize, u32)>, Option<Described>);

/// One test.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct TestRecord {
    /// Whether it passed.
    pub passed: bool,
    /// How it ended, where not well.
    pub error: Option<Described>,
    /// Name, outcome, lines and error of each check.
    pub checks: Vec<Check>,
    /// Lines run outside of checks.
    pub lines: Vec<(usize, u32)>,
    /// Types by function and variable.
    pub types: HashMap<String, HashMap<String, Vec<String>>>,
    /// Attributes by class.
    pub attributes: HashMap<String, Vec<String>>,
    /// Calls from tests: file, function, arguments as written.
    pub calls: Vec<(usize, String, String)>,
    /// CPU seconds under the tracer.
    pub seconds: f64,
}

/// An exception.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Described {
    /// Its class.
    #[serde(rename = "type")]
    pub kind: String,
    /// What it says.
    pub message: String,
    /// The program's own lines, the innermost last.
    pub trace: Vec<(usize, u32)>,
}

/// What became of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// All tests pass.
    Pass,
    /// A test fails.
    Fail,
    /// It does not compile.
    Broken,
    /// A test takes too long.
    Time,
    /// Its process died.
    Died,
}

/// A judged candidate: its number, the verdict, how many tests or checks passed before the first failure.
pub type Judged = (usize, Verdict, usize);

/// The outcome of one batch.
#[derive(Debug, Default)]
pub struct Batch {
    /// What was judged.
    pub judged: Vec<Judged>,
    /// Whether the judge itself came to its end.
    pub ended: bool,
}

impl Judge<'_> {
    /// The files that candidates change, as indices of the case.
    pub fn editable(&self) -> Vec<usize> {
        self.case.files.iter().enumerate().filter(|(_, file)| file.editable).map(|(index, _)| index).collect()
    }

    /// Runs each test once under a tracer.
    pub fn record(&self, seconds: f64) -> Result<Recording, Failure> {
        let plan = json!({ "record_cpu": 1.5, "time": seconds });
        let mut recording = Recording::default();
        let mut tests: Vec<(usize, TestRecord)> = Vec::new();
        self.phase("record", plan, seconds + 25.0, &mut |line| match line["kind"].as_str() {
            Some("test") => {
                let index = line["index"].as_u64().unwrap_or(0) as usize;
                tests.push((index, serde_json::from_value(line["result"].clone()).unwrap_or_default()));
            }
            Some("import") => {
                let error = serde_json::from_value(line["error"].clone()).unwrap_or_default();
                recording.broken_import = Some(error);
            }
            _ => {}
        })?;
        tests.sort_by_key(|(index, _)| *index);
        recording.tests = tests.into_iter().map(|(_, test)| test).collect();
        let editable = self.editable();
        for test in &mut recording.tests {
            self.renumber(test, &editable);
        }
        Ok(recording)
    }

    /// The judge counts editable files alone; the case counts all.
    fn renumber(&self, test: &mut TestRecord, editable: &[usize]) {
        let global = |index: &mut usize| *index = editable.get(*index).copied().unwrap_or(0);
        test.lines.iter_mut().for_each(|(file, _)| global(file));
        for check in &mut test.checks {
            check.2.iter_mut().for_each(|(file, _)| global(file));
            check.3.iter_mut().flat_map(|error| &mut error.trace).for_each(|(file, _)| global(file));
        }
        test.error.iter_mut().flat_map(|error| &mut error.trace).for_each(|(file, _)| global(file));
        let types = std::mem::take(&mut test.types);
        test.types = types
            .into_iter()
            .map(|(key, value)| {
                let (file, name) = key.split_once(':').unwrap_or(("0", key.as_str()));
                let file = file.parse().ok().and_then(|file: usize| editable.get(file)).copied().unwrap_or(0);
                (format!("{file}:{name}"), value)
            })
            .collect();
    }

    /// Judges candidates in their order for at most so many seconds.
    pub fn judge(
        &self,
        candidates: &[(usize, &Candidate)],
        order: &[usize],
        limits: &[f64],
        seconds: f64,
    ) -> Result<Batch, Failure> {
        let taken =
            |candidate: &Candidate| candidate.edits.iter().map(|edit| edit.replacement.len() + 48).sum();
        let candidates = that_fit(candidates, taken);
        let plan = json!({
            "candidates": self.written(candidates),
            "order": order,
            "limits": limits,
            "limit": 0.5,
            "time": seconds,
        });
        let mut batch = Batch::default();
        self.phase("judge", plan, seconds + 25.0, &mut |line| match line["kind"].as_str() {
            Some("judged") => {
                for result in line["results"].as_array().into_iter().flatten() {
                    let verdict = match result[1].as_str() {
                        Some("pass") => Verdict::Pass,
                        Some("fail") => Verdict::Fail,
                        Some("broken") => Verdict::Broken,
                        Some("time") => Verdict::Time,
                        _ => Verdict::Died,
                    };
                    let number = result[0].as_u64().unwrap_or(u64::MAX) as usize;
                    batch.judged.push((number, verdict, result[2].as_u64().unwrap_or(0) as usize));
                }
            }
            Some("end") => batch.ended = true,
            _ => {}
        })?;
        Ok(batch)
    }

    /// What each version answers on inputs near those of the tests, as short marks; `!` begins an exception's.
    pub fn compare(
        &self,
        candidates: &[(usize, &Candidate)],
        calls: &[(usize, String, String)],
        seconds: f64,
    ) -> Result<HashMap<usize, Vec<String>>, Failure> {
        let plan = json!({ "candidates": self.written(candidates), "calls": calls, "time": seconds });
        let mut said = HashMap::new();
        self.phase("compare", plan, seconds + 15.0, &mut |line| {
            if line["kind"] == "compared" {
                let marks = line["said"].as_array().into_iter().flatten();
                let marks = marks.filter_map(|mark| mark.as_str().map(str::to_owned)).collect();
                said.insert(line["number"].as_u64().unwrap_or(u64::MAX) as usize, marks);
            }
        })?;
        Ok(said)
    }

    fn written(&self, candidates: &[(usize, &Candidate)]) -> Value {
        let editable = self.editable();
        let place = |file: usize| editable.iter().position(|own| *own == file).unwrap_or(0);
        let edits = |candidate: &Candidate| -> Vec<Value> {
            let one =
                |edit: &crate::TextEdit| json!([place(edit.file), edit.start, edit.end, edit.replacement]);
            candidate.edits.iter().map(one).collect()
        };
        Value::Array(candidates.iter().map(|(number, candidate)| json!([number, edits(candidate)])).collect())
    }

    fn phase(
        &self,
        phase: &str,
        mut plan: Value,
        wall: f64,
        line: &mut dyn FnMut(&Value),
    ) -> Result<(), Failure> {
        let path = |index: usize| self.case.files[index].path.clone();
        let (kind, argv, modules, mut tests) = match self.meaning {
            Meaning::PythonTests { files, .. } => ("collect", Vec::new(), files.clone(), files.clone()),
            Meaning::PythonScript { path, arguments } => {
                let mut argv = vec![path.clone()];
                argv.extend(arguments.iter().cloned());
                ("script", argv, Vec::new(), vec![path.clone()])
            }
            _ => ("script", Vec::new(), Vec::new(), Vec::new()),
        };
        if !self.cases.pairs.is_empty() {
            tests.clear();
        }
        let editable: Vec<String> = self.editable().into_iter().map(path).collect();
        if let Some(plan) = plan.as_object_mut() {
            let cases: Vec<Value> = self
                .cases
                .pairs
                .iter()
                .map(|(stdin, expected)| json!({ "stdin": stdin, "expected": expected }))
                .collect();
            plan.insert("kind".into(), json!(kind));
            plan.insert("argv".into(), json!(argv));
            plan.insert("modules".into(), json!(modules));
            plan.insert("tests".into(), json!(tests));
            plan.insert("cases".into(), json!(cases));
            plan.insert("editable".into(), json!(editable));
            plan.insert("workers".into(), json!(self.workers));
        }
        let file = |path: String, content: Vec<u8>| SourceFile { path, content, executable: false };
        let mut files: Vec<SourceFile> = self
            .case
            .files
            .iter()
            .map(|own| file(format!("project/{}", own.path), own.text.clone().into_bytes()))
            .collect();
        files.push(file("judge.py".into(), JUDGE.into()));
        files.push(file("tests_of.py".into(), TESTS_OF.into()));
        files.push(file("plan.json".into(), plan.to_string().into_bytes()));
        let mut request = self.base.clone();
        request.language = Some("python".into());
        request.source = Source::Files { files, entry: Some("judge.py".into()) };
        // What is shown beside the program goes along with it.
        for mount in &mut request.mounts {
            if let Some(own) = mount.guest.strip_prefix("/work/") {
                mount.guest = format!("/work/project/{own}");
            }
        }
        request.args = vec![phase.into()];
        request.limits = LimitOverrides {
            wall_seconds: Some(wall.clamp(1.0, 290.0)),
            cpu_seconds: Some((wall * 3.0).clamp(1.0, 1000.0)),
            memory_bytes: Some(2 << 30),
            output_bytes: Some(64 << 20),
            processes: Some(64),
            open_files: Some(512),
            ..request.limits
        };
        let result = (self.run)(request)?;
        for text in result.stdout.lines() {
            if let Ok(value) = serde_json::from_str::<Value>(text) {
                line(&value);
            }
        }
        Ok(())
    }
}
