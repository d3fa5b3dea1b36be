//! Tests of any framework in one form: what ran, how each ended, what was covered, what mutants and generators say.

use crate::use_case::{Code, Input, Judge, Number, Purpose};
use crate::{Enforcement, Environment, Failure, FailureKind, Status};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which tests to run, and how.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct RunTestsInput {
    /// The project: its directory, or a file of tests in it.
    #[serde(flatten)]
    pub code: Code,
    /// Where the tests run.
    #[serde(flatten)]
    pub environment: Environment,
    /// `pytest`, `unittest`, `node`, `jest`, `vitest`, `go`, `cargo`, `nextest`, `junit` or `ctest`; recognized if not named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub framework: Option<String>,
    /// Files, packages or tests, as the framework names them; all if none is named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
    /// Only tests whose names hold this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter: Option<String>,
    /// More arguments for the framework.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Whether to report which lines were reached (Python, Go, node, jest).
    pub coverage: bool,
    /// Seconds that one test may take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test_seconds: Option<f64>,
    /// Seconds for all of them.
    pub seconds: Number<280, 0, 300>,
}

/// For what to write tests, and how.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct GenerateTestsInput {
    /// The project: its directory, or a file of it.
    #[serde(flatten)]
    pub code: Code,
    /// Where the code is tried.
    #[serde(flatten)]
    pub environment: Environment,
    /// The Python files that want tests; all that are no tests if none is named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
    /// Only these functions, classes or `Class.method`s.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<String>,
    /// The form of the tests.
    pub style: TestStyle,
    /// Seconds for each file.
    pub seconds: Number<15, 1, 160>,
    /// Files at a time; as many as there are processors if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workers: Option<usize>,
    /// A model that is asked for more tests, as in `openai:gpt-4o`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// The form of written tests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TestStyle {
    /// Functions with plain assertions.
    #[default]
    Pytest,
    /// Methods of a class of unittest.
    Unittest,
}

/// Which tests to judge, and by which mutants.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct MutateTestsInput {
    /// The project: its directory, or the file to change.
    #[serde(flatten)]
    pub code: Code,
    /// Where the tests run.
    #[serde(flatten)]
    pub environment: Environment,
    /// The Python files that are changed; all that are no tests if none is named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
    /// Only changes in these functions, classes or `Class.method`s.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<String>,
    /// The files of tests that judge; all if none is named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<String>,
    /// Only tests whose names hold this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter: Option<String>,
    /// `pytest` or `unittest`; recognized if not named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub framework: Option<String>,
    /// Seconds in all.
    pub seconds: Number<120, 1, 900>,
    /// Mutants of one file at most, spread over it.
    pub most: Number<400, 1, 5000>,
    /// Mutants at a time; as many as there are processors if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workers: Option<usize>,
}

impl Input for RunTestsInput {
    fn parts(&mut self, judge: &mut dyn Judge) -> Result<(), Failure> {
        judge.code(&mut self.code)?;
        judge.environment(&mut self.environment, Purpose::Tests)?;
        if let Some(seconds) = self.test_seconds.filter(|seconds| !(0.01..=300.0).contains(seconds)) {
            let message = format!("test_seconds is {seconds}, it must be 0.01 to 300");
            return Err(Failure::new(FailureKind::InvalidInput, message).hint("leave it out, or give more"));
        }
        judge.seconds("seconds", self.seconds.get())
    }
}

impl Input for GenerateTestsInput {
    fn parts(&mut self, judge: &mut dyn Judge) -> Result<(), Failure> {
        judge.code(&mut self.code)?;
        judge.environment(&mut self.environment, Purpose::Tests)?;
        judge.own("model", self.model.is_some())?;
        judge.workers(&mut self.workers);
        let files = match (self.only.len(), self.code.files.len()) {
            (0, sent) => sent,
            (named, _) => named,
        };
        judge.total_seconds("seconds for all files", self.seconds.get() * files as f64)
    }
}

impl Input for MutateTestsInput {
    fn parts(&mut self, judge: &mut dyn Judge) -> Result<(), Failure> {
        judge.code(&mut self.code)?;
        judge.environment(&mut self.environment, Purpose::Tests)?;
        judge.workers(&mut self.workers);
        judge.seconds("seconds", self.seconds.get())
    }
}

/// How one test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TestStatus {
    /// As it should.
    Passed,
    /// An assertion did not hold.
    Failed,
    /// It could not be prepared, collected or cleaned up, or raised what no assertion raises.
    Errored,
    /// It was left out, with or without a reason.
    Skipped,
    /// Its time was over.
    TimedOut,
    /// It took its process with it.
    Crashed,
}

crate::words!(TestStatus {
    Passed => "passed",
    Failed => "failed",
    Errored => "errored",
    Skipped => "skipped",
    TimedOut => "timed_out",
    Crashed => "crashed",
});

impl TestStatus {
    /// Whether a suite with such a test is not to be trusted.
    pub const fn is_bad(self) -> bool {
        !matches!(self, Self::Passed | Self::Skipped)
    }
}

/// A place in a file of the project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TestPlace {
    /// The file, relative to the project's root.
    pub file: String,
    /// The line, from one.
    pub line: u32,
}

/// One test and how it ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TestResult {
    /// Its name within its suite.
    pub name: String,
    /// The file, class, package or program that it belongs to.
    pub suite: String,
    /// How it ended.
    pub status: TestStatus,
    /// Seconds, where the framework tells them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Why it did not pass, in a few lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Where it failed; where it stands, if it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<TestPlace>,
    /// What it wrote and the trace of its failure, the middle left out where it is long.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
}

/// How many tests ended how.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TestTotals {
    /// All of them.
    pub tests: u64,
    /// Passed.
    pub passed: u64,
    /// Failed.
    pub failed: u64,
    /// Errored.
    pub errored: u64,
    /// Skipped.
    pub skipped: u64,
    /// Timed out.
    pub timed_out: u64,
    /// Crashed.
    pub crashed: u64,
}

impl TestTotals {
    /// Counts.
    pub fn of<'a>(tests: impl IntoIterator<Item = &'a TestResult>) -> Self {
        let mut totals = Self::default();
        for test in tests {
            totals.tests += 1;
            *match test.status {
                TestStatus::Passed => &mut totals.passed,
                TestStatus::Failed => &mut totals.failed,
                TestStatus::Errored => &mut totals.errored,
                TestStatus::Skipped => &mut totals.skipped,
                TestStatus::TimedOut => &mut totals.timed_out,
                TestStatus::Crashed => &mut totals.crashed,
            } += 1;
        }
        totals
    }
}

/// Which lines of a file were reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileCoverage {
    /// The file, relative to the project's root.
    pub file: String,
    /// Lines that hold code.
    pub lines: u64,
    /// How many of them were reached.
    pub covered: u64,
    /// The others.
    pub missed: Vec<u32>,
}

/// One run of a project's tests.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TestReport {
    /// Whether something ran and nothing is bad.
    pub passed: bool,
    /// The framework: `pytest`, `unittest`, `node`, `jest`, `vitest`, `go`, `cargo`, `junit`, `ctest`.
    pub framework: String,
    /// Why this framework was chosen.
    pub chosen_because: String,
    /// The language of the tests.
    pub language: String,
    /// How the framework's process ended; the last one, where several were needed.
    pub status: Status,
    /// Its exit code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The run's name in events and logs.
    pub run_id: String,
    /// Counts.
    pub totals: TestTotals,
    /// Seconds in all, of the sandboxes.
    pub seconds: f64,
    /// The tests, in the order in which they ran.
    pub tests: Vec<TestResult>,
    /// Covered lines, where they were asked for and can be told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub coverage: Vec<FileCoverage>,
    /// What the framework said besides, the middle left out where it is long.
    pub output: String,
    /// What the reader should know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Which protections held.
    pub enforcement: Enforcement,
}

/// How a mutant fared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MutantStatus {
    /// A test noticed it.
    Killed,
    /// It ran for ever, which somebody would notice.
    TimedOut,
    /// No test noticed it.
    Survived,
    /// No test reaches its line.
    NotCovered,
}

impl MutantStatus {
    /// The word on the wire.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Killed => "killed",
            Self::TimedOut => "timed_out",
            Self::Survived => "survived",
            Self::NotCovered => "not_covered",
        }
    }
}

/// One small change of the program, and whether the tests noticed it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Mutant {
    /// The file, relative to the project's root.
    pub file: String,
    /// The line, from one.
    pub line: u32,
    /// What kind of change: `comparison`, `operator`, `constant`, `return`, `statement`, `condition`, `argument`.
    pub kind: String,
    /// The lines as they were, each after a `-`, and as they became, each after a `+`.
    pub diff: String,
    /// How it fared.
    pub status: MutantStatus,
    /// The test that noticed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub killed_by: Option<String>,
}

/// How well tests notice changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MutationReport {
    /// Mutants noticed, of all that were judged, from nothing to one.
    pub score: f64,
    /// Mutants that were judged.
    pub mutants: u64,
    /// Killed.
    pub killed: u64,
    /// Timed out.
    pub timed_out: u64,
    /// Survived.
    pub survived: u64,
    /// Not covered.
    pub not_covered: u64,
    /// Mutants for which no time was left.
    pub not_judged: u64,
    /// Those that were not noticed.
    pub survivors: Vec<Mutant>,
    /// Tests that judged.
    pub tests: u64,
    /// Seconds in all.
    pub seconds: f64,
    /// What the reader should know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Which protections held.
    pub enforcement: Enforcement,
}

/// A file of tests that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GeneratedTests {
    /// The module that they test.
    pub module: String,
    /// The file that is proposed, relative to the project's root.
    pub file: String,
    /// Its text.
    pub text: String,
    /// Tests in it.
    pub tests: u64,
    /// Those that state a property rather than what was observed.
    pub properties: u64,
    /// Functions and methods that were tried.
    pub functions: u64,
    /// Lines of code in them.
    pub lines: u64,
    /// How many of these the tests reach.
    pub covered: u64,
    /// Mutants that were tried.
    pub mutants: u64,
    /// How many of these the tests notice.
    pub killed: u64,
    /// Tests dropped because they did not pass every time.
    pub flaky: u64,
    /// What the reader should know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// What came of generating tests.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GenerationReport {
    /// One for each module.
    pub files: Vec<GeneratedTests>,
    /// Seconds in all.
    pub seconds: f64,
    /// Which protections held.
    pub enforcement: Enforcement,
}
