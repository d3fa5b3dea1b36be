//! One state of a project through the analysis: rules set as the project wants them, findings in order, each with its
//! fingerprint, allowed ones marked.

use crate::engine::{AnalysisOptions, Analyzer, SourceText, Watch};
use crate::settings::{ReviewSettings, RuleSetting};
use crate::{fingerprint, suppress, tools};
use formicary_model::review::{Dependency, FileMetrics, Finding, ModuleMetrics, Note};
use formicary_taint::Settings;
use std::collections::{HashMap, HashSet};

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
    /// Cycles in the import graph.
    pub cycles: u32,
    /// Lines that stand in a copy, in percent.
    pub duplication: f64,
    /// What the reader must know.
    pub notes: Vec<Note>,
}

/// Examines some sources. `said` is what the project's settings files say, `other` are findings of other tools about the same sources.
pub fn examine(
    analyzer: &dyn Analyzer,
    sources: &[SourceText],
    settings: &ReviewSettings,
    said: &Settings,
    other: Vec<Finding>,
    watch: Watch<'_>,
) -> Examined {
    let options = AnalysisOptions { settings: said.clone(), ..settings.analysis_options() };
    let analysis = analyzer.analyze(sources, &options, watch);
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
        cycles: analysis.cycles,
        duplication: analysis.duplication,
        notes,
    }
}

// Another tool's finding is one that is there already if it is on the same line and is known to mean the same, or
// speaks of the same weakness.
fn merge(findings: &mut Vec<Finding>, other: Vec<Finding>) {
    let mut meanings: HashMap<String, Option<String>> = HashMap::new();
    let mut meaning = |finding: &Finding| -> String {
        let rule = finding.rule.as_ref();
        let known = meanings.entry(rule.to_owned()).or_insert_with(|| tools::same_as(rule));
        known.clone().unwrap_or_else(|| rule.to_owned())
    };
    let place = |finding: &Finding| (finding.file.clone(), finding.span.start_line);
    let mut taken: HashSet<(String, u32, String)> = HashSet::new();
    if !other.is_empty() {
        for finding in findings.iter() {
            let (file, line) = place(finding);
            taken.extend(finding.cwe.map(|number| (file.clone(), line, format!("CWE-{number}"))));
            taken.insert((file, line, finding.rule.clone().into_owned()));
        }
    }
    for finding in other {
        let (file, line) = place(&finding);
        let weakness = finding.cwe.map(|number| (file.clone(), line, format!("CWE-{number}")));
        let known = weakness.as_ref().is_some_and(|weakness| taken.contains(weakness));
        if taken.insert((file, line, meaning(&finding))) && !known {
            taken.extend(weakness);
            findings.push(finding);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use formicary_model::review::{Category, Severity, Span};

    #[test]
    fn what_two_tools_say_is_told_once() {
        let told = |rule: &'static str, line: u32, cwe: Option<u32>| {
            let mut finding =
                Finding::new(rule, Category::Lint, Severity::Low, "a.py", Span::of_line(line), rule);
            finding.cwe = cwe;
            finding
        };
        let mut findings = vec![told("unused-import", 1, None), told("shell-injection", 2, Some(78))];
        let other = vec![
            told("ruff:F401", 1, None),
            told("flake8:F401", 1, None),
            told("ruff:F841", 3, None),
            told("pylint:unused-variable", 3, None),
            told("bandit:B602", 2, Some(78)),
            told("bandit:B404", 9, Some(78)),
            told("ruff:E501", 1, None),
        ];
        merge(&mut findings, other);
        let rules: Vec<&str> = findings.iter().map(|finding| finding.rule.as_ref()).collect();
        assert_eq!(rules, ["unused-import", "shell-injection", "ruff:F841", "bandit:B404", "ruff:E501"]);
    }
}
