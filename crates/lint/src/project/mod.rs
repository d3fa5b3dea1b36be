//! What needs all files: the import graph, cycles, orphans, depth of inheritance, things that nobody uses.

mod cycles;
mod facts;
mod graph;
mod imports;
mod inheritance;
mod packed;
mod unused;

use crate::rules::Info;
use crate::run::FileAnalysis;
use crate::source::Options;
use formicary_model::Language;
use formicary_model::review::{
    Category, Confidence, Dependency, Finding, ModuleMetrics, ProjectMetrics, Severity, Span, Step,
};

pub use cycles::{Cycle, cycles};
pub(crate) use facts::facts_of;
pub use facts::{ClassFact, DefinitionFact, FileFacts, ImportFact};
pub use graph::Dependencies;
pub use imports::settle as settle_imports;
pub use inheritance::settle as settle_inheritance;

/// What the files say together.
#[derive(Debug, Clone)]
pub struct ProjectAnalysis {
    /// Findings that need more than one file.
    pub findings: Vec<Finding>,
    /// The modules of the import graph.
    pub modules: Vec<ModuleMetrics>,
    /// Its arrows.
    pub dependencies: Vec<Dependency>,
    /// Its cycles, with the arrows that would have to go.
    pub cycles: Vec<Cycle>,
    /// Everything in figures.
    pub metrics: ProjectMetrics,
}

/// The rules of the project; their checks are in this folder.
pub static RULES: &[&Info] = &[&CYCLE, &ORPHAN, &UNUSED_FUNCTION, &UNUSED_CLASS];

static CYCLE: Info = Info {
    name: "import-cycle",
    title: "Modules that import each other",
    why: "None of them can be understood, tested or loaded without all others.",
    suggestion: "Cut the arrows that are named: move what both need into a module of its own.",
    category: Category::Architecture,
    severity: Severity::Medium,
    confidence: Confidence::High,
    cwe: Some(1047),
    languages: crate::rules::ALL,
    ..Info::LINT
};

static ORPHAN: Info = Info {
    name: "orphan-module",
    title: "A module that nothing imports and that imports nothing of the project",
    why: "It is left over, or it is started by other ways that nobody wrote down.",
    suggestion: "Remove it, or use it.",
    category: Category::Architecture,
    severity: Severity::Info,
    confidence: Confidence::Low,
    languages: &[Language::Python, Language::JavaScript, Language::TypeScript],
    ..Info::LINT
};

static UNUSED_FUNCTION: Info = Info {
    name: "unused-function",
    title: "A function that nothing in the project names",
    why: "It is read, kept and tested for nothing.",
    suggestion: "Remove it, or begin to use it.",
    category: Category::DeadCode,
    severity: Severity::Info,
    confidence: Confidence::Low,
    cwe: Some(561),
    languages: &[Language::Python, Language::Go, Language::Rust, Language::Bash],
    ..Info::LINT
};

static UNUSED_CLASS: Info = Info {
    name: "unused-class",
    title: "A class that nothing in the project names",
    why: "It is read, kept and tested for nothing.",
    suggestion: "Remove it, or begin to use it.",
    category: Category::DeadCode,
    severity: Severity::Info,
    confidence: Confidence::Low,
    cwe: Some(561),
    languages: &[Language::Python, Language::Go, Language::Rust],
    ..Info::LINT
};

/// Puts the files together.
pub(crate) fn analyze(files: &[FileAnalysis], options: &Options) -> ProjectAnalysis {
    let graph = Dependencies::new(files);
    let cycles = cycles(&graph);
    let modules = graph.metrics(files, &cycles);
    let mut findings = Vec::new();
    if options.wants(CYCLE.name, CYCLE.category) {
        findings.extend(cycles.iter().filter_map(|cycle| cycle_finding(files, &graph, cycle)));
    }
    if options.wants(ORPHAN.name, ORPHAN.category) {
        for module in graph.orphans(files) {
            let file = &files[module];
            findings.push(finding(
                &ORPHAN,
                &file.metrics.file,
                Span::of_line(1),
                format!("nothing imports `{}`", graph.names[module]),
            ));
        }
    }
    for (info, file, definition) in unused::find(files) {
        if options.wants(info.name, info.category) {
            let message = format!("nothing in the project names `{}`", definition.name);
            let mut found = finding(info, file, definition.span, message);
            if definition.private {
                found.confidence = Confidence::Medium;
                found.severity = Severity::Low;
            }
            findings.push(found);
        }
    }
    findings
        .sort_by(|a, b| (&a.file, a.span.start_byte, &a.rule).cmp(&(&b.file, b.span.start_byte, &b.rule)));
    let metrics = totals(files, &modules);
    ProjectAnalysis { findings, modules, dependencies: graph.arrows(), cycles, metrics }
}

fn finding(info: &'static Info, file: &str, span: Span, message: String) -> Finding {
    let mut finding = Finding::new(info.name, info.category, info.severity, file, span, message);
    finding.why = info.why.into();
    finding.suggestion = info.suggestion.into();
    finding.confidence = info.confidence;
    finding.cwe = info.cwe;
    finding
}

fn cycle_finding(files: &[FileAnalysis], graph: &Dependencies, cycle: &Cycle) -> Option<Finding> {
    let (from, to) = cycle.cut.first().or(cycle.edges.first())?;
    let names: Vec<&str> = cycle.modules.iter().take(6).map(|module| graph.names[*module].as_str()).collect();
    let more = if cycle.modules.len() > names.len() { ", …" } else { "" };
    let line = graph.line(*from, *to);
    let message = format!("{} modules import each other: {}{more}", cycle.modules.len(), names.join(", "));
    let mut found = finding(&CYCLE, &files[*from].metrics.file, Span::of_line(line), message);
    // Modules of one Rust crate are compiled together; there a cycle is only a hint.
    if files[*from].facts.language == Language::Rust {
        found.severity = Severity::Info;
        found.confidence = Confidence::Low;
    }
    found.related = cycle
        .cut
        .iter()
        .take(20)
        .map(|(from, to)| Step {
            file: files[*from].metrics.file.clone(),
            span: Span::of_line(graph.line(*from, *to)),
            message: format!("cut {} → {}", graph.names[*from], graph.names[*to]),
        })
        .collect();
    Some(found)
}

fn totals(files: &[FileAnalysis], modules: &[ModuleMetrics]) -> ProjectMetrics {
    let functions = || files.iter().flat_map(|file| &file.metrics.functions);
    let count = functions().count();
    let mean = |sum: u32| if count == 0 { 0.0 } else { f64::from(sum) / count as f64 };
    let lines = crate::metrics::sum(files.iter().map(|file| &file.metrics.lines));
    let weighted: f64 =
        files.iter().map(|file| file.metrics.maintainability * f64::from(file.metrics.lines.source)).sum();
    let documented: Vec<f64> = files.iter().filter_map(|file| file.metrics.documentation).collect();
    ProjectMetrics {
        files: files.len() as u32,
        lines,
        functions: count as u32,
        classes: files.iter().map(|file| file.metrics.classes.len() as u32).sum(),
        cyclomatic_mean: mean(functions().map(|one| one.cyclomatic).sum()),
        cyclomatic_max: functions().map(|one| one.cyclomatic).max().unwrap_or(0),
        cognitive_mean: mean(functions().map(|one| one.cognitive).sum()),
        cognitive_max: functions().map(|one| one.cognitive).max().unwrap_or(0),
        nesting_max: functions().map(|one| one.nesting).max().unwrap_or(0),
        maintainability_mean: if lines.source == 0 { 100.0 } else { weighted / f64::from(lines.source) },
        maintainability_min: files.iter().map(|file| file.metrics.maintainability).fold(100.0, f64::min),
        documentation: (!documented.is_empty())
            .then(|| documented.iter().sum::<f64>() / documented.len() as f64),
        duplication: 0.0,
        cycles: modules.iter().filter(|module| module.in_cycle).count() as u32,
    }
}
