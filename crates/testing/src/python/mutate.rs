//! How well a project's tests notice small changes of its files.

use super::{answers, request};
use crate::frameworks;
use crate::project::Project;
use crate::run::{Run, is_missing};
use formicary_model::{ExecutionRequest, Failure, FailureKind, Mutant, MutantStatus, MutationReport};
use serde::Deserialize;
use serde_json::json;
use std::time::Instant;

/// What somebody wants.
#[derive(Debug, Clone, Default)]
pub struct MutationWanted {
    /// The files to change, relative to the project's root.
    pub files: Vec<String>,
    /// Only mutants in these functions, classes or `Class.method`s; in all where there are none.
    pub functions: Vec<String>,
    /// The files of tests; all where there are none.
    pub tests: Vec<String>,
    /// Only tests whose names hold this.
    pub filter: Option<String>,
    /// `pytest` or `unittest`; recognised where it is not said.
    pub framework: Option<String>,
    /// Seconds in all.
    pub seconds: f64,
    /// Mutants of one file at the most, spread over it.
    pub most: usize,
    /// Mutants at a time.
    pub workers: usize,
}

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    tests: Option<u64>,
    #[serde(default)]
    failing: Vec<String>,
    #[serde(default)]
    missing: Option<String>,
    #[serde(default)]
    not_judged: u64,
    #[serde(default)]
    finished: bool,
    #[serde(flatten)]
    mutant: Option<Mutant>,
}

/// Judges the tests of a project.
pub fn mutate(
    run: &Run<'_>,
    base: &ExecutionRequest,
    project: &Project,
    wanted: &MutationWanted,
) -> Result<MutationReport, Failure> {
    let started = Instant::now();
    let framework =
        match wanted.framework.as_deref().or(frameworks::recognised(project).map(|found| found.0.name)) {
            Some(name @ ("pytest" | "unittest")) => name,
            other => {
                let what = other.map_or("no Python tests were found here".to_owned(), |name| {
                    format!("mutants are judged by pytest or unittest, not by {name}")
                });
                return Err(Failure::new(FailureKind::InvalidInput, what)
                    .hint("write tests first: formicary tests generate FILE --write"));
            }
        };
    let tests =
        if wanted.tests.is_empty() { frameworks::python_tests(project) } else { wanted.tests.clone() };
    let plan = json!({
        "files": wanted.files,
        "functions": wanted.functions,
        "select": tests,
        "filter": wanted.filter,
        "framework": framework,
        "seconds": wanted.seconds,
        "most": wanted.most,
        "workers": wanted.workers.clamp(1, 16),
    });
    let result = run(request(base, project, "mutate.py", plan, wanted.seconds + 30.0))?;
    let mut report = MutationReport {
        score: 0.0,
        mutants: 0,
        killed: 0,
        timed_out: 0,
        survived: 0,
        not_covered: 0,
        not_judged: 0,
        survivors: Vec::new(),
        tests: 0,
        seconds: 0.0,
        notes: Vec::new(),
        enforcement: result.enforcement.clone(),
    };
    let mut finished = false;
    for answer in
        answers(&result).into_iter().filter_map(|answer| serde_json::from_value::<Answer>(answer).ok())
    {
        if let Some(what) = answer.missing {
            return Err(is_missing(framework, &what));
        }
        report.tests += answer.tests.unwrap_or_default();
        report.not_judged += answer.not_judged;
        finished |= answer.finished;
        if !answer.failing.is_empty() {
            let names = answer.failing.join(", ");
            report.notes.push(format!("tests that fail without any change do not judge: {names}"));
        }
        if let Some(mutant) = answer.mutant {
            count(&mut report, mutant);
        }
    }
    if report.tests == 0 {
        let said = result.stderr.lines().last().unwrap_or_default();
        return Err(Failure::new(
            FailureKind::InvalidInput,
            format!("no test passes as the project is {said}").trim(),
        )
        .hint("look at them with: formicary tests run"));
    }
    report.survivors.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    if !finished {
        report.notes.push("the time was over before all mutants were judged".into());
    }
    report.score = (report.killed + report.timed_out) as f64 / report.mutants.max(1) as f64;
    report.seconds = started.elapsed().as_secs_f64();
    Ok(report)
}

fn count(report: &mut MutationReport, mutant: Mutant) {
    report.mutants += 1;
    match mutant.status {
        MutantStatus::Killed => report.killed += 1,
        MutantStatus::TimedOut => report.timed_out += 1,
        MutantStatus::Survived => report.survived += 1,
        MutantStatus::NotCovered => report.not_covered += 1,
    }
    if matches!(mutant.status, MutantStatus::Survived | MutantStatus::NotCovered) {
        report.survivors.push(mutant);
    }
}
