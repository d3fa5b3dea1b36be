//! What the review asks of an analysis: sources in, findings and figures out.
//!
//! The review works on texts in memory, never on paths: the state before a change is a set of texts like any other.

use formicary_model::Language;
use formicary_model::review::{Dependency, FileMetrics, Finding, ModuleMetrics, Note, RuleInfo};
use std::collections::BTreeMap;
use std::sync::Arc;

/// One file to analyse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceText {
    /// Relative to the project, with forward slashes.
    pub path: String,
    /// Its language.
    pub language: Language,
    /// Its text. Bytes that are not UTF-8 were replaced.
    pub text: Arc<str>,
    /// Whether the text is the file's own, byte for byte: only then can it be edited.
    pub exact: bool,
}

/// What an analysis found and measured.
#[derive(Debug, Clone, Default)]
pub struct Analysis {
    /// What is wrong, without fingerprints.
    pub findings: Vec<Finding>,
    /// What was measured of each file.
    pub files: Vec<FileMetrics>,
    /// Of each module.
    pub modules: Vec<ModuleMetrics>,
    /// The import graph.
    pub dependencies: Vec<Dependency>,
    /// Cycles in the import graph.
    pub cycles: u32,
    /// Lines that stand in a copy, in percent.
    pub duplication: f64,
    /// What could not be analysed.
    pub notes: Vec<Note>,
}

/// What the project's configuration says to the analysis.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AnalysisOptions {
    /// Layers and arrows that must not be.
    pub architecture: Architecture,
    /// Thresholds by their names, above which a rule speaks.
    pub thresholds: BTreeMap<String, f64>,
    /// What the project's own settings files say, by key: a program may be what it is by them.
    pub settings: formicary_taint::Settings,
}

/// Layers of a project and the arrows between them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Architecture {
    /// Layers, each with the globs of its files and the layers that it may use.
    pub layers: Vec<Layer>,
    /// Arrows that must not be: globs of the files that import and of those that are imported.
    pub forbidden: Vec<(String, String)>,
}

/// One layer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layer {
    /// Its name.
    pub name: String,
    /// Globs of its files.
    pub files: Vec<String>,
    /// The layers that it may use besides itself.
    pub may_use: Vec<String>,
}

/// Somebody who wants to know how far it is, and who may call it off.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Called with what is being done, how much of it is done, and how much there is.
    pub progress: &'a (dyn Fn(&'static str, usize, usize) + Sync),
    /// Whether it is called off.
    pub cancelled: &'a (dyn Fn() -> bool + Sync),
}

impl Watch<'_> {
    /// Nobody.
    pub const NOBODY: Watch<'static> = Watch { progress: &|_, _, _| (), cancelled: &|| false };
}

/// An analysis of whole projects. Never fails: broken code gives notes.
pub trait Analyzer: Sync {
    /// Every rule that it knows.
    fn rules(&self) -> Vec<RuleInfo>;

    /// Everything about these sources. Ends early, with what it has, when it is called off.
    fn analyze(&self, sources: &[SourceText], options: &AnalysisOptions, watch: Watch<'_>) -> Analysis;
}
