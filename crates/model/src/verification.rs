//! Patches, and the evidence that they mend what was broken.

use crate::{Diagnosis, Enforcement, Status};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What came of an attempt to mend a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FixStatus {
    /// A patch was found, and tests or an expected output verify it.
    Fixed,
    /// No test says what the program should do. The patches remove the error that was diagnosed, and nothing more is known.
    Suggested,
    /// No patch that passes was found within the budget.
    NotFixed,
    /// The program passes as it is.
    NothingWrong,
}

impl FixStatus {
    /// The word on the wire.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Suggested => "suggested",
            Self::NotFixed => "not_fixed",
            Self::NothingWrong => "nothing_wrong",
        }
    }
}

/// One run of the tests in a sandbox of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TestRun {
    /// The run's name in events and logs.
    pub run_id: String,
    /// Whether everything passed.
    pub passed: bool,
    /// How it ended.
    pub status: Status,
    /// The exit code, if it exited.
    pub exit_code: Option<i32>,
    /// Seconds.
    pub duration: f64,
    /// Largest memory in bytes, where it was measured.
    pub memory_peak: Option<u64>,
    /// The end of what it wrote.
    pub output: String,
}

/// The tests before and after a patch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Verification {
    /// Whether tests failed before and pass every time after. Never true where there are no tests.
    pub verified: bool,
    /// The run before.
    pub before: TestRun,
    /// The runs after.
    pub after: Vec<TestRun>,
    /// Whether runs of the same code ended differently.
    pub flaky: bool,
    /// What became worse though the tests pass: much slower, much more memory.
    pub regressions: Vec<String>,
    /// Which protections held.
    pub enforcement: Enforcement,
}

/// What speaks for a patch.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PatchEvidence {
    /// Tests that failed pass with it, and the tests that passed still do.
    Tests,
    /// One single check stands behind it, and no other.
    SingleTest,
    /// It brings in values of the failing test, and may be right for these alone.
    FitsTheTestOnly,
    /// No test was run: the program runs to its end with it.
    #[default]
    Candidate,
}

impl PatchEvidence {
    /// The word on the wire.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Tests => "tests",
            Self::SingleTest => "single_test",
            Self::FitsTheTestOnly => "fits_the_test_only",
            Self::Candidate => "candidate",
        }
    }

    /// Whether the patch may be taken without another look.
    pub const fn is_strong(self) -> bool {
        matches!(self, Self::Tests)
    }
}

/// A patch with where it comes from and what it was put through.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RankedPatch {
    /// Its place, from one.
    pub rank: u32,
    /// The change as a unified diff.
    pub diff: String,
    /// Which strategy and which rule proposed it.
    pub origin: String,
    /// What it does, in one sentence.
    pub explanation: String,
    /// How sure the ranking is of it, from nothing to one.
    pub confidence: f64,
    /// What speaks for it.
    #[serde(default)]
    pub evidence: PatchEvidence,
    /// Why it may be wrong though it passes, in a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub caveats: Vec<String>,
    /// The changed files in full.
    pub files: Vec<PatchedFile>,
    /// The runs before and after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verification: Option<Verification>,
}

/// A file as a patch leaves it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PatchedFile {
    /// Its path, relative to the project's root.
    pub path: String,
    /// Its text afterwards.
    pub text: String,
}

/// A line under suspicion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SuspiciousLine {
    /// The file.
    pub path: String,
    /// The line, from one.
    pub line: u32,
    /// Ochiai's score, from nothing to one.
    pub ochiai: f64,
    /// D*'s score.
    pub dstar: f64,
    /// Why.
    pub reason: String,
}

/// The report of one attempt to mend a program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FixReport {
    /// What came of it.
    pub status: FixStatus,
    /// The language of the program.
    pub language: String,
    /// The test command as it was run.
    pub command: Vec<String>,
    /// The run of the tests before anything was changed.
    pub baseline: TestRun,
    /// Patches that passed, the best first; without tests those by rule with which the program runs to its end.
    pub patches: Vec<RankedPatch>,
    /// Candidates that were judged.
    pub candidates: u64,
    /// Candidates judged in a second of judging.
    pub candidates_per_second: f64,
    /// Seconds in all.
    pub seconds: f64,
    /// The most suspicious lines.
    pub suspects: Vec<SuspiciousLine>,
    /// Why the tests fail, as far as their output and a second look tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diagnosis: Option<Diagnosis>,
    /// Packages that the program imports and that are not there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<MissingPackage>,
    /// The language model that was asked, where one was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelUse>,
    /// The files that were written, if that was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub written: Vec<String>,
    /// The name by which what was written can be taken back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo: Option<String>,
    /// What the reader should know.
    pub notes: Vec<String>,
}

/// A package that a program imports and that is not there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MissingPackage {
    /// What is imported: `yaml`.
    pub module: String,
    /// What has to be installed: `PyYAML`.
    pub package: String,
    /// Whether it was installed for the runs of this report.
    pub installed: bool,
}

/// What a language model had to do with it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelUse {
    /// What it is called.
    pub name: String,
    /// How often it was asked.
    pub requests: u32,
    /// Tokens that it read.
    pub input_tokens: u64,
    /// Tokens that it wrote.
    pub output_tokens: u64,
    /// Money; nothing where its price is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub money: Option<f64>,
    /// Its proposals that did not pass, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rejected: Vec<RejectedProposal>,
}

/// A proposal that did not pass.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RejectedProposal {
    /// The change, or what was said instead of one.
    pub change: String,
    /// Why it does not hold.
    pub why: String,
}
