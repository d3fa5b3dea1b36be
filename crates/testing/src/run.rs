//! One run of a project's tests. Where a test takes the process with it, the others still get their turn.

use crate::events::Told;
use crate::frameworks::{self, Before, Framework, Plan, Start};
use crate::project::{Project, shortened};
use formicary_model::{
    ExecutionRequest, ExecutionResult, Failure, FailureKind, LimitOverrides, Status, TestReport, TestStatus,
    TestTotals, suggest,
};
use std::time::Instant;

/// Sandboxes at the most for one suite: each after the first means a test that ended its process.
const MOST_RUNS: usize = 12;
const MOST_OUTPUT: usize = 16_000;
const GIB: u64 = 1 << 30;

/// What somebody wants of a project's tests.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// The framework; recognised where it is not said.
    pub framework: Option<String>,
    /// Files, packages or names that the framework understands; all tests where there are none.
    pub select: Vec<String>,
    /// Only tests whose names hold this.
    pub filter: Option<String>,
    /// More arguments for the framework.
    pub arguments: Vec<String>,
    /// Whether to tell which lines were reached.
    pub coverage: bool,
    /// Seconds that one test may take.
    pub test_seconds: Option<f64>,
    /// Seconds for the whole suite.
    pub seconds: Option<f64>,
}

/// Runs a request to its end.
pub type Run<'a> = dyn Fn(ExecutionRequest) -> Result<ExecutionResult, Failure> + Sync + 'a;

/// Runs tests.
pub struct TestRunner<'a> {
    /// Runs a request to its end.
    pub run: &'a Run<'a>,
    /// What every request starts from: provider, packages, protection.
    pub base: &'a ExecutionRequest,
}

impl TestRunner<'_> {
    /// Runs the tests of a project.
    pub fn run_tests(&self, project: &Project, wanted: &Wanted) -> Result<TestReport, Failure> {
        let (framework, because) = choose(project, wanted)?;
        let started = Instant::now();
        let budget = wanted.seconds.unwrap_or(280.0);
        let (mut tests, mut done, mut notes) = (Vec::new(), Vec::new(), Vec::new());
        let (mut rounds, mut seconds) = (0, 0.0);
        let (result, coverage) = loop {
            rounds += 1;
            let before = Before { done: &done, test_seconds: wanted.test_seconds };
            let left = budget - started.elapsed().as_secs_f64();
            let plan = (framework.plan)(project, wanted, &before);
            let result = (self.run)(self.request(framework, project, plan, left))?;
            let Told { tests: found, ids, finished, missing, coverage: lines } =
                (framework.read)(project, &result);
            if let Some(what) = missing {
                return Err(is_missing(framework.name, &what));
            }
            seconds += result.duration;
            let crashed = |test: &formicary_model::TestResult| {
                matches!(test.status, TestStatus::Crashed | TestStatus::TimedOut)
            };
            let stopped = !finished && found.iter().any(crashed);
            if ids.len() == found.len() {
                // What is told again of a class or a module was told by an earlier process.
                for (id, test) in ids.into_iter().zip(found) {
                    if !done.contains(&id) {
                        done.push(id);
                        tests.push(test);
                    }
                }
            } else {
                tests.extend(found);
            }
            let time_left = budget - started.elapsed().as_secs_f64();
            if !(framework.goes_on && stopped) {
                break (result, lines);
            }
            if rounds >= MOST_RUNS || time_left < 2.0 {
                notes.push("tests after the last one that ended its process were not run".into());
                break (result, lines);
            }
        };
        if rounds > 1 {
            notes.push(format!("{rounds} processes were needed: some tests ended theirs"));
        }
        if tests.is_empty() {
            notes.push(nothing_ran(&result));
        }
        if wanted.coverage && coverage.is_empty() {
            notes.push(format!("{} told nothing of the lines that were reached", framework.name));
        }
        let totals = TestTotals::of(&tests);
        Ok(TestReport {
            passed: totals.passed > 0
                && tests.iter().all(|test| !test.status.is_bad())
                && ended_well(&result, rounds),
            framework: framework.name.to_owned(),
            chosen_because: because,
            language: framework.language.to_owned(),
            status: result.status,
            exit_code: result.exit_code,
            run_id: result.run_id.clone(),
            totals,
            seconds,
            tests,
            coverage,
            output: said(&result),
            notes,
            enforcement: result.enforcement,
        })
    }

    fn request(
        &self,
        framework: &Framework,
        project: &Project,
        plan: Plan,
        seconds: f64,
    ) -> ExecutionRequest {
        let mut request = self.base.clone();
        request.language = Some(framework.language.to_owned());
        if framework.language == "python" && request.venv.is_none() && request.packages.is_empty() {
            request.venv.clone_from(&project.venv);
        }
        for (name, value) in plan.env {
            request.env.entry(name.to_owned()).or_insert(value);
        }
        request.collect.globs.extend(plan.collect);
        let entry = match plan.start {
            Start::Python(entry) => Some(entry),
            Start::Shell(words) => {
                let words = format!("{}{words}", project.layout());
                request.command = Some(vec!["/bin/sh".into(), "-c".into(), words]);
                None
            }
        };
        project.put_into(&mut request, plan.files, entry);
        let environment = &mut request.environment;
        environment.limits = std::mem::take(&mut environment.limits).or(&limits(seconds));
        request
    }
}

/// Tests want more than a program: compilers, processes of their own, files.
pub fn limits(seconds: f64) -> LimitOverrides {
    LimitOverrides {
        wall_seconds: Some(seconds.clamp(1.0, 300.0)),
        cpu_seconds: Some((seconds * 4.0).clamp(4.0, 1_200.0)),
        memory_bytes: Some(3 * GIB),
        processes: Some(512),
        disk_bytes: Some(2 * GIB),
        open_files: Some(1024),
        output_bytes: Some(32 << 20),
        ..LimitOverrides::default()
    }
}

fn choose(project: &Project, wanted: &Wanted) -> Result<(&'static Framework, String), Failure> {
    let known = || frameworks::ALL.iter().map(|framework| framework.name);
    if let Some(name) = &wanted.framework {
        let found = frameworks::named(name).ok_or_else(|| {
            let hint = match suggest::nearest(name, known()) {
                Some(near) => format!("did you mean {near}?"),
                None => format!("frameworks that are known: {}", known().collect::<Vec<_>>().join(", ")),
            };
            Failure::new(FailureKind::InvalidInput, format!("there is no test framework {name:?}")).hint(hint)
        })?;
        return Ok((found, "it was asked for".into()));
    }
    frameworks::recognised(project).ok_or_else(|| {
        Failure::new(FailureKind::InvalidInput, "no tests of a known framework were found here")
            .hint(format!("name the framework with --framework: {}", known().collect::<Vec<_>>().join(", ")))
    })
}

/// A framework lacks what it needs.
pub(crate) fn is_missing(framework: &str, what: &str) -> Failure {
    let hint = match what {
        "pytest" => {
            "give the project's environment with --venv, or let it be installed with --requirements pytest; \
             tests of unittest run without, by --framework unittest"
        }
        "jest" | "vitest" => "install the project's packages first: npm install",
        "cargo-nextest" => {
            "install it: cargo install --locked cargo-nextest; or run them by --framework cargo"
        }
        "cmake" => "install it, on Debian: apt-get install cmake",
        _ => "install it, or name another framework with --framework",
    };
    let message = format!("{framework} tests need {what}, which is not there");
    Failure::new(FailureKind::ToolchainMissing, message).hint(hint)
}

fn said(result: &ExecutionResult) -> String {
    let both = match (result.stdout.trim_end(), result.stderr.trim_end()) {
        (out, "") => out.to_owned(),
        ("", err) => err.to_owned(),
        (out, err) => format!("{out}\n{err}"),
    };
    shortened(&both, MOST_OUTPUT)
}

/// Whether the framework itself is content. After a crash it is not, and the crashed test says so already.
fn ended_well(result: &ExecutionResult, rounds: usize) -> bool {
    rounds == 1 && result.status == Status::Success
}

fn nothing_ran(result: &ExecutionResult) -> String {
    match &result.error_message {
        Some(why) => format!("no test ran: {why}; its output tells more"),
        None => "no test ran".into(),
    }
}
