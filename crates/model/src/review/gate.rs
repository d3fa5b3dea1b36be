//! Conditions that a project must meet.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// On which side of the threshold is well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Comparator {
    /// At most the threshold.
    AtMost,
    /// At least the threshold.
    AtLeast,
}

/// One condition and how it came out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GateCheck {
    /// What was measured: `score`, `findings.high`, `cyclomatic_max`, …
    pub metric: String,
    /// The files that it is about; none for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The side.
    pub comparator: Comparator,
    /// The threshold.
    pub threshold: f64,
    /// What was measured.
    pub actual: f64,
    /// Whether it is met.
    pub passed: bool,
    /// Where it fails worst.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

/// All conditions together.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GateResult {
    /// Whether all are met.
    pub passed: bool,
    /// Each of them.
    pub checks: Vec<GateCheck>,
}
