//! Rules that change code.

use super::edit::{Edit, EditGroup, apply, arbitrate};
use super::minimal;
use super::template::{Filling, Template};
use crate::check::sequence;
use crate::matcher::{Found, PatternMatcher};
use crate::matching::{Captures, Comparison, Subject};
use crate::source::Source;
use crate::{Pattern, Rule};
use formicary_files::Viewpoint;
use formicary_model::patterns::{FileChange, LeftAlone};
use formicary_syntax::tree::tree;
use formicary_syntax::{Bounds, Dialect};
use serde::Deserialize;
use similar::TextDiff;
use std::sync::Arc;

/// A rule's replacement.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "WrittenFix")]
pub struct Fix {
    text: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum WrittenFix {
    Text(String),
    Template { template: String },
}

impl From<WrittenFix> for Fix {
    fn from(written: WrittenFix) -> Self {
        match written {
            WrittenFix::Text(text) | WrittenFix::Template { template: text } => Self::from(text),
        }
    }
}

impl From<String> for Fix {
    fn from(text: String) -> Self {
        Self { text }
    }
}

impl Fix {
    /// The template.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// A file that changes.
#[derive(Debug, Clone)]
pub struct Change {
    /// The file.
    pub path: String,
    /// Its text before.
    pub before: Arc<str>,
    /// Its text after.
    pub after: String,
    /// How many places change.
    pub places: usize,
    /// How many places wait for another run.
    pub overlapping: usize,
    /// The file's new name in the same folder, where it gets one.
    pub moved_to: Option<String>,
}

impl Change {
    /// A file that is replaced as a whole.
    pub fn whole(path: String, before: Arc<str>, after: String) -> Self {
        Self { path, before, after, places: 1, overlapping: 0, moved_to: None }
    }

    /// The change for its reader, with paths as they are opened from where that one stands.
    pub fn report(&self, viewpoint: &Viewpoint) -> FileChange {
        let path = viewpoint.path(&self.path);
        FileChange {
            places: self.places,
            overlapping: self.overlapping,
            diff: match &self.moved_to {
                Some(target) => renamed(&path, &viewpoint.path(target), &self.before, &self.after),
                None => unified(&path, &self.before, &self.after),
            },
            file: path,
        }
    }
}

/// A unified diff of one file.
pub fn unified(path: &str, before: &str, after: &str) -> String {
    renamed(path, path, before, after)
}

/// A unified diff of one file that gets another name.
fn renamed(from: &str, to: &str, before: &str, after: &str) -> String {
    let diff = TextDiff::configure().algorithm(similar::Algorithm::Patience).diff_lines(before, after);
    diff.unified_diff().context_radius(3).header(&format!("a/{from}"), &format!("b/{to}")).to_string()
}

/// Rules that change code, compiled once.
#[derive(Debug)]
pub struct ASTTransformer {
    matcher: PatternMatcher,
    /// The templates of rules, read as patterns where they can be.
    templates: Vec<Option<Pattern>>,
}

impl ASTTransformer {
    /// A transformer of rules; those without a fix change nothing.
    pub fn new(rules: Vec<Rule>) -> Self {
        let rules: Vec<Rule> = rules.into_iter().filter(Rule::has_fix).collect();
        let read = |rule: &Rule| {
            let template = rule.fix.as_ref().map(Fix::text)?;
            let lines = |text: &str| text.trim().lines().count();
            // A template of other lines wants its own layout.
            let pattern = rule.only_pattern().filter(|pattern| lines(pattern.text()) == lines(template))?;
            Pattern::new(pattern.dialect(), template).ok()
        };
        let templates = rules.iter().map(read).collect();
        Self { matcher: PatternMatcher::new(rules), templates }
    }

    /// The matcher.
    pub fn matcher(&self) -> &PatternMatcher {
        &self.matcher
    }

    /// What becomes of a file: nothing, a change, or the reason why it was left alone though it matches.
    pub fn rewrite(&self, source: &Source) -> Result<Option<Change>, LeftAlone> {
        let left = |why: String| LeftAlone { file: source.path().to_owned(), why };
        let mut groups = Vec::new();
        let visited = self.matcher.visit(source, &mut |subject, found| {
            groups.push(self.edits(subject, found));
        });
        visited.map_err(|kind| left(kind.message().to_owned()))?;
        if groups.is_empty() {
            return Ok(None);
        }
        if !source.is_exact() {
            return Err(left("it is not UTF-8: changing it would change other bytes too".into()));
        }
        let chosen = arbitrate(groups);
        let after = apply(source.text(), &chosen.edits);
        if after == source.text() {
            return Ok(None);
        }
        if !still_parses(source.dialect(), source.text(), &after) {
            return Err(left("the result would not parse".into()));
        }
        Ok(Some(Change {
            path: source.path().to_owned(),
            before: source.text().into(),
            after,
            places: chosen.made,
            overlapping: chosen.overlapping,
            moved_to: None,
        }))
    }

    fn edits<'t>(&self, subject: &Subject<'t>, found: &Found<'_, 't>) -> EditGroup {
        let at = self.matcher.rules().iter().position(|rule| std::ptr::eq(rule, found.rule)).unwrap_or(0);
        let filling = Filling::new(subject, &found.captures, &found.rule.transforms);
        let smallest = self.templates.get(at).and_then(Option::as_ref).and_then(|template| {
            let pattern = found.rule.only_pattern()?;
            let mut comparison = Comparison::new(subject, pattern, Captures::default());
            let holds = if pattern.roots.len() == 1 {
                comparison.root(found.node)
            } else {
                sequence(&mut comparison, found.node).is_some()
            };
            if holds { minimal::edits(&comparison, template, &filling) } else { None }
        });
        let edits = smallest.unwrap_or_else(|| {
            let text = found.rule.fix.as_ref().map(Fix::text).unwrap_or_default();
            vec![whole(subject, found, text, &filling)]
        });
        EditGroup { rank: at, range: found.range.clone(), edits }
    }
}

/// The whole match replaced; where nothing comes and nothing else stands on its lines, they go too.
fn whole(
    subject: &Subject<'_>,
    found: &Found<'_, '_>,
    template: &str,
    filling: &Filling<'_, '_, '_>,
) -> Edit {
    let text = Template::new(template).fill(filling, found.range.start);
    let source = subject.source;
    let mut range = found.range.clone();
    if text.is_empty() {
        let start = source[..range.start].rfind('\n').map_or(0, |newline| newline + 1);
        let end = source[range.end..].find('\n').map_or(source.len(), |newline| range.end + newline + 1);
        let alone = source[start..range.start].trim().is_empty() && source[range.end..end].trim().is_empty();
        if alone {
            range = start..end;
        }
    }
    Edit { range, text }
}

/// Whether a changed text has no more errors than before.
pub fn still_parses(dialect: Dialect, before: &str, after: &str) -> bool {
    let bounds = Bounds { line_length: usize::MAX, ..Bounds::default() };
    let errors = |text: &str| tree(dialect, text, bounds).map(|tree| count_errors(tree.root_node()));
    match (errors(before), errors(after)) {
        (Ok(before), Ok(after)) => after <= before,
        _ => false,
    }
}

fn count_errors(root: tree_sitter::Node<'_>) -> usize {
    let mut count = 0;
    let mut pending = vec![root];
    while let Some(node) = pending.pop() {
        if !node.has_error() && !node.is_missing() {
            continue;
        }
        count += usize::from(node.is_error() || node.is_missing());
        let mut cursor = node.walk();
        pending.extend(node.children(&mut cursor));
    }
    count
}
