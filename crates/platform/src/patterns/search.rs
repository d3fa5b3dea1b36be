//! Structural search through the façade.

use super::place::{self, invalid};
use crate::facade::Platform;
use crate::keys::Scope;
use crate::use_case::{Context, Effect, UseCase};
use crate::workspace::Workspace;
use formicary_files::{FileError, Place, Root};
use formicary_model::patterns::{Match, RuleTestReport, SearchInput, SearchReport, SkippedFile};
use formicary_model::{Failure, suggest};
use formicary_review::engine::Watch;
use formicary_search::{
    PatternError, PatternMatcher, Rule, RuleError, Source, explain, read_rules, rule_tests, shipped,
};
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

impl Sought {
    /// What an input names: a pattern or rules, and not both.
    pub(super) fn of(pattern: Option<&str>, rules: &[String]) -> Result<Self, Failure> {
        match (pattern, rules.is_empty()) {
            (Some(pattern), true) => Ok(Self::Pattern(pattern.to_owned())),
            (None, false) => Ok(Self::Rules(rules.to_vec())),
            (Some(_), false) => Err(invalid("pattern and rules are given together", "give one of them")),
            (None, true) => {
                Err(invalid("what to look for is not given", "give a pattern, as in 'print($X)', or rules"))
            }
        }
    }
}

/// Finds code by its shape.
pub struct Search;

impl UseCase for Search {
    const NAME: &'static str = "search";
    const PATH: &'static str = "/v1/search";
    const ABOUT: &'static str = "Find code by its structure";
    const SCOPE: Option<Scope> = Some(Scope::Review);
    const EFFECT: Effect = Effect::Reads;
    type Input = SearchInput;
    type Output = SearchReport;

    fn run(_: &Platform, context: &Context<'_>, input: SearchInput) -> Result<SearchReport, Failure> {
        let sought = Sought::of(input.pattern.as_deref(), &input.rules)?;
        let workspace = context.workspace(&input.code)?;
        let found = context.watched(|watch| search(&workspace, &input, &sought, watch));
        found.map_err(|failure| workspace.explain(failure))
    }
}

fn search(
    workspace: &Workspace,
    input: &SearchInput,
    sought: &Sought,
    watch: Watch<'_>,
) -> Result<SearchReport, Failure> {
    let rules = rules(workspace.directory(), sought, input.language.as_deref())?;
    let matcher = PatternMatcher::new(rules);
    let place = place::read(workspace.directory(), workspace.paths(), watch)?;
    let sources: Vec<Source> =
        place.sources.into_iter().filter(|source| matcher.reads(source.dialect())).collect();
    let searched: Vec<_> = sources
        .par_iter()
        .filter(|_| !(watch.cancelled)())
        .map(|source| (source.path(), matcher.search(source)))
        .collect();
    let mut report = SearchReport { files: sources.len(), skipped: place.skipped, ..SearchReport::default() };
    for (file, found) in searched {
        match found {
            Ok(found) => report.matches.extend(found),
            Err(kind) => {
                report.skipped.push(SkippedFile { file: file.to_owned(), why: kind.message().to_owned() });
            }
        }
    }
    // Of many rules most find nothing, and why is of no interest.
    if input.explain && input.pattern.is_some() && report.matches.is_empty() {
        report.nearest = explain::explain(&matcher, &sources);
    }
    once(&mut report.matches);
    let matches = report.matches.iter_mut().map(|found| &mut found.file);
    let nearest = report.nearest.iter_mut().filter_map(|near| near.file.as_mut());
    let skipped = report.skipped.iter_mut().map(|skipped| &mut skipped.file);
    matches.chain(nearest).chain(skipped).for_each(|file| place.viewpoint.rewrite(file));
    report.skipped.sort();
    Ok(report)
}

impl Platform {
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
    invalid(error.to_string(), "docs/reference/patterns.md shows how rules are written")
}

fn named(folder: &Path, name: &str) -> Result<Vec<Rule>, Failure> {
    let path = folder.join(name);
    if path.exists() {
        return from_files(folder, Path::new(name));
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

/// The rules of a file, or of a directory's YAML files. A project's author may have put links or pipes there.
fn from_files(folder: &Path, named: &Path) -> Result<Vec<Rule>, Failure> {
    let failed = |file: &Path, error: &FileError| {
        invalid(format!("{}: {}", file.display(), error.reason), "name files of rules that you may read")
    };
    let (directory, files) = if folder.join(named).is_dir() {
        let root = Root::open(&folder.join(named)).map_err(|error| failed(named, &error))?;
        let entries = root.entries(Path::new("")).map_err(|error| failed(named, &error))?;
        let is_yaml = |path: &PathBuf| path.extension().is_some_and(|end| end == "yml" || end == "yaml");
        (root, entries.into_iter().map(|entry| PathBuf::from(entry.name)).filter(is_yaml).collect())
    } else {
        let place = Place::of(folder, named).map_err(|error| failed(named, &error))?;
        (place.root, vec![place.path])
    };
    let mut rules = Vec::new();
    for file in files {
        let shown = directory.path().join(&file);
        let text =
            directory.read_to_string(&file, MOST_RULE_BYTES).map_err(|error| failed(&shown, &error))?;
        rules.extend(read_rules(&shown.display().to_string(), &text).map_err(|error| rule_failure(&error))?);
    }
    Ok(rules)
}
