//! Tests of any framework in one form: what ran, how each ended, what was covered, what mutants and generators say.

use crate::{Enforcement, Status};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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

impl TestStatus {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Passed, Self::Failed, Self::Errored, Self::Skipped, Self::TimedOut, Self::Crashed];

    /// The word on the wire.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Errored => "errored",
            Self::Skipped => "skipped",
            Self::TimedOut => "timed_out",
            Self::Crashed => "crashed",
        }
    }

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
