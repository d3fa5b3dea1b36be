//! The judge of JavaScript programs: one sandbox, one node, modules of its own for each candidate.
//!
//! As with Python, what it says is a hint: whatever passes is run again by the real tests in a sandbox of its own.
//! Tests that go on after the script's end cannot be judged this way; then the program as it is seems to pass, and
//! the caller judges with a sandbox for each candidate.

use super::java::read_lines;
use super::python::Batch;
use super::{JudgeOf, changed_bytes, that_fit};
use crate::verify::{Run, packages_in_place};
use crate::{Candidate, Case};
use formicary_model::{ExecutionRequest, Failure, LimitOverrides, Source, SourceFile};
use serde_json::json;

const JUDGE: &str = include_str!("judge.js");

/// Judges by a test script.
pub struct JavaScriptJudge<'a> {
    /// The case.
    pub case: &'a Case,
    /// The script that runs the tests.
    pub script: &'a str,
    /// How requests are run.
    pub run: &'a Run<'a>,
    /// A request as the configuration would have it.
    pub base: &'a ExecutionRequest,
    /// Threads at a time.
    pub workers: usize,
    /// Seconds that one candidate may take.
    pub limit: f64,
}

impl JudgeOf for JavaScriptJudge<'_> {
    fn judge(&self, candidates: &[(usize, &Candidate)], seconds: f64) -> Result<Batch, Failure> {
        let candidates = that_fit(candidates, |candidate| changed_bytes(self.case, candidate));
        let changed = |candidate: &Candidate| {
            let texts = self.case.applied(&candidate.edits).unwrap_or_default();
            texts
                .into_iter()
                .map(|(file, text)| (self.case.files[file].path.clone(), text))
                .collect::<Vec<_>>()
        };
        let plan = json!({
            "script": self.script,
            "seconds": seconds,
            "limit": (self.limit * 1000.0) as u64,
            "workers": self.workers,
            "candidates": candidates.iter().map(|(number, one)| json!([number, changed(one)])).collect::<Vec<_>>(),
        });
        let file =
            |path: &str, content: Vec<u8>| SourceFile { path: path.into(), content, executable: false };
        let mut files: Vec<SourceFile> =
            self.case.files.iter().map(|own| file(&own.path, own.text.clone().into_bytes())).collect();
        files.push(file("formicary-judge.cjs", JUDGE.into()));
        files.push(file("formicary-plan.json", plan.to_string().into_bytes()));
        let mut request = self.base.clone();
        packages_in_place(&mut request);
        request.language = Some("javascript".into());
        request.source = Source::Files { files, entry: None };
        request.command = Some(vec!["node".into(), "--stack-size=900".into(), "formicary-judge.cjs".into()]);
        request.limits = LimitOverrides {
            wall_seconds: Some((seconds + 15.0).clamp(1.0, 290.0)),
            cpu_seconds: Some((seconds * 3.0 + 30.0).clamp(1.0, 1000.0)),
            memory_bytes: Some(2 << 30),
            output_bytes: Some(16 << 20),
            processes: Some(128),
            disk_bytes: Some(512 << 20),
            open_files: Some(1024),
            ..request.limits
        };
        Ok(read_lines(&(self.run)(request)?.stdout))
    }
}
