//! The judge of Java programs: one sandbox, one virtual machine, a class loader for each candidate.
//!
//! As with Python, what it says is a hint: whatever passes is run again by the real tests in a sandbox of its own.

use super::python::{Batch, Verdict};
use super::{JudgeOf, that_fit};
use crate::verify::Run;
use crate::{Candidate, Case, TextEdit};
use formicary_diagnose::command::matches_glob;
use formicary_model::{ExecutionRequest, Failure, LimitOverrides, Source, SourceFile};

const JUDGE: &str = include_str!("Judge.java");

/// Judges by the main method of a class.
pub struct JavaJudge<'a> {
    /// The case.
    pub case: &'a Case,
    /// The class whose main method runs the tests.
    pub class: &'a str,
    /// What it is given.
    pub arguments: &'a [String],
    /// Archives of the class path.
    pub archives: &'a [String],
    /// The files that the command compiles, by names with `*`.
    pub sources: &'a [String],
    /// Where further sources are looked for.
    pub folders: &'a [String],
    /// How requests are run.
    pub run: &'a Run<'a>,
    /// A request as the configuration would have it.
    pub base: &'a ExecutionRequest,
    /// Threads at a time.
    pub workers: usize,
    /// Seconds that one candidate may take.
    pub limit: f64,
}

impl JudgeOf for JavaJudge<'_> {
    fn judge(&self, candidates: &[(usize, &Candidate)], seconds: f64) -> Result<Batch, Failure> {
        let taken = |candidate: &Candidate| -> usize {
            let bytes = |edit: &TextEdit| self.path(edit).len() + edit.replacement.len() + 24;
            candidate.edits.iter().map(bytes).sum()
        };
        let candidates = that_fit(candidates, taken);
        let mut plan = Vec::new();
        let java: Vec<(&str, &str)> = self
            .case
            .files
            .iter()
            .filter(|file| file.path.ends_with(".java") && self.is_compiled(&file.path))
            .map(|file| (file.path.as_str(), file.text.as_str()))
            .collect();
        sources(&mut plan, &java);
        let own = self.case.files.iter().filter(|file| file.editable);
        let own: Vec<(&str, &str)> = own.map(|file| (file.path.as_str(), file.text.as_str())).collect();
        sources(&mut plan, &own);
        text(&mut plan, self.class);
        texts(&mut plan, self.arguments);
        texts(&mut plan, self.archives);
        texts(&mut plan, self.folders);
        plan.extend(seconds.to_be_bytes());
        plan.extend(self.limit.to_be_bytes());
        number(&mut plan, self.workers);
        number(&mut plan, candidates.len());
        for (index, candidate) in candidates {
            number(&mut plan, *index);
            number(&mut plan, candidate.edits.len());
            for edit in &candidate.edits {
                text(&mut plan, self.path(edit));
                number(&mut plan, edit.start);
                number(&mut plan, edit.end);
                text(&mut plan, &edit.replacement);
            }
        }
        let result = (self.run)(self.request(plan, seconds))?;
        Ok(read_lines(&result.stdout))
    }

    fn slice(&self) -> f64 {
        // The machine and its compiler grow warm, and it stops by itself a little after something passed.
        24.0
    }

    fn first_batch(&self) -> usize {
        2_000
    }
}

impl JavaJudge<'_> {
    fn path(&self, edit: &TextEdit) -> &str {
        self.case.files.get(edit.file).map_or("", |file| file.path.as_str())
    }

    fn is_compiled(&self, path: &str) -> bool {
        self.sources.is_empty() || self.sources.iter().any(|pattern| matches_glob(pattern, path))
    }

    fn request(&self, plan: Vec<u8>, seconds: f64) -> ExecutionRequest {
        let file =
            |path: &str, content: Vec<u8>| SourceFile { path: path.into(), content, executable: false };
        let mut files: Vec<SourceFile> =
            self.case.files.iter().map(|own| file(&own.path, own.text.clone().into_bytes())).collect();
        files.push(file("formicary-judge/Judge.java", JUDGE.into()));
        files.push(file("plan.bin", plan));
        let mut request = self.base.clone();
        request.language = Some("java".into());
        request.source = Source::Files { files, entry: None };
        // Started by its source: the compiler is warm when the first version comes.
        let shell = "exec java -XX:TieredStopAtLevel=1 -Djava.security.manager=allow -XX:+UseSerialGC -Xmx1g \
                     --add-exports jdk.compiler/com.sun.tools.javac.api=ALL-UNNAMED -cp /tmp formicary-judge/Judge.java 2>/dev/null";
        request.command = Some(vec!["sh".into(), "-c".into(), shell.into()]);
        request.limits = LimitOverrides {
            wall_seconds: Some((seconds + 20.0).clamp(1.0, 290.0)),
            cpu_seconds: Some((seconds * 3.0 + 60.0).clamp(1.0, 1000.0)),
            memory_bytes: Some(2 << 30),
            output_bytes: Some(16 << 20),
            processes: Some(256),
            open_files: Some(1024),
            disk_bytes: Some(512 << 20),
            ..request.limits
        };
        request
    }
}

/// What a judge wrote: in each line a number, a verdict and how much passed before it; `end` in the last.
pub(super) fn read_lines(said: &str) -> Batch {
    let mut batch = Batch::default();
    for line in said.lines() {
        if line == "end" {
            batch.ended = true;
        } else if let Some((number, verdict)) = line.split_once(' ')
            && let Ok(number) = number.parse()
        {
            let (verdict, passed) = verdict.split_once(' ').unwrap_or((verdict, "0"));
            let verdict = match verdict {
                "pass" => Verdict::Pass,
                "fail" => Verdict::Fail,
                "broken" => Verdict::Broken,
                "time" => Verdict::Time,
                _ => Verdict::Died,
            };
            batch.judged.push((number, verdict, passed.parse().unwrap_or(0)));
        }
    }
    batch
}

fn number(plan: &mut Vec<u8>, value: usize) {
    plan.extend(i32::try_from(value).unwrap_or(i32::MAX).to_be_bytes());
}

fn text(plan: &mut Vec<u8>, value: &str) {
    number(plan, value.len());
    plan.extend(value.as_bytes());
}

fn texts(plan: &mut Vec<u8>, values: &[String]) {
    number(plan, values.len());
    values.iter().for_each(|value| text(plan, value));
}

fn sources(plan: &mut Vec<u8>, sources: &[(&str, &str)]) {
    number(plan, sources.len());
    for (path, content) in sources {
        text(plan, path);
        text(plan, content);
    }
}
