//! What a project says about its own review: `[review]` in `formicary.toml`, or `[tool.formicary.review]` in
//! `pyproject.toml`.

mod presets;
mod read;

pub use presets::PRESETS;
pub use read::{parse_settings, read_settings};

use crate::engine::{AnalysisOptions, Architecture};
use formicary_model::review::Severity;
use globset::{Glob, GlobSet, GlobSetBuilder};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Larger files are noted, not reviewed, unless the project says otherwise.
pub const MAX_FILE_BYTES: u64 = 4 * 1024 * 1024;

/// How a rule is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleSetting {
    /// It does not speak.
    Off,
    /// It speaks as it was written.
    On,
    /// It speaks with this severity.
    As(Severity),
}

/// The settings of a project.
#[derive(Debug, Clone, PartialEq)]
pub struct ReviewSettings {
    /// The file that they come from.
    pub origin: Option<PathBuf>,
    /// Globs of files that are left out.
    pub exclude: Vec<String>,
    /// Larger files are noted, not reviewed.
    pub max_file_bytes: u64,
    /// Whether comments of other tools (`noqa`, `NOSONAR`) allow findings too.
    pub foreign_suppressions: bool,
    /// The severity from which findings fail a review.
    pub fail_on: Option<Severity>,
    /// The baseline's file, relative to the project.
    pub baseline: Option<PathBuf>,
    /// The history's file, relative to the project.
    pub history: Option<PathBuf>,
    /// Other people's tools that are run too.
    pub tools: Vec<String>,
    /// Rules by name.
    pub rules: BTreeMap<String, RuleSetting>,
    /// Thresholds of rules that measure.
    pub thresholds: BTreeMap<String, f64>,
    /// Gates: what is measured, and its threshold.
    pub gate: BTreeMap<String, f64>,
    /// What holds for some files only; later entries win.
    pub paths: Vec<PathSettings>,
    /// Layers and arrows that must not be.
    pub architecture: Architecture,
}

/// What holds for some files only.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PathSettings {
    /// Globs of the files.
    pub files: Vec<String>,
    /// Rules by name.
    pub rules: BTreeMap<String, RuleSetting>,
    /// Gates of these files, in place of the project's.
    pub gate: BTreeMap<String, f64>,
}

impl Default for ReviewSettings {
    fn default() -> Self {
        Self {
            origin: None,
            exclude: Vec::new(),
            max_file_bytes: MAX_FILE_BYTES,
            foreign_suppressions: false,
            fail_on: None,
            baseline: None,
            history: None,
            tools: Vec::new(),
            rules: BTreeMap::new(),
            thresholds: BTreeMap::new(),
            gate: BTreeMap::new(),
            paths: Vec::new(),
            architecture: Architecture::default(),
        }
    }
}

impl ReviewSettings {
    /// Where the baseline is: where the project says, else at its usual place.
    pub fn baseline_place(&self) -> &Path {
        self.baseline.as_deref().unwrap_or(Path::new(crate::baseline::PLACE))
    }

    /// Where the history is: where the project says, else at its usual place.
    pub fn history_place(&self) -> &Path {
        self.history.as_deref().unwrap_or(Path::new(crate::history::PLACE))
    }

    /// What the analysis needs of them.
    pub fn analysis_options(&self) -> AnalysisOptions {
        AnalysisOptions {
            architecture: self.architecture.clone(),
            thresholds: self.thresholds.clone(),
            ..AnalysisOptions::default()
        }
    }

    /// How a rule is set for a file.
    pub fn rule(&self, name: &str, file: &str) -> RuleSetting {
        let of_paths = self.paths.iter().rev().filter(|entry| entry.covers(file));
        let found =
            of_paths.filter_map(|entry| entry.rules.get(name)).next().or_else(|| self.rules.get(name));
        found.copied().unwrap_or(RuleSetting::On)
    }

    /// The files that are left out, as a matcher.
    pub fn excluded(&self) -> GlobSet {
        matcher(&self.exclude)
    }
}

impl PathSettings {
    /// Whether it holds for a file.
    pub fn covers(&self, file: &str) -> bool {
        matcher(&self.files).is_match(file)
    }
}

/// A matcher for globs; a folder's name covers everything below it. What is not a glob matches nothing: the reader
/// has refused it before.
pub fn matcher(globs: &[String]) -> GlobSet {
    let mut builder = GlobSetBuilder::new();
    for glob in globs {
        let below = format!("{}/**", glob.trim_end_matches('/'));
        for pattern in [glob.as_str(), &below] {
            if let Ok(glob) = Glob::new(pattern) {
                builder.add(glob);
            }
        }
    }
    builder.build().unwrap_or_else(|_| GlobSet::empty())
}
