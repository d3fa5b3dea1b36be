//! Rules as people write them.
//!
//! The words are those of ast-grep's rule files, so that rules can be carried over. Two differences, on purpose: `stopBy`
//! is `end` unless said otherwise, and a rule may carry its own tests.

use super::check::{Check, How, Related, Until};
use super::pattern::{Pattern, PatternError};
use super::rule::{Rule, RuleError, Tests};
use crate::rewrite::{Fix, Transform};
use formicary_model::review::Severity;
use formicary_model::{Language, suggest};
use formicary_syntax::Dialect;
use formicary_syntax::tree::grammar_of;
use globset::GlobSet;
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct WrittenRule {
    id: String,
    language: String,
    #[serde(default)]
    message: String,
    #[serde(default)]
    note: Option<String>,
    #[serde(default)]
    url: Option<String>,
    #[serde(default)]
    severity: Option<String>,
    /// What kind of thing it finds: `anti-pattern`, `design-pattern`, anything.
    #[serde(default)]
    kind: Option<String>,
    rule: WrittenCheck,
    #[serde(default)]
    constraints: BTreeMap<String, WrittenCheck>,
    #[serde(default)]
    utils: BTreeMap<String, WrittenCheck>,
    #[serde(default)]
    transform: BTreeMap<String, Transform>,
    #[serde(default)]
    fix: Option<Fix>,
    #[serde(default)]
    files: Vec<String>,
    #[serde(default)]
    ignores: Vec<String>,
    #[serde(default)]
    tests: Option<Tests>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct WrittenCheck {
    pattern: Option<WrittenPattern>,
    kind: Option<String>,
    regex: Option<String>,
    nth_child: Option<usize>,
    all: Option<Vec<WrittenCheck>>,
    any: Option<Vec<WrittenCheck>>,
    not: Option<Box<WrittenCheck>>,
    inside: Option<Box<WrittenCheck>>,
    has: Option<Box<WrittenCheck>>,
    follows: Option<Box<WrittenCheck>>,
    precedes: Option<Box<WrittenCheck>>,
    matches: Option<String>,
    stop_by: Option<WrittenUntil>,
    field: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum WrittenPattern {
    Text(String),
    Within { context: String, selector: String },
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum WrittenUntil {
    Word(String),
    Check(Box<WrittenCheck>),
}

/// Reads all rules of a YAML text; documents are parted by `---`. A language with several grammars gives a rule for each.
pub fn read_rules(file: &str, text: &str) -> Result<Vec<Rule>, RuleError> {
    let written: Vec<WrittenRule> = serde_saphyr::from_multiple(text).map_err(|error| {
        RuleError::Unreadable { file: file.to_owned(), why: first_line(&error.to_string()) }
    })?;
    if written.is_empty() {
        return Err(RuleError::Unreadable { file: file.to_owned(), why: "no rule in it".into() });
    }
    let mut rules = Vec::new();
    for one in written {
        rules.extend(compile(one)?);
    }
    Ok(rules)
}

fn globs(written: &[String]) -> Result<Option<GlobSet>, String> {
    let mut set = globset::GlobSetBuilder::new();
    for glob in written {
        set.add(globset::Glob::new(glob).map_err(|error| error.to_string())?);
    }
    let set = set.build().map_err(|error| error.to_string())?;
    Ok((!written.is_empty()).then_some(set))
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

/// The grammars of a language.
pub fn dialects(language: Language) -> &'static [Dialect] {
    match language {
        Language::Python => &[Dialect::Python],
        Language::JavaScript => &[Dialect::JavaScript],
        Language::TypeScript => &[Dialect::TypeScript, Dialect::Tsx],
        Language::Java => &[Dialect::Java],
        Language::C => &[Dialect::C],
        Language::Cpp => &[Dialect::Cpp],
        Language::Go => &[Dialect::Go],
        Language::Rust => &[Dialect::Rust],
        Language::Bash => &[Dialect::Bash],
    }
}

fn compile(written: WrittenRule) -> Result<Vec<Rule>, RuleError> {
    let wrong = |why: String| RuleError::Wrong { rule: written.id.clone(), why };
    let language = Language::from_word(&written.language).ok_or_else(|| {
        let near = suggest::nearest(&written.language, Language::ALL.map(Language::id));
        let near = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
        wrong(format!("unknown language {}{near}", written.language))
    })?;
    let severity = match written.severity.as_deref() {
        None | Some("hint") => Severity::Info,
        Some("warning") => Severity::Medium,
        Some("error") => Severity::High,
        Some(word) => Severity::from_word(word).ok_or_else(|| wrong(format!("unknown severity {word}")))?,
    };
    let mut rules = Vec::new();
    for dialect in dialects(language) {
        let compiler = Compiler { dialect: *dialect, rule: &written.id, utils: &written.utils };
        let check = compiler.check(&written.rule, 0)?;
        let constraints = written.constraints.iter();
        let constraints = constraints.map(|(name, check)| Ok((name.clone(), compiler.check(check, 0)?)));
        let rule = Rule {
            id: written.id.clone(),
            dialect: *dialect,
            message: written.message.clone(),
            note: written.note.clone(),
            url: written.url.clone(),
            severity,
            kind: written.kind.clone(),
            check,
            constraints: constraints.collect::<Result<_, _>>()?,
            transforms: written.transform.clone().into_iter().collect(),
            fix: written.fix.clone(),
            files: globs(&written.files).map_err(&wrong)?,
            ignores: globs(&written.ignores).map_err(&wrong)?,
            tests: written.tests.clone().unwrap_or_default(),
        };
        rule.verify()?;
        rules.push(rule);
    }
    Ok(rules)
}

struct Compiler<'w> {
    dialect: Dialect,
    rule: &'w str,
    utils: &'w BTreeMap<String, WrittenCheck>,
}

impl Compiler<'_> {
    fn wrong(&self, why: impl Into<String>) -> RuleError {
        RuleError::Wrong { rule: self.rule.to_owned(), why: why.into() }
    }

    fn check(&self, written: &WrittenCheck, depth: usize) -> Result<Check, RuleError> {
        if depth > 40 {
            return Err(self.wrong("rules nest too deeply, or `matches` leads back to itself"));
        }
        let mut checks = Vec::new();
        let deeper = |written: &WrittenCheck| self.check(written, depth + 1);
        if let Some(kind) = &written.kind {
            checks.push(Check::Kind(self.kinds(kind)?));
        }
        if let Some(pattern) = &written.pattern {
            let pattern = match pattern {
                WrittenPattern::Text(text) => Pattern::new(self.dialect, text),
                WrittenPattern::Within { context, selector } => {
                    Pattern::within(self.dialect, context, selector)
                }
            };
            let pattern = pattern.map_err(|error: PatternError| self.wrong(error.to_string()))?;
            checks.push(Check::Pattern(Box::new(pattern)));
        }
        if let Some(text) = &written.regex {
            let regex = regex::RegexBuilder::new(text).size_limit(1 << 20).build();
            checks.push(Check::Regex(regex.map_err(|error| self.wrong(format!("regex {text}: {error}")))?));
        }
        if let Some(place) = written.nth_child {
            checks.push(Check::Nth(place));
        }
        if let Some(name) = &written.matches {
            let util = self.utils.get(name).ok_or_else(|| self.wrong(format!("no util is called {name}")))?;
            checks.push(deeper(util)?);
        }
        if let Some(all) = &written.all {
            checks.push(Check::All(all.iter().map(deeper).collect::<Result<_, _>>()?));
        }
        if let Some(any) = &written.any {
            checks.push(Check::Any(any.iter().map(deeper).collect::<Result<_, _>>()?));
        }
        let related = [
            (How::Inside, &written.inside),
            (How::Has, &written.has),
            (How::Follows, &written.follows),
            (How::Precedes, &written.precedes),
        ];
        for (how, other) in related {
            if let Some(other) = other {
                checks.push(Check::Related(Box::new(self.related(how, other, depth)?)));
            }
        }
        if let Some(not) = &written.not {
            checks.push(Check::Not(Box::new(deeper(not)?)));
        }
        match checks.len() {
            0 => Err(self.wrong("a condition is empty: it asks for nothing")),
            1 => Ok(checks.remove(0)),
            _ => Ok(Check::All(checks)),
        }
    }

    fn related(&self, how: How, written: &WrittenCheck, depth: usize) -> Result<Related, RuleError> {
        let until = match &written.stop_by {
            None => Until::End,
            Some(WrittenUntil::Word(word)) => match word.as_str() {
                "end" => Until::End,
                "neighbor" | "neighbour" => Until::Neighbour,
                _ => return Err(self.wrong(format!("stopBy is end, neighbor or a rule, not {word}"))),
            },
            Some(WrittenUntil::Check(check)) => Until::Check(self.check(check, depth + 1)?),
        };
        let field = written.field.as_deref().map(|name| {
            let id = grammar_of(self.dialect).field_id_for_name(name);
            id.map(std::num::NonZeroU16::get)
                .ok_or_else(|| self.wrong(format!("the grammar has no field {name}")))
        });
        let check = self.check(written, depth + 1)?;
        Ok(Related::new(how, check, until, field.transpose()?, self.dialect))
    }

    fn kinds(&self, name: &str) -> Result<Vec<u16>, RuleError> {
        let grammar = grammar_of(self.dialect);
        let all = 0..u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
        let called = |id: &u16| grammar.node_kind_for_id(*id) == Some(name);
        let (named, tokens): (Vec<u16>, Vec<u16>) =
            all.clone().filter(called).partition(|id| grammar.node_kind_is_named(*id));
        let kinds = if named.is_empty() { tokens } else { named };
        if !kinds.is_empty() {
            return Ok(kinds);
        }
        let known =
            all.filter(|id| grammar.node_kind_is_named(*id)).filter_map(|id| grammar.node_kind_for_id(id));
        let near = suggest::nearest(name, known);
        let near = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
        Err(self.wrong(format!("the grammar has no kind {name}{near}")))
    }
}
