//! How a run ended.

use crate::budget::{BudgetKind, Spent};
use crate::tree::Tree;
use formicary_model::review::Finding;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The ways to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Accepted.
    Solved,
    /// The model gave up.
    GaveUp,
    /// A budget ran out.
    OutOf(BudgetKind),
    /// Nothing moved any more.
    Circles,
    /// The model could not be asked.
    ModelFailed,
    /// A human was needed and nobody was there.
    NeedsHuman,
    /// It works, but the review does not let it pass.
    GateNotMet,
}

impl Ending {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Solved,
        Self::GaveUp,
        Self::OutOf(BudgetKind::Steps),
        Self::OutOf(BudgetKind::Attempts),
        Self::OutOf(BudgetKind::Time),
        Self::OutOf(BudgetKind::Tokens),
        Self::OutOf(BudgetKind::Money),
        Self::OutOf(BudgetKind::Sandbox),
        Self::Circles,
        Self::ModelFailed,
        Self::NeedsHuman,
        Self::GateNotMet,
    ];

    /// For people.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::GaveUp => "gave up",
            Self::OutOf(BudgetKind::Steps) => "out of steps",
            Self::OutOf(BudgetKind::Attempts) => "out of attempts",
            Self::OutOf(BudgetKind::Time) => "out of time",
            Self::OutOf(BudgetKind::Tokens) => "out of tokens",
            Self::OutOf(BudgetKind::Money) => "out of money",
            Self::OutOf(BudgetKind::Sandbox) => "out of sandbox time",
            Self::Circles => "going in circles",
            Self::ModelFailed => "model failed",
            Self::NeedsHuman => "needs a human",
            Self::GateNotMet => "gate not met",
        }
    }
}

/// What came of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Outcome {
    /// The run's name.
    pub id: String,
    /// How it ended.
    pub ending: Ending,
    /// Why, in one sentence.
    pub reason: String,
    /// Who accepted it: `expected output`, `tests`, `checker`, `judgement`; nothing where nobody did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted_by: Option<String>,
    /// What the model says of its work. Data, not truth.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// What was spent.
    pub spent: Spent,
    /// Who the final tree is.
    pub tree: String,
    /// The files that differ from the start.
    pub changed: Vec<String>,
    /// The change as a unified diff.
    pub diff: String,
    /// What the review found in the changed files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// The files.
    pub files: Tree,
    /// What the reader should know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}
