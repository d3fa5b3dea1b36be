//! What may be spent, what was spent, and what ran out first.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a run may spend.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Budget {
    /// Answers of the model.
    pub steps: u32,
    /// Proposals that were judged and did not pass, in one step of the plan; without a plan the task is one step.
    pub attempts: u32,
    /// Seconds in all.
    pub seconds: f64,
    /// Tokens, read and written.
    pub tokens: u64,
    /// Money, in the currency of the prices; nothing for no bound.
    pub money: Option<f64>,
    /// Seconds of programs in the sandbox.
    pub sandbox_seconds: f64,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            steps: 25,
            attempts: 5,
            seconds: 1800.0,
            tokens: 1_000_000,
            money: None,
            sandbox_seconds: 600.0,
        }
    }
}

/// What ran out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BudgetKind {
    /// Answers of the model.
    Steps,
    /// Proposals that did not pass.
    Attempts,
    /// Time.
    Time,
    /// Tokens.
    Tokens,
    /// Money.
    Money,
    /// Seconds in the sandbox.
    Sandbox,
}

formicary_model::words!(BudgetKind {
    Steps => "steps",
    Attempts => "attempts",
    Time => "time",
    Tokens => "tokens",
    Money => "money",
    Sandbox => "sandbox",
});

impl BudgetKind {
    /// For people.
    pub const fn spelled(self) -> &'static str {
        match self {
            Self::Sandbox => "sandbox time",
            other => other.word(),
        }
    }
}

/// What was spent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Spent {
    /// Answers of the model.
    pub steps: u32,
    /// Proposals that were judged and did not pass, in all steps of the plan.
    pub attempts: u32,
    /// The same in the step under way.
    #[serde(skip)]
    pub step_attempts: u32,
    /// Seconds in all.
    pub seconds: f64,
    /// Tokens that were read.
    pub input_tokens: u64,
    /// Tokens that were written.
    pub output_tokens: u64,
    /// Money; nothing where the model's price is not known.
    pub money: Option<f64>,
    /// Seconds of programs in the sandbox.
    pub sandbox_seconds: f64,
    /// Programs that were run.
    pub runs: u32,
}

impl Budget {
    /// What ran out, if anything did.
    pub fn exceeded(&self, spent: &Spent) -> Option<BudgetKind> {
        let over = [
            (spent.step_attempts >= self.attempts, BudgetKind::Attempts),
            (spent.steps >= self.steps, BudgetKind::Steps),
            (spent.seconds >= self.seconds, BudgetKind::Time),
            (spent.input_tokens + spent.output_tokens >= self.tokens, BudgetKind::Tokens),
            (self.money.is_some_and(|most| spent.money.unwrap_or(0.0) >= most), BudgetKind::Money),
            (spent.sandbox_seconds >= self.sandbox_seconds, BudgetKind::Sandbox),
        ];
        over.into_iter().find(|(over, _)| *over).map(|(_, kind)| kind)
    }

    /// Seconds that the next program may take.
    pub fn seconds_for_a_run(&self, spent: &Spent, usual: f64) -> f64 {
        let left = (self.sandbox_seconds - spent.sandbox_seconds).min(self.seconds - spent.seconds);
        usual.min(left).max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_runs_out_by_itself() {
        let budget = Budget { money: Some(1.0), ..Budget::default() };
        assert_eq!(budget.exceeded(&Spent::default()), None);
        let cases = [
            (Spent { steps: 25, ..Spent::default() }, BudgetKind::Steps),
            (Spent { step_attempts: 5, ..Spent::default() }, BudgetKind::Attempts),
            (Spent { seconds: 1800.0, ..Spent::default() }, BudgetKind::Time),
            (Spent { input_tokens: 900_000, output_tokens: 100_000, ..Spent::default() }, BudgetKind::Tokens),
            (Spent { money: Some(1.0), ..Spent::default() }, BudgetKind::Money),
            (Spent { sandbox_seconds: 600.0, ..Spent::default() }, BudgetKind::Sandbox),
        ];
        for (spent, kind) in cases {
            assert_eq!(budget.exceeded(&spent), Some(kind));
        }
    }
}
