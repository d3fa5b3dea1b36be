//! What was measured. The formulas stand in `docs/reference/review.md`.

use super::Span;
use crate::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Lines of a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LineCounts {
    /// All lines.
    pub physical: u32,
    /// Lines with code on them.
    pub source: u32,
    /// Statements.
    pub logical: u32,
    /// Lines with a comment on them.
    pub comment: u32,
    /// Lines with nothing on them.
    pub blank: u32,
}

impl LineCounts {
    /// Comment lines per line of code and comment, 0–1.
    pub fn comment_density(&self) -> f64 {
        let all = self.source + self.comment;
        if all == 0 { 0.0 } else { f64::from(self.comment) / f64::from(all) }
    }

    /// Both together.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            physical: self.physical + other.physical,
            source: self.source + other.source,
            logical: self.logical + other.logical,
            comment: self.comment + other.comment,
            blank: self.blank + other.blank,
        }
    }
}

/// Halstead's measures, from counts of operators and operands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Halstead {
    /// Different operators (n1).
    pub distinct_operators: u32,
    /// Different operands (n2).
    pub distinct_operands: u32,
    /// Operators (N1).
    pub operators: u32,
    /// Operands (N2).
    pub operands: u32,
}

impl Halstead {
    /// n1 + n2.
    pub fn vocabulary(&self) -> u32 {
        self.distinct_operators + self.distinct_operands
    }

    /// N1 + N2.
    pub fn length(&self) -> u32 {
        self.operators + self.operands
    }

    /// Length × log2(vocabulary).
    pub fn volume(&self) -> f64 {
        let vocabulary = self.vocabulary();
        if vocabulary == 0 { 0.0 } else { f64::from(self.length()) * f64::from(vocabulary).log2() }
    }

    /// (n1 / 2) × (N2 / n2).
    pub fn difficulty(&self) -> f64 {
        if self.distinct_operands == 0 {
            return 0.0;
        }
        f64::from(self.distinct_operators) / 2.0 * f64::from(self.operands)
            / f64::from(self.distinct_operands)
    }

    /// Difficulty × volume.
    pub fn effort(&self) -> f64 {
        self.difficulty() * self.volume()
    }

    /// Seconds to write it, by Halstead's 18 decisions a second.
    pub fn time(&self) -> f64 {
        self.effort() / 18.0
    }

    /// Expected faults: volume / 3000.
    pub fn bugs(&self) -> f64 {
        self.volume() / 3000.0
    }
}

/// One function or method.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FunctionMetrics {
    /// Its name with its outer names: `Class.method`.
    pub name: String,
    /// Where it is.
    pub span: Span,
    /// Its lines.
    pub lines: LineCounts,
    /// Independent paths.
    pub cyclomatic: u32,
    /// How hard it is to follow.
    pub cognitive: u32,
    /// Deepest nesting of control structures.
    pub nesting: u32,
    /// Parameters.
    pub parameters: u32,
    /// Ways out: return, raise, throw.
    pub exits: u32,
    /// Halstead's measures.
    pub halstead: Halstead,
    /// The maintainability index, 0–100.
    pub maintainability: f64,
    /// Whether a comment explains it, where the language has such a custom.
    pub documented: bool,
}

/// One class, struct with methods, or trait.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClassMetrics {
    /// Its name with its outer names.
    pub name: String,
    /// Where it is.
    pub span: Span,
    /// Its lines.
    pub lines: LineCounts,
    /// Methods.
    pub methods: u32,
    /// Fields.
    pub fields: u32,
    /// The sum of its methods' cyclomatic complexity.
    pub weighted_methods: u32,
    /// Coupling between objects: other classes that it uses.
    pub coupling: u32,
    /// Response for a class: methods that a call may reach in one step.
    pub response: u32,
    /// Lack of cohesion (LCOM4): parts that share no field and call each other not; 1 is whole.
    pub lack_of_cohesion: u32,
    /// Depth of inheritance.
    pub inheritance_depth: u32,
    /// Whether it is abstract or an interface.
    pub is_abstract: bool,
    /// Whether a comment explains it.
    pub documented: bool,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FileMetrics {
    /// The file, relative to the project.
    pub file: String,
    /// Its language.
    pub language: Language,
    /// Its lines.
    pub lines: LineCounts,
    /// Halstead's measures over the whole file.
    pub halstead: Halstead,
    /// The sum of its functions' cyclomatic complexity.
    pub cyclomatic: u32,
    /// The sum of its functions' cognitive complexity.
    pub cognitive: u32,
    /// The maintainability index in its classic form, up to 171.
    pub maintainability_classic: f64,
    /// The maintainability index, 0–100.
    pub maintainability: f64,
    /// Public things with an explanation, 0–1; none where there is nothing to explain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub documentation: Option<f64>,
    /// Its functions.
    pub functions: Vec<FunctionMetrics>,
    /// Its classes.
    pub classes: Vec<ClassMetrics>,
    /// Whether the whole file could be parsed.
    pub parsed: bool,
}

/// An arrow between two modules.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Dependency {
    /// The module that imports.
    pub from: String,
    /// The module that is imported.
    pub to: String,
    /// The line of the import.
    pub line: u32,
}

/// One module of the import graph.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModuleMetrics {
    /// Its name.
    pub name: String,
    /// Its file, relative to the project.
    pub file: String,
    /// Modules that import it.
    pub fan_in: u32,
    /// Modules that it imports.
    pub fan_out: u32,
    /// Fan-out / (fan-in + fan-out): 0 is stable, 1 is not.
    pub instability: f64,
    /// Abstract classes / classes.
    pub abstractness: f64,
    /// |abstractness + instability − 1|: the distance from the main sequence.
    pub distance: f64,
    /// Whether it is part of a cycle.
    pub in_cycle: bool,
}

/// The whole project.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProjectMetrics {
    /// Files that were analysed.
    pub files: u32,
    /// Their lines.
    pub lines: LineCounts,
    /// Functions.
    pub functions: u32,
    /// Classes.
    pub classes: u32,
    /// Mean cyclomatic complexity of a function.
    pub cyclomatic_mean: f64,
    /// The highest.
    pub cyclomatic_max: u32,
    /// Mean cognitive complexity of a function.
    pub cognitive_mean: f64,
    /// The highest.
    pub cognitive_max: u32,
    /// The deepest nesting.
    pub nesting_max: u32,
    /// Mean maintainability index, weighted by lines.
    pub maintainability_mean: f64,
    /// The lowest.
    pub maintainability_min: f64,
    /// Public things with an explanation, 0–1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub documentation: Option<f64>,
    /// Lines that stand in an exact or renamed copy, in percent.
    #[serde(default)]
    pub duplication: f64,
    /// Cycles in the import graph.
    pub cycles: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halstead_follows_from_its_four_counts() {
        let halstead = Halstead { distinct_operators: 4, distinct_operands: 4, operators: 10, operands: 6 };
        assert_eq!(halstead.volume(), 48.0);
        assert_eq!(halstead.difficulty(), 3.0);
        assert_eq!(halstead.effort(), 144.0);
        assert_eq!(halstead.time(), 8.0);
        assert_eq!(Halstead::default().effort(), 0.0);
    }
}
