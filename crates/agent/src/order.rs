//! What is wanted: fixed at the start, and nothing that comes later can widen it.

use crate::budget::Budget;
use crate::invalid;
use formicary_model::Failure;
pub use formicary_model::agent::{Acceptance, Checker, ExpectedOutput};
use formicary_model::review::Severity;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The task.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Task {
    /// In the user's words.
    pub text: String,
    /// How one sees that it is done.
    #[serde(default)]
    pub acceptance: Acceptance,
    /// How the program is run, where the user says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

/// What is allowed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rules {
    /// Packages that may be installed, by their normal names.
    pub packages: Vec<String>,
    /// Whether tests that were there may be changed; never weakened.
    pub edit_tests: bool,
    /// Whether the fixer that needs no model is tried first.
    pub fixer: bool,
    /// Findings of this severity in the result do not pass; nothing for no gate.
    pub gate: Option<Severity>,
    /// Whether a human can be asked.
    pub ask: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            packages: Vec::new(),
            edit_tests: false,
            fixer: true,
            gate: Some(Severity::Critical),
            ask: false,
        }
    }
}

/// Everything that shapes a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Order {
    /// The run's name.
    pub id: String,
    /// When it was given, in seconds since 1970.
    pub started: u64,
    /// The model's specification, as the user gave it.
    pub model: String,
    /// The task.
    pub task: Task,
    /// What is allowed.
    pub rules: Rules,
    /// What may be spent.
    pub budget: Budget,
    /// The folder that the workspace is a copy of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
}

/// Characters that a task may have.
pub const LONGEST_TASK: usize = 200_000;

impl Task {
    /// Refuses a task that says nothing, or more than is read.
    pub fn check(text: &str) -> Result<(), Failure> {
        if text.trim().is_empty() {
            let hint = "say what is wanted, as in: formicary agent \"print the first ten primes\"";
            return Err(invalid("the task is empty", hint));
        }
        let length = text.chars().count();
        if length > LONGEST_TASK {
            let message = format!("the task has {length} characters, and at most {LONGEST_TASK} are read");
            return Err(invalid(
                message,
                "put long material into a file of the directory that it begins with, and name it in the task",
            ));
        }
        Ok(())
    }
}
