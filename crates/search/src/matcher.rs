//! Many rules over one file in one walk.

use super::check::{Evaluation, constrained};
use super::kinds::Kinds;
use super::matching::{Capture, Captures, Subject};
use super::needs::Needs;
use super::pattern::{Pattern, PatternError};
use super::rule::Rule;
use super::yaml::dialects;
use crate::source::Source;
use aho_corasick::AhoCorasick;
use formicary_model::Language;
use formicary_model::patterns::{Captured, Match};
use formicary_model::review::Span;
use formicary_syntax::tree::tree;
use formicary_syntax::{Bounds, Dialect, Lines, NoteKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use tree_sitter::{Node, Tree};

/// Patterns and rules, compiled once, ready for any number of files.
#[derive(Debug)]
pub struct PatternMatcher {
    rules: Vec<Rule>,
    needs: Vec<Needs>,
    by_dialect: FxHashMap<Dialect, ByKind>,
    words: Vec<String>,
    finder: Option<AhoCorasick>,
    bounds: Bounds,
}

/// Which rules look at nodes of a kind.
#[derive(Debug, Default)]
struct ByKind {
    by_kind: Vec<Vec<u32>>,
    rules: Vec<u32>,
}

/// One place, while its tree is there.
pub(crate) struct Found<'p, 't> {
    pub rule: &'p Rule,
    pub node: Node<'t>,
    pub range: Range<usize>,
    pub captures: Captures<'p, 't>,
}

impl PatternMatcher {
    /// A matcher of rules.
    pub fn new(rules: Vec<Rule>) -> Self {
        let needs: Vec<Needs> = rules.iter().map(Rule::needs).collect();
        let mut words: Vec<&str> = Vec::new();
        needs.iter().for_each(|need| need.words(&mut words));
        words.sort_unstable();
        words.dedup();
        let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
        let finder = AhoCorasick::new(&words).ok().filter(|_| !words.is_empty());
        let mut by_dialect: FxHashMap<Dialect, ByKind> = FxHashMap::default();
        for (at, rule) in rules.iter().enumerate() {
            let kinds = Kinds::of(rule.dialect);
            let entry = by_dialect
                .entry(rule.dialect)
                .or_insert_with(|| ByKind { by_kind: vec![Vec::new(); kinds.count()], rules: Vec::new() });
            let at = u32::try_from(at).unwrap_or(u32::MAX);
            let wanted = rule.check.kinds(kinds);
            for (kind, list) in entry.by_kind.iter_mut().enumerate() {
                let same = kinds.same(u16::try_from(kind).unwrap_or(u16::MAX));
                if wanted.as_ref().is_none_or(|wanted| wanted.contains(&same)) {
                    list.push(at);
                }
            }
            entry.rules.push(at);
        }
        Self { rules, needs, by_dialect, words, finder, bounds: Bounds::default() }
    }

    /// A matcher of one pattern. Without a language, it is read in every language in which it can be.
    pub fn of_pattern(text: &str, language: Option<Language>) -> Result<Self, PatternError> {
        let all = match language {
            Some(language) => dialects(language),
            None => &Dialect::ALL,
        };
        let mut first_error = None;
        let mut rules = Vec::new();
        for dialect in all {
            match Pattern::new(*dialect, text) {
                Ok(pattern) => rules.push(Rule::of_pattern("", pattern)),
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        match first_error {
            Some(error) if rules.is_empty() => Err(error),
            _ => Ok(Self::new(rules)),
        }
    }

    /// The same matcher with bounds of one's own.
    #[must_use]
    pub fn with_bounds(mut self, bounds: Bounds) -> Self {
        self.bounds = bounds;
        self
    }

    /// The rules, given back.
    pub fn into_rules(self) -> Vec<Rule> {
        self.rules
    }

    /// The rules.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Whether any rule looks at files of this grammar.
    pub fn reads(&self, dialect: Dialect) -> bool {
        self.by_dialect.contains_key(&dialect)
    }

    /// Every place in a file, in the order of the text. `Err` says why the file was not read.
    pub fn search(&self, source: &Source) -> Result<Vec<Match>, NoteKind> {
        let mut matches = Vec::new();
        let mut lines = None;
        self.visit(source, &mut |subject, found| {
            let lines = lines.get_or_insert_with(|| Lines::new(source.text()));
            matches.push(to_match(source, lines, subject, found));
        })?;
        matches.sort_by_key(|found: &Match| (found.span.start_byte, std::cmp::Reverse(found.span.end_byte)));
        Ok(matches)
    }

    /// Goes through every place in a file.
    pub(crate) fn visit(
        &self,
        source: &Source,
        each: &mut dyn for<'t> FnMut(&Subject<'t>, &Found<'_, 't>),
    ) -> Result<(), NoteKind> {
        let active = self.active(source);
        if active.is_empty() {
            return Ok(());
        }
        let tree = tree(source.dialect(), source.text(), self.bounds)?;
        self.walk(source, &tree, &active, each);
        Ok(())
    }

    /// The rules whose words the file holds.
    fn active(&self, source: &Source) -> FxHashSet<u32> {
        let Some(entry) = self.by_dialect.get(&source.dialect()) else { return FxHashSet::default() };
        let mut present: FxHashSet<&str> = FxHashSet::default();
        if let Some(finder) = &self.finder {
            for hit in finder.find_overlapping_iter(source.text()) {
                present.insert(self.words[hit.pattern().as_usize()].as_str());
                if present.len() == self.words.len() {
                    break;
                }
            }
        }
        let met = |at: &&u32| {
            self.needs[**at as usize].met(source.text(), &|word: &str| present.contains(word))
                && self.rules[**at as usize].is_for(source.path())
        };
        entry.rules.iter().filter(met).copied().collect()
    }

    /// How many nodes the conditions on other nodes looked at in a file.
    #[cfg(test)]
    pub(crate) fn visits(&self, source: &Source) -> usize {
        match tree(source.dialect(), source.text(), self.bounds) {
            Ok(tree) => self.walk(source, &tree, &self.active(source), &mut |_, _| {}),
            Err(_) => 0,
        }
    }

    /// Goes through the tree; gives how many nodes the conditions on other nodes looked at.
    fn walk(
        &self,
        source: &Source,
        tree: &Tree,
        active: &FxHashSet<u32>,
        each: &mut dyn for<'t> FnMut(&Subject<'t>, &Found<'_, 't>),
    ) -> usize {
        let Some(entry) = self.by_dialect.get(&source.dialect()) else { return 0 };
        let chosen = |list: &Vec<u32>| list.iter().filter(|at| active.contains(at)).copied().collect();
        let by_kind: Vec<Vec<u32>> = entry.by_kind.iter().map(chosen).collect();
        let subject = Subject::new(source.dialect(), source.text());
        let mut cursor = tree.walk();
        loop {
            let node = cursor.node();
            let looking = by_kind.get(node.kind_id() as usize).map(Vec::as_slice).unwrap_or_default();
            if !looking.is_empty() && node.is_named() {
                for at in looking {
                    if let Some(found) = examine(&self.rules[*at as usize], &subject, node) {
                        each(&subject, &found);
                    }
                }
            }
            if cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return subject.visited.get();
                }
            }
        }
    }
}

fn examine<'p, 't>(rule: &'p Rule, subject: &Subject<'t>, node: Node<'t>) -> Option<Found<'p, 't>> {
    // Most nodes of the right kind begin with another word: they are not worth a comparison.
    let begins =
        |head: &str| subject.source.get(node.start_byte()..).is_some_and(|rest| rest.starts_with(head));
    if !rule.check.head().is_none_or(begins) {
        return None;
    }
    let mut evaluation = Evaluation::new(subject);
    let holds = evaluation.holds(&rule.check, node) && constrained(&mut evaluation, &rule.constraints);
    holds.then(|| Found {
        rule,
        node,
        range: node.start_byte()..node.end_byte().max(evaluation.end),
        captures: evaluation.captures,
    })
}

pub(crate) fn span(lines: &Lines, text: &str, range: Range<usize>) -> Span {
    let byte = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
    let (start, end) = (lines.position(text, byte(range.start)), lines.position(text, byte(range.end)));
    Span {
        start_line: start.line,
        start_column: start.column,
        end_line: end.line,
        end_column: end.column,
        start_byte: byte(range.start),
        end_byte: byte(range.end),
    }
}

fn to_match<'t>(source: &Source, lines: &Lines, subject: &Subject<'t>, found: &Found<'_, 't>) -> Match {
    let text = source.text();
    let captured = |capture: &Capture<'t>| match capture.range() {
        Some(range) => Captured {
            text: crate::rewrite::capture_text(subject, capture),
            span: Some(span(lines, text, range)),
        },
        None => Captured { text: String::new(), span: None },
    };
    let captures = found.captures.bound.iter().map(|(name, capture)| ((*name).to_owned(), captured(capture)));
    Match {
        rule: found.rule.id.clone(),
        message: crate::rewrite::fill(&found.rule.message, subject, &found.captures),
        severity: found.rule.severity,
        file: source.path().to_owned(),
        language: source.dialect().language(),
        span: span(lines, text, found.range.clone()),
        text: text.get(found.range.clone()).unwrap_or("").to_owned(),
        captures: captures.collect(),
    }
}
