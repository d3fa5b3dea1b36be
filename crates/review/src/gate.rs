//! Gates: thresholds on anything that was counted or measured. After a change, only what it made worse is held against it.

use crate::change::blame::functions;
use crate::change::gaming::is_test;
use crate::change::lines::FileChange;
use crate::discover::is_minified;
use crate::settings::{PathSettings, matcher};
use formicary_model::review::{
    Category, ClassMetrics, Comparator, FileMetrics, Finding, FunctionMetrics, GamingKind, GateCheck,
    GateResult, ReviewReport, Severity, Standing,
};
use formicary_model::{Failure, FailureKind, suggest};
use std::collections::{BTreeMap, HashMap};

/// Names of thresholds that rules know.
pub const THRESHOLDS: &[&str] = &[
    "cyclomatic",
    "cognitive",
    "function_lines",
    "parameters",
    "nesting",
    "methods",
    "class_lines",
    "module_definitions",
    "module_lines",
    "chain",
];

type OfFunction = (&'static str, fn(&FunctionMetrics) -> f64);
type OfClass = (&'static str, fn(&ClassMetrics) -> f64);
type OfFile = (&'static str, fn(&FileMetrics) -> Option<f64>);

const FUNCTIONS: [OfFunction; 7] = [
    ("cyclomatic_max", |f| f.cyclomatic.into()),
    ("cognitive_max", |f| f.cognitive.into()),
    ("nesting_max", |f| f.nesting.into()),
    ("parameters_max", |f| f.parameters.into()),
    ("exits_max", |f| f.exits.into()),
    ("function_lines_max", |f| f.lines.source.into()),
    ("halstead_effort_max", |f| f.halstead.effort()),
];
const CLASSES: [OfClass; 6] = [
    ("methods_max", |c| c.methods.into()),
    ("weighted_methods_max", |c| c.weighted_methods.into()),
    ("coupling_max", |c| c.coupling.into()),
    ("response_max", |c| c.response.into()),
    ("lack_of_cohesion_max", |c| c.lack_of_cohesion.into()),
    ("inheritance_depth_max", |c| c.inheritance_depth.into()),
];
const FILES: [OfFile; 4] = [
    ("file_lines_max", |f| Some(f.lines.source.into())),
    ("maintainability_min", |f| Some(f.maintainability)),
    ("documentation_min", |f| f.documentation),
    ("comment_density_min", |f| Some(f.lines.comment_density())),
];
const PROJECT: [&str; 8] = [
    "cyclomatic_mean",
    "cognitive_mean",
    "maintainability_mean",
    "cycles",
    "duplication",
    "unparsable",
    "suppressions",
    "source_lines",
];
const CHANGES: [(&str, GamingKind); 6] = [
    ("change.unparsable", GamingKind::Unparsable),
    ("change.deleted", GamingKind::Deleted),
    ("change.excluded", GamingKind::Excluded),
    ("change.suppressions", GamingKind::Suppression),
    ("change.configuration", GamingKind::Configuration),
    ("change.baseline", GamingKind::Baseline),
];
const DELETED_TESTS: &str = "change.deleted_tests";
const DELETED_SHARE: &str = "change.deleted_share";

/// The gates of a project that has none of its own.
pub const DEFAULT: [(&str, f64); 2] = [("new.high", 0.0), ("unparsable", 0.0)];

/// What always holds for a change, unless the project said otherwise before it.
pub const DEFAULT_CHANGE: [(&str, f64); 7] = [
    ("change.unparsable", 0.0),
    ("change.excluded", 0.0),
    ("change.suppressions", 0.0),
    ("change.configuration", 0.0),
    ("change.baseline", 0.0),
    (DELETED_TESTS, 0.0),
    (DELETED_SHARE, 0.2),
];

/// Every metric that a gate can be set on.
pub fn metric_names() -> Vec<String> {
    let mut names: Vec<String> = vec!["score".into(), "findings".into(), "new".into()];
    names.extend(Category::ALL.map(|category| format!("score.{category}")));
    for group in ["findings", "new"] {
        names.extend(Severity::ALL.map(|severity| format!("{group}.{severity}")));
        names.extend(Category::ALL.map(|category| format!("{group}.{category}")));
    }
    names.extend(FUNCTIONS.map(|(name, _)| name.to_owned()));
    names.extend(CLASSES.map(|(name, _)| name.to_owned()));
    names.extend(FILES.map(|(name, _)| name.to_owned()));
    names.extend(PROJECT.map(str::to_owned));
    names.extend(CHANGES.map(|(name, _)| name.to_owned()));
    names.extend([DELETED_TESTS.to_owned(), DELETED_SHARE.to_owned()]);
    names
}

/// Whether a gate can be set on it.
pub fn is_metric(name: &str) -> bool {
    metric_names().iter().any(|known| known == name)
}

/// Refuses gates on what is no metric.
pub fn check_names(gates: &BTreeMap<String, f64>) -> Result<(), Failure> {
    let Some(stray) = gates.keys().find(|name| !is_metric(name)) else { return Ok(()) };
    let names = metric_names();
    let hint =
        suggest::hint(stray, names.iter().map(String::as_str), || format!("known: {}", names.join(", ")));
    Err(Failure::new(FailureKind::InvalidInput, format!("there is no metric {stray}")).hint(hint))
}

/// Whether more is better, so that the threshold is a least.
pub fn higher_is_better(metric: &str) -> bool {
    metric.starts_with("score") || metric.ends_with("_min") || metric == "maintainability_mean"
}

/// The state before a change, as far as gates need it.
pub struct Before<'a> {
    /// What was measured.
    pub files: &'a [FileMetrics],
    /// The score.
    pub score: f64,
    /// Per category.
    pub categories: &'a [formicary_model::review::CategoryScore],
    /// How files came about.
    pub changes: &'a HashMap<String, FileChange>,
}

/// Checks every gate. `paths` have gates of their own in place of the project's.
pub fn check_quality_gates(
    report: &ReviewReport,
    gates: &BTreeMap<String, f64>,
    paths: &[PathSettings],
    before: Option<&Before<'_>>,
) -> GateResult {
    let mut all: BTreeMap<&str, f64> = BTreeMap::new();
    if gates.is_empty() {
        all.extend(DEFAULT);
    }
    if before.is_some() {
        all.extend(DEFAULT_CHANGE);
    }
    all.extend(gates.iter().map(|(metric, threshold)| (metric.as_str(), *threshold)));
    let mut checks = Vec::new();
    for (metric, threshold) in all {
        let own =
            |file: &str| !paths.iter().any(|entry| entry.gate.contains_key(metric) && entry.covers(file));
        checks.push(Meter { report, before, within: &own }.check(metric, None, threshold));
    }
    for (index, entry) in paths.iter().enumerate() {
        for (metric, threshold) in &entry.gate {
            let files = matcher(&entry.files);
            // Later entries win.
            let later =
                |file: &str| paths[index + 1..].iter().any(|e| e.gate.contains_key(metric) && e.covers(file));
            let within = |file: &str| files.is_match(file) && !later(file);
            let path = Some(entry.files.join(", "));
            checks.push(Meter { report, before, within: &within }.check(metric, path, *threshold));
        }
    }
    GateResult { passed: checks.iter().all(|check| check.passed), checks }
}

struct Meter<'a> {
    report: &'a ReviewReport,
    before: Option<&'a Before<'a>>,
    within: &'a dyn Fn(&str) -> bool,
}

/// What was measured, and where it is worst.
type Measured = (f64, Option<String>);

impl Meter<'_> {
    fn check(&self, metric: &str, path: Option<String>, threshold: f64) -> GateCheck {
        let (actual, place) = self.measure(metric);
        let comparator = if higher_is_better(metric) { Comparator::AtLeast } else { Comparator::AtMost };
        // A change is not to blame for what was so before it.
        let threshold = match (self.earlier(metric), comparator) {
            (Some(earlier), Comparator::AtLeast) => threshold.min(earlier),
            (Some(earlier), Comparator::AtMost) => threshold.max(earlier),
            (None, _) => threshold,
        };
        let passed = match comparator {
            Comparator::AtLeast => actual >= threshold,
            Comparator::AtMost => actual <= threshold,
        };
        let place = if passed { None } else { place };
        GateCheck { metric: metric.to_owned(), path, comparator, threshold, actual, passed, place }
    }

    fn measure(&self, metric: &str) -> Measured {
        let (group, kind) = metric.split_once('.').unwrap_or((metric, ""));
        match group {
            "score" => (self.score(kind), self.report.score.hot_spots.first().map(|spot| spot.file.clone())),
            "findings" => self.count(kind, self.before.is_some()),
            "new" => self.count(kind, true),
            "change" => self.change(metric),
            _ => self.figure(metric),
        }
    }

    fn score(&self, kind: &str) -> f64 {
        if kind.is_empty() {
            return self.report.score.total;
        }
        let of = self.report.score.categories.iter().find(|score| score.category.word() == kind);
        of.map_or(100.0, |score| score.score)
    }

    fn count(&self, kind: &str, only_new: bool) -> Measured {
        let severity = Severity::from_word(kind);
        let category = Category::from_word(kind);
        let counts = |finding: &&Finding| {
            (self.within)(&finding.file)
                && severity.is_none_or(|severity| finding.severity >= severity)
                && category.is_none_or(|category| finding.category == category)
                // Where nothing is known of before, everything is new.
                && (!only_new || finding.standing != Standing::Unchanged)
        };
        let found: Vec<&Finding> = self.report.open_findings().filter(counts).collect();
        let worst = found.iter().max_by_key(|finding| finding.severity);
        let place = worst.map(|f| format!("{}:{} {}", f.file, f.span.start_line, f.rule));
        (found.len() as f64, place)
    }

    fn change(&self, metric: &str) -> Measured {
        let Some(change) = &self.report.change else { return (0.0, None) };
        let deleted = |kind: GamingKind| kind == GamingKind::Deleted;
        if metric == DELETED_SHARE {
            let Some(before) = self.before else { return (0.0, None) };
            let gone: Vec<&str> =
                change.gaming.iter().filter(|g| deleted(g.kind)).map(|g| g.file.as_str()).collect();
            let lines = |file: &&FileMetrics| f64::from(file.lines.source);
            let all: f64 = before.files.iter().map(|file| lines(&file)).sum();
            let lost: f64 = before
                .files
                .iter()
                .filter(|file| gone.contains(&file.file.as_str()))
                .map(|f| lines(&f))
                .sum();
            return (if all == 0.0 { 0.0 } else { lost / all }, gone.first().map(|file| (*file).to_owned()));
        }
        let kind = CHANGES.iter().find(|(name, _)| *name == metric).map(|(_, kind)| *kind);
        let found: Vec<_> = change
            .gaming
            .iter()
            .filter(|gaming| match kind {
                Some(kind) => gaming.kind == kind,
                None => deleted(gaming.kind) && is_test(&gaming.file),
            })
            .collect();
        let place = found.first().map(|gaming| format!("{} {}", gaming.file, gaming.message));
        (found.len() as f64, place)
    }

    fn figure(&self, metric: &str) -> Measured {
        let files = || self.report.files.iter().filter(|file| (self.within)(&file.file));
        if let Some((_, value)) = FUNCTIONS.iter().find(|(name, _)| *name == metric) {
            let earlier = self.before.map(|before| (functions(before.files), before.changes));
            let all = files().flat_map(|file| file.functions.iter().map(move |function| (file, function)));
            let worse = all.filter(|(file, function)| match &earlier {
                None => true,
                Some((known, changes)) => {
                    let path = changes.get(&file.file).and_then(|change| change.before.as_deref());
                    let old = path.and_then(|path| known.get(&(path, function.name.as_str())));
                    old.is_none_or(|old| value(function) > value(old))
                }
            });
            return highest(worse.map(|(file, function)| {
                let place = format!("{}:{} {}", file.file, function.span.start_line, function.name);
                (value(function), place)
            }));
        }
        if let Some((_, value)) = CLASSES.iter().find(|(name, _)| *name == metric) {
            let all = files().flat_map(|file| file.classes.iter().map(move |class| (file, class)));
            let worse = all.filter(|(file, class)| {
                let old = self.old_file(&file.file);
                let old = old.and_then(|old| old.classes.iter().find(|other| other.name == class.name));
                self.before.is_none() || old.is_none_or(|old| value(class) > value(old))
            });
            return highest(worse.map(|(file, class)| {
                (value(class), format!("{}:{} {}", file.file, class.span.start_line, class.name))
            }));
        }
        if let Some((_, value)) = FILES.iter().find(|(name, _)| *name == metric) {
            return self.of_files(metric, *value);
        }
        self.of_project(metric)
    }

    fn of_files(&self, metric: &str, value: fn(&FileMetrics) -> Option<f64>) -> Measured {
        let sign = if higher_is_better(metric) { -1.0 } else { 1.0 };
        let all = self.report.files.iter().filter(|file| (self.within)(&file.file) && file.lines.source > 0);
        let worse = all.filter_map(|file| Some((file, value(file)?))).filter(|(file, now)| {
            let old = self.old_file(&file.file).and_then(value);
            self.before.is_none() || old.is_none_or(|old| sign * now > sign * old)
        });
        let (worst, place) = highest(worse.map(|(file, now)| (sign * now, file.file.clone())));
        match place {
            Some(place) => (sign * worst, Some(place)),
            // Nothing to hold against anybody.
            None if sign < 0.0 => (f64::MAX, None),
            None => (0.0, None),
        }
    }

    fn old_file(&self, file: &str) -> Option<&FileMetrics> {
        let before = self.before?;
        let path = before.changes.get(file)?.before.as_deref()?;
        before.files.iter().find(|old| old.file == path)
    }

    fn of_project(&self, metric: &str) -> Measured {
        let project = &self.report.project;
        let files = || self.report.files.iter().filter(|file| (self.within)(&file.file));
        match metric {
            "cyclomatic_mean" => (project.cyclomatic_mean, None),
            "cognitive_mean" => (project.cognitive_mean, None),
            "maintainability_mean" => (project.maintainability_mean, None),
            "cycles" => (project.cycles.into(), None),
            "duplication" => (project.duplication, None),
            "unparsable" => {
                // Files that were broken before are not the change's.
                let broken: Vec<_> = files()
                    .filter(|file| !file.parsed && !is_minified(&file.file))
                    .filter(|file| self.old_file(&file.file).is_none_or(|old| old.parsed))
                    .collect();
                (broken.len() as f64, broken.first().map(|file| file.file.clone()))
            }
            "suppressions" => {
                let allowed = self.report.findings.iter().filter(|finding| !finding.is_open());
                (allowed.filter(|finding| (self.within)(&finding.file)).count() as f64, None)
            }
            _ => (files().map(|file| f64::from(file.lines.source)).sum(), None),
        }
    }

    fn earlier(&self, metric: &str) -> Option<f64> {
        let before = self.before?;
        let mean = |value: fn(&FunctionMetrics) -> u32| {
            let all: Vec<u32> = before.files.iter().flat_map(|file| &file.functions).map(value).collect();
            if all.is_empty() { 0.0 } else { f64::from(all.iter().sum::<u32>()) / all.len() as f64 }
        };
        match metric {
            "score" => Some(before.score),
            "cyclomatic_mean" => Some(mean(|function| function.cyclomatic)),
            "cognitive_mean" => Some(mean(|function| function.cognitive)),
            _ => {
                let word = metric.strip_prefix("score.")?;
                before.categories.iter().find(|score| score.category.word() == word).map(|score| score.score)
            }
        }
    }
}

fn highest(all: impl Iterator<Item = (f64, String)>) -> Measured {
    let worst = all.max_by(|a, b| a.0.total_cmp(&b.0));
    worst.map_or((0.0, None), |(value, place)| (value, Some(place)))
}
