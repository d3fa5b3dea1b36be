//! Copies of code: groups of places that say the same, and what a change did to some of them.

use crate::review::Note;
use crate::use_case::{Code, Input, Judge};
use crate::{Failure, FailureKind, Language};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which clones to look for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct ClonesInput {
    /// Where to look.
    #[serde(flatten)]
    pub code: Code,
    /// Which kinds; all if none is named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub types: Vec<CloneType>,
    /// The fewest lines of a clone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<u32>,
    /// The fewest tokens of a clone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<usize>,
    /// The least similarity, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f32>,
    /// Whether files with tests are left out.
    pub without_tests: bool,
    /// A change, to see which clones it edited here and not there: a git range or revision, a directory, or a diff file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
    /// The file of known groups.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<String>,
    /// Whether all groups are written into the baseline, and known from then on.
    pub write_baseline: bool,
}

impl Input for ClonesInput {
    fn parts(&mut self, judge: &mut dyn Judge) -> Result<(), Failure> {
        if self.similarity.is_some_and(|similarity| !(0.0..=1.0).contains(&similarity)) {
            return Err(Failure::new(FailureKind::InvalidInput, "similarity must be from 0 to 1"));
        }
        judge.code(&mut self.code)?;
        self.new.iter_mut().try_for_each(|new| judge.project_path("new", new))?;
        self.baseline.iter_mut().try_for_each(|path| judge.project_path("baseline", path))?;
        judge.write(self.write_baseline)
    }
}

/// How alike the places of a group are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CloneType {
    /// Type 1: the same but for layout and comments.
    #[serde(alias = "1")]
    Exact,
    /// Type 2: the same but for names and constants.
    #[serde(alias = "2")]
    Renamed,
    /// Type 3: the same but for statements that were added, removed or changed.
    #[serde(alias = "3")]
    Edited,
    /// Type 4: written differently, yet the same work.
    #[serde(alias = "4")]
    Functional,
}

crate::words!(CloneType {
    Exact => "exact",
    Renamed => "renamed",
    Edited => "edited",
    Functional => "functional",
});

impl CloneType {
    /// The number that the literature gives it.
    pub const fn number(self) -> u8 {
        match self {
            Self::Exact => 1,
            Self::Renamed => 2,
            Self::Edited => 3,
            Self::Functional => 4,
        }
    }

    /// The type of a number or a word.
    pub fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "1" | "exact" => Self::Exact,
            "2" | "renamed" => Self::Renamed,
            "3" | "edited" => Self::Edited,
            "4" | "functional" => Self::Functional,
            _ => return None,
        })
    }
}

/// What is copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CloneLevel {
    /// Whole files.
    File,
    /// Functions and methods.
    Function,
    /// A run of statements.
    Block,
}

impl CloneLevel {
    /// In one word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Function => "function",
            Self::Block => "block",
        }
    }
}

/// One place of a group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClonePlace {
    /// The file, relative to the project.
    pub file: String,
    /// Its language.
    pub language: Language,
    /// The first line, from one.
    pub first_line: u32,
    /// The last line.
    pub last_line: u32,
    /// The function, where it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How many tokens it has.
    pub tokens: u32,
    /// Lines of this place that the first place of the group does not have (for the first: that the second lacks).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differing_lines: Vec<u32>,
}

/// Places that say the same. Every two of them are alike, not only neighbours of a chain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CloneGroup {
    /// Who this group is, robust to moved lines: for baselines.
    pub fingerprint: String,
    /// How alike the places are: the weakest of its pairs.
    pub kind: CloneType,
    /// What is copied.
    pub level: CloneLevel,
    /// From 0 to 1: the least of its pairs.
    pub similarity: f64,
    /// Where; at least two.
    pub places: Vec<ClonePlace>,
    /// What could be done about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    /// Whether the baseline knows it.
    #[serde(default)]
    pub known: bool,
}

/// A change touched one copy and left another as it was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InconsistentEdit {
    /// The copy that was changed, as it is now.
    pub edited: ClonePlace,
    /// Its lines that are new or changed.
    pub changed_lines: Vec<u32>,
    /// The copies that were alike before and were not changed.
    pub untouched: Vec<ClonePlace>,
    /// How alike they were before.
    pub similarity: f64,
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CloneReport {
    /// The groups, the heaviest first.
    pub groups: Vec<CloneGroup>,
    /// Copies of which a change edited some and not the others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inconsistent: Vec<InconsistentEdit>,
    /// How many files were looked at.
    pub files: u32,
    /// How many lines of code they have.
    pub lines: u32,
    /// How many of those stand in a copy that is no functional clone.
    pub duplicated_lines: u32,
    /// The share of duplicated lines, in percent.
    pub duplication_percent: f64,
    /// Per file: its duplicated lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_file: Vec<FileDuplication>,
    /// What could not be looked at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

/// How much of a file stands elsewhere too.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileDuplication {
    /// The file.
    pub file: String,
    /// Its lines of code.
    pub lines: u32,
    /// Those that stand in a copy.
    pub duplicated_lines: u32,
}
