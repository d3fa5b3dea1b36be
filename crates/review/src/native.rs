//! Our own analysis behind the review's trait: files from the cache where they are unchanged, then the whole project.

use crate::cache::{self, Cache};
use crate::engine::{Analysis, AnalysisOptions, Analyzer, SourceText, Watch};
use crate::{architecture, duplication};
use formicary_analysis::{FileAnalysis, Options, SourceFile};
use formicary_model::review::RuleInfo;
use formicary_syntax::Dialect;
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

/// The analysis of `formicary-analysis`.
#[derive(Debug, Clone, Default)]
pub struct NativeAnalyzer {
    cache: Option<CacheSettings>,
}

impl NativeAnalyzer {
    /// An analysis that keeps what it learns, or does not.
    pub fn new(cache: Option<CacheSettings>) -> Self {
        Self { cache }
    }

    fn files(&self, sources: &[SourceText], options: &Options, watch: Watch<'_>) -> Vec<FileAnalysis> {
        let settings = format!("{:?}", options.limits);
        let version = self.cache.as_ref().map_or("", |cache| cache.version.as_str());
        let keys: Vec<String> = match &self.cache {
            None => Vec::new(),
            Some(_) => sources
                .par_iter()
                .map(|source| {
                    cache::key(&[version, &settings, &source.path, source.language.id(), &source.text])
                })
                .collect(),
        };
        let mut kept: Option<Cache<FileAnalysis>> =
            self.cache.as_ref().map(|cache| Cache::open(cache.file.clone(), &keys));
        let known: Vec<Option<FileAnalysis>> =
            keys.iter().map(|key| kept.as_mut().and_then(|kept| kept.take(key))).collect();
        let total = sources.len();
        let done = AtomicUsize::new(0);
        let known_count = known.len();
        let known = known.into_par_iter().chain((known_count..total).into_par_iter().map(|_| None));
        let examined: Vec<(Option<FileAnalysis>, bool)> = sources
            .par_iter()
            .zip(known.collect::<Vec<_>>())
            .map(|(source, known)| {
                (watch.progress)("analysing", 1 + done.fetch_add(1, Ordering::Relaxed), total);
                let is_new = known.is_none();
                let found = match known {
                    Some(found) => Some(found),
                    None if (watch.cancelled)() => None,
                    None => formicary_analysis::analyze_file(&source_file(source), options),
                };
                (found, is_new)
            })
            .collect();
        if let Some(kept) = &kept
            && !(watch.cancelled)()
        {
            let pairs = || keys.iter().zip(&examined);
            let new: Vec<(&str, &FileAnalysis)> = pairs()
                .filter(|(_, (_, is_new))| *is_new)
                .filter_map(|(key, (found, _))| Some((key.as_str(), found.as_ref()?)))
                .collect();
            let all =
                || pairs().filter_map(|(key, (found, _))| Some((key.clone(), found.as_ref()?))).collect();
            kept.add(&new, keys.len(), all);
        }
        examined.into_iter().filter_map(|(found, _)| found).collect()
    }
}

impl Analyzer for NativeAnalyzer {
    fn rules(&self) -> Vec<RuleInfo> {
        let mut rules: Vec<RuleInfo> = formicary_analysis::rules::catalogue();
        rules.extend(architecture::rules());
        rules.extend(duplication::rules());
        rules
    }

    fn analyze(&self, sources: &[SourceText], options: &AnalysisOptions, watch: Watch<'_>) -> Analysis {
        let native = native_options(options);
        let mut files = self.files(sources, &native, watch);
        formicary_analysis::settle_inheritance(&mut files);
        let project = formicary_analysis::analyze_project(&files, &native);
        let mut analysis = Analysis {
            modules: project.modules,
            dependencies: project.dependencies,
            findings: project.findings,
            cycles: project.cycles.len() as u32,
            ..Analysis::default()
        };
        for file in files {
            analysis.findings.extend(file.findings);
            analysis.notes.extend(file.notes);
            analysis.files.push(file.metrics);
        }
        formicary_analysis::without_duplicates(&mut analysis.findings, &project.judged);
        let broken = architecture::check(&options.architecture, &analysis.modules, &analysis.dependencies);
        analysis.findings.extend(broken);
        let (copies, share) = duplication::check(sources, watch);
        analysis.findings.extend(copies);
        analysis.duplication = share;
        analysis
    }
}

fn source_file(source: &SourceText) -> SourceFile {
    let named = Dialect::of_file(&source.path, &source.text);
    let dialect = named.or(Some(Dialect::of(source.language)));
    SourceFile { path: source.path.clone(), text: source.text.to_string(), dialect }
}

fn native_options(options: &AnalysisOptions) -> Options {
    let mut native = Options { settings: options.settings.clone(), ..Options::default() };
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
