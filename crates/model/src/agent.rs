//! The agent: tasks that a model solves in the sandbox, and the runs that are kept.

use crate::review::Severity;
use crate::use_case::{Budget, Code, Input, Judge, Purpose};
use crate::{Environment, Failure, FailureKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A task for the agent, and what it may spend.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields, extend("required" = ["task"]))]
pub struct SolveInput {
    /// What is to be done, in the caller's words.
    pub task: String,
    /// The directory or the files to begin with; none for an empty workspace.
    #[serde(flatten)]
    pub code: Code,
    /// Where its programs run.
    #[serde(flatten)]
    pub environment: Environment,
    /// A test command that must end with exit code 0, as in `python3 -m unittest`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
    /// How the program is run, if that is not plain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// What the program must write.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expect: Option<String>,
    /// The input that goes with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdin: Option<String>,
    /// Further outputs that the program must give.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cases: Vec<ExpectedOutput>,
    /// A program that must end with exit code 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checker: Option<Checker>,
    /// The model, in place of the configured one, as in `openai:gpt-4o`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The file into which the model's answers are recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    /// Packages that may be installed, besides the configured ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allow_packages: Vec<String>,
    /// Lets it change tests that were there; never weaken them.
    pub allow_test_edits: bool,
    /// Does not try the fixer that needs no model.
    pub without_fixer: bool,
    /// Findings of this severity in the result do not pass.
    pub gate: AgentGate,
    /// Answers of the model at most; as many as configured if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<u32>,
    /// Proposals at most that are judged and do not pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempts: Option<u32>,
    /// Seconds in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Tokens, read and written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Money, in the currency of the prices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub money: Option<f64>,
    /// Seconds of programs in the sandbox.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sandbox_seconds: Option<f64>,
    /// What is done with the result.
    #[serde(flatten)]
    pub result: ResultInput,
}

/// What is done with the files of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct ResultInput {
    /// Writes the result into the directory that it began with, if it is solved.
    pub apply: bool,
    /// The directory into which all files are written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub out: Option<String>,
}

impl Input for ResultInput {
    fn parts(&mut self, judge: &mut dyn Judge) -> Result<(), Failure> {
        judge.write(self.apply)?;
        judge.host_path("out", self.out.as_deref())
    }
}

impl Input for SolveInput {
    fn parts(&mut self, judge: &mut dyn Judge) -> Result<(), Failure> {
        // It may begin with nothing; what it begins with is named or sent.
        if self.has_code() {
            judge.code(&mut self.code)?;
        }
        judge.environment(&mut self.environment, Purpose::Run)?;
        judge.own("model", self.model.is_some())?;
        judge.own("allow_packages", !self.allow_packages.is_empty())?;
        judge.host_path("record", self.record.as_deref())?;
        for (budget, amount) in [
            (Budget::Steps, self.steps.map(f64::from)),
            (Budget::Attempts, self.attempts.map(f64::from)),
            (Budget::Seconds, self.seconds),
            (Budget::Tokens, self.tokens.map(|tokens| tokens as f64)),
            (Budget::Money, self.money),
            (Budget::SandboxSeconds, self.sandbox_seconds),
        ] {
            let Some(amount) = amount else { continue };
            if !amount.is_finite() || amount <= 0.0 {
                return Err(Failure::new(
                    FailureKind::InvalidInput,
                    format!("{} is {amount}", budget.field()),
                )
                .hint("give more than 0, or leave it out"));
            }
            judge.budget(budget, amount)?;
        }
        self.result.parts(judge)
    }
}

impl SolveInput {
    /// Whether it begins with code.
    pub fn has_code(&self) -> bool {
        !self.code.files.is_empty() || !self.code.paths.is_empty()
    }

    /// How one sees that it is done.
    pub fn acceptance(&self) -> Acceptance {
        let stdin = self.stdin.clone().unwrap_or_default();
        let expected = self.expect.clone().map(|stdout| ExpectedOutput { stdin, stdout });
        Acceptance {
            expected: expected.into_iter().chain(self.cases.iter().cloned()).collect(),
            tests: self.test.clone(),
            checker: self.checker.clone(),
        }
    }
}

/// Which kept run is meant, and what is done with its files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields, extend("required" = ["id"]))]
pub struct ResumeInput {
    /// Its name, the beginning of it, or `last`.
    pub id: String,
    /// What is done with the result.
    #[serde(flatten)]
    pub result: ResultInput,
}

impl Input for ResumeInput {
    fn parts(&mut self, judge: &mut dyn Judge) -> Result<(), Failure> {
        self.result.parts(judge)
    }
}

/// Which kept run is meant.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunId {
    /// Its name, the beginning of it, or `last`.
    pub id: String,
}

impl Input for RunId {
    fn parts(&mut self, _: &mut dyn Judge) -> Result<(), Failure> {
        Ok(())
    }
}

/// An output that the program must give.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ExpectedOutput {
    /// Standard input.
    #[serde(default)]
    pub stdin: String,
    /// Standard output.
    pub stdout: String,
}

/// A program that judges.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Checker {
    /// Its file name; the extension names the language.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// How one sees that a task is done. Without any of these the model judges.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Acceptance {
    /// Outputs that the program must give.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expected: Vec<ExpectedOutput>,
    /// A test command that must end with exit code 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests: Option<String>,
    /// A checker that must end with exit code 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checker: Option<Checker>,
}

impl Acceptance {
    /// Whether only the model can judge.
    pub fn is_judgement(&self) -> bool {
        self.expected.is_empty() && self.tests.is_none() && self.checker.is_none()
    }
}

/// From which severity on findings in the result do not pass.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AgentGate {
    /// From the mildest on.
    Info,
    /// From low on.
    Low,
    /// From medium on.
    Medium,
    /// From high on.
    High,
    /// Only the worst.
    #[default]
    Critical,
    /// All pass.
    None,
}

impl AgentGate {
    /// The severity; nothing if all pass.
    pub const fn severity(self) -> Option<Severity> {
        match self {
            Self::Info => Some(Severity::Info),
            Self::Low => Some(Severity::Low),
            Self::Medium => Some(Severity::Medium),
            Self::High => Some(Severity::High),
            Self::Critical => Some(Severity::Critical),
            Self::None => None,
        }
    }
}

impl From<Option<Severity>> for AgentGate {
    fn from(severity: Option<Severity>) -> Self {
        match severity {
            Some(Severity::Info) => Self::Info,
            Some(Severity::Low) => Self::Low,
            Some(Severity::Medium) => Self::Medium,
            Some(Severity::High) => Self::High,
            Some(Severity::Critical) => Self::Critical,
            None => Self::None,
        }
    }
}

/// One step of the agent, as it happens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum AgentStep {
    /// The model is asked.
    Asking {
        /// The number of the step.
        number: u32,
    },
    /// The model could not answer and is asked again.
    Retrying {
        /// Why.
        why: String,
        /// After so many seconds.
        seconds: f64,
    },
    /// The model answered.
    Answered {
        /// The beginning of it.
        text: String,
    },
    /// A tool was used.
    Tool {
        /// Its name.
        tool: String,
        /// What came of it.
        text: String,
    },
    /// Something is run.
    Running {
        /// What.
        text: String,
    },
    /// It was run.
    Ran {
        /// How it ended.
        text: String,
    },
    /// The fixer that needs no model works.
    Fixing,
    /// It was judged.
    Judged {
        /// Whether it passed.
        passed: bool,
        /// By whom, or why not.
        text: String,
    },
}

impl AgentStep {
    /// What is being done, in the words of a sentence; nothing for what is over.
    pub fn what(&self) -> Option<String> {
        match self {
            Self::Asking { number } => Some(format!("asking the model, step {number}")),
            Self::Tool { tool, .. } => Some(format!("the model used {tool}")),
            Self::Running { text } => Some(format!("running {text}")),
            Self::Fixing => Some("repairing without the model".to_owned()),
            Self::Retrying { .. } | Self::Answered { .. } | Self::Ran { .. } | Self::Judged { .. } => None,
        }
    }
}
