//! Projects that were reviewed by name: how their scores went, and what was found last.

use super::{Finding, Score, Trend};
use crate::Failure;
use crate::use_case::{Input, Judge};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which project is meant.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProjectName {
    /// Its name.
    pub name: String,
}

impl Input for ProjectName {
    fn parts(&mut self, _: &mut dyn Judge) -> Result<(), Failure> {
        Ok(())
    }
}

/// A project in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProjectSummary {
    /// Its name.
    pub name: String,
    /// The score of the last review.
    pub score: f64,
    /// Open findings of the last review.
    pub findings: u32,
    /// When it was reviewed last, in seconds since 1970.
    pub reviewed: u64,
    /// Reviews so far.
    pub reviews: u64,
}

/// The caller's projects.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProjectList {
    /// Each of them.
    pub items: Vec<ProjectSummary>,
}

/// A project as a whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProjectHistory {
    /// Its name.
    pub name: String,
    /// Every review that is remembered, the oldest first.
    pub history: Vec<Trend>,
    /// The last score, with its categories and hot spots.
    pub score: Score,
    /// Open findings of the last review.
    pub findings: Vec<Finding>,
    /// Open findings that are not shown.
    pub findings_left_out: usize,
}
