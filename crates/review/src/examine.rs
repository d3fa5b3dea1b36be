//! One state of a project through the analysis: rules set as the project wants them, findings in order, each with its
//! fingerprint, allowed ones marked.

use crate::engine::{Analyzer, SourceText, Watch};
use crate::settings::{ReviewSettings, RuleSetting};
use crate::{fingerprint, suppress};
use formicary_model::review::{Dependency, FileMetrics, Finding, ModuleMetrics, Note};
use std::collections::HashMap;

/// What came of it.
#[derive(Debug, Default)]
pub struct Examined {
    /// By file, then by place.
    pub findings: Vec<Finding>,
    /// Of each file.
    pub files: Vec<FileMetrics>,
    /// Of each module.
    pub modules: Vec<ModuleMetrics>,
    /// The import graph.
    pub dependencies: Vec<Dependency>,
    /// What the reader must know.
    pub notes: Vec<Note>,
}

/// Examines some sources. `other` are findings of other tools about the same sources.
pub fn examine(
    analyzer: &dyn Analyzer,
    sources: &[SourceText],
    settings: &ReviewSettings,
    other: Vec<Finding>,
    watch: Watch<'_>,
) -> Examined {
    let analysis = analyzer.analyze(sources, &settings.analysis_options(), watch);
    let mut findings = analysis.findings;
    merge(&mut findings, other);
    findings.retain_mut(|finding| match settings.rule(&finding.rule, &finding.file) {
        RuleSetting::Off => false,
        RuleSetting::On => true,
        RuleSetting::As(severity) => {
            finding.severity = severity;
            true
        }
    });
    findings.sort_by(|a, b| {
        let key = |f: &Finding| (f.span.start_line, f.span.start_column, f.span.end_line, f.span.end_column);
        a.file.cmp(&b.file).then_with(|| key(a).cmp(&key(b))).then_with(|| a.rule.cmp(&b.rule))
    });
    findings
        .dedup_by(|a, b| a.rule == b.rule && a.file == b.file && a.span == b.span && a.message == b.message);
    fingerprint::assign(&mut findings, sources);
    let mut notes = analysis.notes;
    let rules = analyzer.rules();
    let mut names: Vec<&str> = rules.iter().map(|rule| rule.name.as_ref()).collect();
    let foreign: Vec<String> =
        findings.iter().filter(|f| f.tool.is_some()).map(|f| f.rule.clone().into_owned()).collect();
    names.extend(foreign.iter().map(String::as_str));
    let mut allowances = HashMap::new();
    for source in sources {
        let found = suppress::allowances(source, settings.foreign_suppressions, &names, &mut notes);
        if !found.is_empty() {
            allowances.insert(source.path.clone(), found);
        }
    }
    suppress::apply(&mut findings, &allowances, &mut notes);
    Examined {
        findings,
        files: analysis.files,
        modules: analysis.modules,
        dependencies: analysis.dependencies,
        notes,
    }
}

// Another tool's finding is the same as one of ours if it is on the same line and speaks of the same weakness, or
// bears the same name.
fn merge(findings: &mut Vec<Finding>, other: Vec<Finding>) {
    for theirs in other {
        let same = |ours: &Finding| {
            ours.file == theirs.file
                && ours.span.start_line == theirs.span.start_line
                && (ours.rule == theirs.rule || ours.cwe.is_some() && ours.cwe == theirs.cwe)
        };
        if !findings.iter().any(same) {
            findings.push(theirs);
        }
    }
}
