//! Structural search through the façade.

use super::place::{self, invalid};
use crate::facade::Platform;
use formicary_model::patterns::{Match, RuleTestReport, SearchReport, SkippedFile};
use formicary_model::{Failure, suggest};
use formicary_patterns::search::{PatternError, Rule, RuleError, explain, read_rules, rule_tests, shipped};
use formicary_patterns::{PatternMatcher, Source};
use formicary_review::engine::Watch;
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// A file of rules larger than this is none.
const MOST_RULE_BYTES: u64 = 4 << 20;

/// What is looked for.
#[derive(Debug, Clone)]
pub enum Sought {
    /// One pattern.
    Pattern(String),
    /// Rules: files and folders of YAML, names and kinds of shipped rules, or `all` of them.
    Rules(Vec<String>),
}

/// A search, as a door was asked.
#[derive(Debug, Clone)]
pub struct SearchOptions {
    /// Where the user stands; relative paths start there.
    pub working_folder: PathBuf,
    /// Files and folders; empty for where the user stands.
    pub paths: Vec<PathBuf>,
    /// The language; every one in which the pattern can be read, if none is named.
    pub language: Option<String>,
    /// What is looked for.
    pub sought: Sought,
    /// Whether the nearest miss is wanted where nothing matches.
    pub explain: bool,
}

impl Platform {
    /// Finds code by its shape.
    pub fn search(&self, options: &SearchOptions, watch: Watch<'_>) -> Result<SearchReport, Failure> {
        let rules = rules(&options.working_folder, &options.sought, options.language.as_deref())?;
        let matcher = PatternMatcher::new(rules);
        let place = place::read(&options.working_folder, &options.paths, watch)?;
        let sources: Vec<Source> =
            place.sources.into_iter().filter(|source| matcher.reads(source.dialect())).collect();
        let searched: Vec<_> = sources
            .par_iter()
            .filter(|_| !(watch.cancelled)())
            .map(|source| (source.path(), matcher.search(source)))
            .collect();
        let mut report =
            SearchReport { files: sources.len(), skipped: place.skipped, ..SearchReport::default() };
        for (file, found) in searched {
            match found {
                Ok(found) => report.matches.extend(found),
                Err(kind) => {
                    report
                        .skipped
                        .push(SkippedFile { file: file.to_owned(), why: kind.message().to_owned() });
                }
            }
        }
        if options.explain && report.matches.is_empty() {
            report.nearest = explain::explain(&matcher, &sources);
        }
        report.skipped.sort();
        once(&mut report.matches);
        Ok(report)
    }

    /// Judges rules by the tests that they carry.
    pub fn test_rules(&self, working_folder: &Path, names: &[String]) -> Result<RuleTestReport, Failure> {
        let names = if names.is_empty() { vec!["all".to_owned()] } else { names.to_vec() };
        Ok(rule_tests::test_rules(&rules(working_folder, &Sought::Rules(names), None)?))
    }

    /// The pattern rules that come with Formicary.
    pub fn shipped_patterns(&self) -> Result<Vec<Rule>, Failure> {
        shipped::rules().map_err(|error| rule_failure(&error))
    }
}

/// A rule that exists in two grammars of one language finds a place once.
fn once(matches: &mut Vec<Match>) {
    matches.dedup_by(|a, b| a.file == b.file && a.span == b.span && a.rule == b.rule);
}

/// The rules that a request means.
pub(super) fn rules(folder: &Path, sought: &Sought, language: Option<&str>) -> Result<Vec<Rule>, Failure> {
    let language = language.map(place::language).transpose()?;
    let mut rules = match sought {
        Sought::Pattern(text) => {
            let matcher =
                PatternMatcher::of_pattern(text, language).map_err(|error| pattern_failure(&error))?;
            matcher.into_rules()
        }
        Sought::Rules(names) => {
            let mut rules = Vec::new();
            for name in names {
                rules.extend(named(folder, name)?);
            }
            rules
        }
    };
    rules.retain(|rule| language.is_none_or(|language| rule.dialect.language() == language));
    Ok(rules)
}

pub(super) fn pattern_failure(error: &PatternError) -> Failure {
    let hint = match error {
        PatternError::Empty => "write code with metavariables, as in 'print($X)'",
        PatternError::Everything => "say what stands around `$$$`, as in 'print($$$)'",
        PatternError::Unreadable { .. } => {
            "write a whole expression or statement of the language; -l names another language"
        }
        PatternError::TooLarge => "shorten it",
    };
    invalid(error.to_string(), hint)
}

pub(super) fn rule_failure(error: &RuleError) -> Failure {
    invalid(error.to_string(), "docs/patterns.md tells how rules are written")
}

fn named(folder: &Path, name: &str) -> Result<Vec<Rule>, Failure> {
    let path = folder.join(name);
    if path.exists() {
        return from_files(&path, name);
    }
    let all = shipped::rules().map_err(|error| rule_failure(&error))?;
    let names: Vec<String> = all.iter().map(|rule| rule.id.clone()).collect();
    let kinds: Vec<String> = all.iter().filter_map(|rule| rule.kind.clone()).collect();
    let wanted = |rule: &Rule| name == "all" || rule.id == name || rule.kind.as_deref() == Some(name);
    let chosen: Vec<Rule> = all.into_iter().filter(wanted).collect();
    if chosen.is_empty() {
        let hint = match suggest::nearest(name, names.iter().chain(&kinds).map(String::as_str)) {
            Some(near) => format!("did you mean {near}?"),
            None => "name a YAML file, a folder of them, a shipped rule, anti-pattern, design-pattern or all"
                .into(),
        };
        return Err(invalid(format!("no rule and no file is called {name}"), hint));
    }
    Ok(chosen)
}

fn from_files(path: &Path, shown: &str) -> Result<Vec<Rule>, Failure> {
    let failed = |error: std::io::Error| invalid(format!("{shown}: {error}"), "name files that you may read");
    let mut files = Vec::new();
    if path.is_dir() {
        for entry in std::fs::read_dir(path).map_err(failed)? {
            let file = entry.map_err(failed)?.path();
            let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
            files.extend(matches!(ending, "yml" | "yaml").then_some(file));
        }
        files.sort();
    } else {
        files.push(path.to_owned());
    }
    let mut rules = Vec::new();
    for file in files {
        let metadata = file.metadata().map_err(failed)?;
        if !metadata.is_file() || metadata.len() > MOST_RULE_BYTES {
            return Err(invalid(format!("{} is not a file of rules", file.display()), "name a YAML file"));
        }
        let text = std::fs::read_to_string(&file).map_err(failed)?;
        rules.extend(read_rules(&file.display().to_string(), &text).map_err(|error| rule_failure(&error))?);
    }
    Ok(rules)
}
