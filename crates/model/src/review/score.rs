//! A score that a reader can trace: which category lost how much, and where.

use super::Category;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A score as a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum Grade {
    /// Below 45.
    F,
    /// From 45.
    D,
    /// From 60.
    C,
    /// From 75.
    B,
    /// From 90.
    A,
}

impl Grade {
    /// The grade of a score.
    pub fn of(score: f64) -> Self {
        match score {
            score if score >= 90.0 => Self::A,
            score if score >= 75.0 => Self::B,
            score if score >= 60.0 => Self::C,
            score if score >= 45.0 => Self::D,
            _ => Self::F,
        }
    }
}

impl std::fmt::Display for Grade {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self:?}")
    }
}

/// The score of one category.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CategoryScore {
    /// The category.
    pub category: Category,
    /// 0–100.
    pub score: f64,
    /// The letter.
    pub grade: Grade,
    /// Points lost to how much is wrong for the size of the project.
    pub lost_to_density: f64,
    /// Points lost to the worst places, whatever the size.
    pub lost_to_hot_spots: f64,
    /// Open findings.
    pub findings: u32,
}

/// A place where much comes together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HotSpot {
    /// The file.
    pub file: String,
    /// The function, where it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// The line.
    pub line: u32,
    /// How hot, for comparing with others of the same report.
    pub heat: f64,
    /// Why.
    pub reason: String,
}

/// The score of a project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Score {
    /// 0–100.
    pub total: f64,
    /// The letter.
    pub grade: Grade,
    /// Per category.
    pub categories: Vec<CategoryScore>,
    /// Points lost because files could not be parsed.
    pub lost_to_parsing: f64,
    /// The worst places, hottest first.
    pub hot_spots: Vec<HotSpot>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grades_have_borders() {
        for (score, grade) in
            [(100.0, "A"), (90.0, "A"), (89.9, "B"), (75.0, "B"), (60.0, "C"), (45.0, "D"), (0.0, "F")]
        {
            assert_eq!(Grade::of(score).to_string(), grade, "{score}");
        }
    }
}
