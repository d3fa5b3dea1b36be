//! Tests for Python modules, without a model: one sandbox for each module, some at a time.

use super::{answers, module_of, request};
use crate::project::Project;
use crate::run::Run;
use formicary_model::{
    Enforcement, ExecutionRequest, Failure, FailureKind, GeneratedTests, GenerationReport,
};
use serde::Deserialize;
use serde_json::json;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// The form of the tests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Style {
    /// Functions with plain assertions.
    #[default]
    Pytest,
    /// Methods of a class of unittest.
    Unittest,
}

/// What somebody wants.
#[derive(Debug, Clone, Default)]
pub struct GenerationWanted {
    /// The files, relative to the project's root.
    pub files: Vec<String>,
    /// Only these functions, classes or `Class.method`s; all public ones where there are none.
    pub functions: Vec<String>,
    /// Seconds for each file.
    pub seconds: f64,
    /// The form of the tests.
    pub style: Style,
    /// Files at a time.
    pub workers: usize,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Answer {
    error: Option<String>,
    text: String,
    tests: u64,
    properties: u64,
    functions: u64,
    lines: u64,
    covered: u64,
    mutants: u64,
    killed: u64,
    flaky: u64,
}

/// The tests of one file, and which protections held.
type Made = Result<(GeneratedTests, Enforcement), Failure>;

/// Writes tests for each file. A file that cannot be imported gets none, and a note that says why.
pub fn generate(
    run: &Run<'_>,
    base: &ExecutionRequest,
    project: &Project,
    wanted: &GenerationWanted,
) -> Result<GenerationReport, Failure> {
    let started = Instant::now();
    let next = AtomicUsize::new(0);
    let made: Mutex<Vec<(usize, Made)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..wanted.workers.clamp(1, 16).min(wanted.files.len()) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(path) = wanted.files.get(at) else { return };
                    let answer = of_file(run, base, project, wanted, path);
                    if let Ok(mut made) = made.lock() {
                        made.push((at, answer));
                    }
                }
            });
        }
    });
    let mut made = made.into_inner().unwrap_or_default();
    made.sort_by_key(|(at, _)| *at);
    let (mut files, mut enforcement) = (Vec::new(), None);
    for (_, answer) in made {
        let (tests, held) = answer?;
        files.push(tests);
        enforcement = Some(held);
    }
    let enforcement =
        enforcement.ok_or_else(|| Failure::new(FailureKind::InvalidInput, "no file was named"))?;
    Ok(GenerationReport { files, seconds: started.elapsed().as_secs_f64(), enforcement })
}

fn of_file(
    run: &Run<'_>,
    base: &ExecutionRequest,
    project: &Project,
    wanted: &GenerationWanted,
    path: &str,
) -> Made {
    let (root, module) = module_of(project, path);
    let style = if wanted.style == Style::Unittest { "unittest" } else { "pytest" };
    let plan = json!({
        "path": path,
        "module": module,
        "source_root": root,
        "functions": wanted.functions,
        "seconds": wanted.seconds,
        "style": style,
    });
    // The search keeps to its time by itself; what follows it, checking the file three times, is on top.
    let result = run(request(base, project, "generate.py", plan, wanted.seconds * 2.0 + 120.0))?;
    let answer = answers(&result).pop().and_then(|answer| serde_json::from_value::<Answer>(answer).ok());
    let answer = answer.unwrap_or_else(|| {
        let why = result.error_message.clone().unwrap_or_else(|| "it said nothing".into());
        let said = result.stderr.lines().last().unwrap_or_default();
        Answer { error: Some(format!("the search ended early: {why}; {said}")), ..Answer::default() }
    });
    let tests = GeneratedTests {
        file: test_file(project, path),
        module,
        text: if answer.tests > 0 { answer.text } else { String::new() },
        tests: answer.tests,
        properties: answer.properties,
        functions: answer.functions,
        lines: answer.lines,
        covered: answer.covered,
        mutants: answer.mutants,
        killed: answer.killed,
        flaky: answer.flaky,
        notes: answer.error.into_iter().collect(),
    };
    Ok((tests, result.enforcement))
}

/// Where tests of a file go: into the folder of tests, where there is one. A file that is there already is not replaced.
fn test_file(project: &Project, path: &str) -> String {
    let stem = path.strip_suffix(".py").unwrap_or(path);
    let name = stem.rsplit('/').next().unwrap_or(stem);
    let name = if name == "__init__" { stem.rsplit('/').nth(1).unwrap_or("package") } else { name };
    let folder = ["tests", "test"]
        .into_iter()
        .find(|folder| project.paths.iter().any(|path| path.starts_with(&format!("{folder}/"))));
    let place = |name: &str| match folder {
        Some(folder) => format!("{folder}/{name}.py"),
        None => format!("{name}.py"),
    };
    let first = place(&format!("test_{name}"));
    if project.has(&first) { place(&format!("test_{name}_generated")) } else { first }
}
