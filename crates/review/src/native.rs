//! Our own analysis behind the review's trait: files from the cache where they are unchanged, then the whole project.

use crate::cache::{self, Cache};
use crate::engine::{Analysis, AnalysisOptions, Analyzer, SourceText, Watch};
use crate::kept::{self, Sayings};
use crate::{architecture, duplication};
use formicary_lint::{FileAnalysis, Options, SourceFile};
use formicary_model::review::{Finding, RuleInfo};
use formicary_syntax::Dialect;
use formicary_taint::TaintFacts;
use rayon::prelude::*;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Where facts are kept between reviews.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheSettings {
    /// The file.
    pub file: PathBuf,
    /// Changes whenever the rules may have changed.
    pub version: String,
}

/// The analysis of `formicary-lint` and `formicary-taint`.
#[derive(Debug, Clone, Default)]
pub struct NativeAnalyzer {
    cache: Option<CacheSettings>,
}

impl NativeAnalyzer {
    /// An analysis that keeps what it learns, or does not.
    pub fn new(cache: Option<CacheSettings>) -> Self {
        Self { cache }
    }

    fn files(&self, sources: &[SourceText], options: &Options, watch: Watch<'_>) -> Vec<Learned> {
        let total = sources.len();
        let done = AtomicUsize::new(0);
        let learn = |source: &SourceText| match (watch.cancelled)() {
            true => None,
            false => formicary_taint::analyze_file(&source_file(source), options),
        };
        let tell = || (watch.progress)("analysing", 1 + done.fetch_add(1, Ordering::Relaxed), total);
        let Some(settings) = &self.cache else {
            return sources
                .par_iter()
                .filter_map(|source| {
                    tell();
                    learn(source)
                })
                .collect();
        };
        let limits = format!("{:?}", options.limits);
        let cache = Cache::open(settings.file.clone());
        let sayings = Sayings::of(catalogue());
        let examined: Vec<Examined> = sources
            .par_iter()
            .map(|source| {
                tell();
                let language = source.language.id();
                let key = cache::hash(&[&settings.version, &limits, &source.path, language, &source.text]);
                let kept = cache.get(&key).and_then(|bytes| kept::decode(bytes, &source.path, &sayings));
                let is_new = kept.is_none();
                let found = kept.or_else(|| learn(source));
                let new = found
                    .as_ref()
                    .filter(|_| is_new)
                    .and_then(|found| kept::encode(&found.0, &found.1, &sayings));
                Examined { key, found, new }
            })
            .collect();
        let mut files = Vec::with_capacity(total);
        let (mut new, mut alive) = (Vec::new(), Vec::with_capacity(total));
        for one in examined {
            files.extend(one.found);
            new.extend(one.new.map(|bytes| (one.key, bytes)));
            alive.push(one.key);
        }
        if !(watch.cancelled)() {
            cache.add(&new, &alive);
        }
        files
    }
}

/// What the rules and the data flow know of one file.
type Learned = (FileAnalysis, TaintFacts);

/// One file that was looked at.
struct Examined {
    key: cache::Key,
    found: Option<Learned>,
    /// For the cache.
    new: Option<Vec<u8>>,
}

impl Analyzer for NativeAnalyzer {
    fn rules(&self) -> Vec<RuleInfo> {
        let mut rules = catalogue();
        rules.extend(architecture::rules());
        rules.extend(duplication::rules());
        rules
    }

    fn analyze(&self, sources: &[SourceText], options: &AnalysisOptions, watch: Watch<'_>) -> Analysis {
        let native = native_options(options);
        // What stands twice needs nothing but the texts: it is looked for while others put the files together.
        let ((files, taint, project, followed), (copies, share)) = rayon::join(
            || {
                let (mut files, taint): (Vec<_>, Vec<_>) =
                    self.files(sources, &native, watch).into_iter().unzip();
                formicary_lint::settle_inheritance(&mut files);
                formicary_lint::settle_imports(&mut files);
                let project = formicary_lint::analyze_project(&files, &native);
                let followed = formicary_taint::follow(&files, &taint, &native, &options.settings);
                (files, taint, project, followed)
            },
            || duplication::check(sources, watch),
        );
        let mut analysis = Analysis {
            modules: project.modules,
            dependencies: project.dependencies,
            findings: joined(project.findings, followed.findings),
            cycles: project.cycles.len() as u32,
            notes: followed.note.into_iter().collect(),
            ..Analysis::default()
        };
        let mut facts = Vec::with_capacity(files.len());
        for file in files {
            analysis.findings.extend(file.findings);
            analysis.notes.extend(file.notes);
            analysis.files.push(file.metrics);
            facts.push(file.facts);
        }
        // Nobody waits for a million small pieces to be given back.
        rayon::spawn(move || drop((facts, taint)));
        formicary_taint::without_duplicates(&mut analysis.findings, &followed.judged);
        let broken = architecture::check(&options.architecture, &analysis.modules, &analysis.dependencies);
        analysis.findings.extend(broken);
        analysis.findings.extend(copies);
        analysis.duplication = share;
        analysis
    }
}

/// The rules of our own engines.
fn catalogue() -> Vec<RuleInfo> {
    let mut rules = formicary_lint::rules::catalogue();
    rules.extend(formicary_taint::catalogue());
    rules
}

/// Findings of two engines about the whole project, in the order of their places.
fn joined(mut findings: Vec<Finding>, more: Vec<Finding>) -> Vec<Finding> {
    findings.extend(more);
    findings
        .sort_by(|a, b| (&a.file, a.span.start_byte, &a.rule).cmp(&(&b.file, b.span.start_byte, &b.rule)));
    findings
}

fn source_file(source: &SourceText) -> SourceFile {
    let named = Dialect::of_file(&source.path, &source.text);
    let dialect = named.or(Some(Dialect::of(source.language)));
    SourceFile { path: source.path.clone(), text: source.text.to_string(), dialect }
}

fn native_options(options: &AnalysisOptions) -> Options {
    let mut native = Options::default();
    let limits = &mut native.limits;
    for (name, value) in &options.thresholds {
        let value = *value as u32;
        match name.as_str() {
            "cyclomatic" => limits.cyclomatic = value,
            "cognitive" => limits.cognitive = value,
            "function_lines" => limits.function_lines = value,
            "parameters" => limits.parameters = value,
            "nesting" => limits.nesting = value,
            "methods" => limits.methods = value,
            "class_lines" => limits.class_lines = value,
            "module_definitions" => limits.module_definitions = value,
            "module_lines" => limits.module_lines = value,
            "chain" => limits.chain = value,
            _ => {}
        }
    }
    native
}
