//! Why nothing matched: the place that comes nearest, and what differs there.

use super::check::{Check, sequence};
use super::kinds::Kinds;
use super::matcher::{PatternMatcher, span};
use super::matching::{Captures, Comparison, Subject};
use super::pattern::{NodeId, Pattern, Shape};
use crate::source::Source;
use formicary_model::patterns::NearestMiss;
use formicary_syntax::tree::{grammar_of, tree};
use formicary_syntax::{Bounds, Lines};

/// How many files are looked at closely.
const MOST_FILES: usize = 300;

/// The nearest miss of every pattern that looks at some of these files; the first rule's pattern where a rule has several.
pub fn explain(matcher: &PatternMatcher, sources: &[Source]) -> Vec<NearestMiss> {
    let mut misses = Vec::new();
    for rule in matcher.rules() {
        let Some(pattern) = first_pattern(&rule.check) else { continue };
        let files: Vec<&Source> = sources.iter().filter(|source| source.dialect() == rule.dialect).collect();
        if !files.is_empty() {
            misses.push(nearest(pattern, &files));
        }
    }
    misses.sort_by_key(|miss: &NearestMiss| {
        (miss.why.starts_with("no file"), std::cmp::Reverse(miss.matched[0]))
    });
    misses
}

fn first_pattern(check: &Check) -> Option<&Pattern> {
    match check {
        Check::Pattern(pattern) => Some(pattern),
        Check::All(checks) | Check::Any(checks) => checks.iter().find_map(first_pattern),
        Check::Related(related) => first_pattern(&related.check),
        Check::Kind(_) | Check::Regex(_) | Check::Not(_) | Check::Nth(_) => None,
    }
}

fn nearest(pattern: &Pattern, files: &[&Source]) -> NearestMiss {
    let mut best = NearestMiss {
        language: pattern.dialect().language(),
        read_as: read_as(pattern),
        why: String::new(),
        file: None,
        span: None,
        found: None,
        expected: None,
        matched: [0, pattern.nodes.len()],
    };
    let words = pattern.words();
    let absent = words.iter().find(|word| !files.iter().any(|file| file.text().contains(*word)));
    let (most, promising) = promising(&words, files);
    let candidates: usize = promising.iter().map(|source| look(pattern, source, &mut best)).sum();
    let told = std::mem::take(&mut best.why);
    let after = |first: String| if told.is_empty() { first } else { format!("{first}; {told}") };
    best.why = match absent {
        Some(word) => after(format!("no file holds the word `{word}`")),
        None if most < words.len() => after(format!("no file holds all of the words {}", words.join(", "))),
        None if candidates == 0 => format!("no file holds {}", kind_of_root(pattern)),
        None => told,
    };
    best
}

/// Files that hold most of the words, and how many these are; parsing all others would take long and tell little.
fn promising<'f>(words: &[&str], files: &[&'f Source]) -> (usize, Vec<&'f Source>) {
    let count = |source: &&Source| words.iter().filter(|word| source.text().contains(**word)).count();
    let counted: Vec<(usize, &'f Source)> = files.iter().map(|source| (count(source), *source)).collect();
    let most = counted.iter().map(|(count, _)| *count).max().unwrap_or(0);
    let best = counted.into_iter().filter(|(count, _)| *count == most).map(|(_, source)| source);
    (most, best.take(MOST_FILES).collect())
}

fn look(pattern: &Pattern, source: &Source, best: &mut NearestMiss) -> usize {
    let bounds = Bounds::default();
    let Ok(tree) = tree(source.dialect(), source.text(), bounds) else { return 0 };
    let subject = Subject::new(source.dialect(), source.text());
    let wanted = Check::Pattern(Box::new(pattern.clone())).kinds(subject.kinds);
    let lines = Lines::new(source.text());
    let mut candidates = 0;
    let mut pending = vec![tree.root_node()];
    while let Some(node) = pending.pop() {
        let mut cursor = node.walk();
        pending.extend(node.children(&mut cursor));
        let same = subject.kinds.same(node.kind_id());
        if !node.is_named() || wanted.as_ref().is_some_and(|wanted| !wanted.contains(&same)) {
            continue;
        }
        candidates += 1;
        let mut comparison = Comparison::new(&subject, pattern, Captures::default());
        let holds = if pattern.roots.len() == 1 {
            comparison.root(node)
        } else {
            sequence(&mut comparison, node).is_some()
        };
        let Some(miss) = comparison.miss.filter(|_| !holds) else { continue };
        if miss.matched < best.matched[0] || (miss.matched == best.matched[0] && best.file.is_some()) {
            continue;
        }
        let shown = miss.found.unwrap_or(node);
        let expected = miss.expected.map(|id| written(pattern, id));
        let found = subject.text(shown);
        best.matched[0] = miss.matched;
        best.file = Some(source.path().to_owned());
        best.span = Some(span(&lines, source.text(), shown.byte_range()));
        best.found = Some(short(found));
        best.why = match (&expected, miss.found) {
            (Some(expected), Some(node)) => {
                let kinds = difference(pattern, miss.expected, node.kind());
                format!("the pattern asks for `{expected}`, the code has `{}`{kinds}", short(found))
            }
            (Some(expected), None) => format!("the pattern asks for `{expected}`, which is not there"),
            (None, _) => {
                format!(
                    "the code has `{}` more than the pattern asks for; `$$$` would allow it",
                    short(found)
                )
            }
        };
        best.expected = expected;
    }
    candidates
}

fn difference(pattern: &Pattern, id: Option<NodeId>, found: &str) -> String {
    let expected = id.map(|id| kind_name(pattern, pattern.node(id).kind)).unwrap_or_default();
    let named = |kind: &str| kind.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    match expected != found && named(expected) && named(found) && !expected.is_empty() {
        true => format!(" ({} in place of {})", found.replace('_', " "), expected.replace('_', " ")),
        false => String::new(),
    }
}

fn written(pattern: &Pattern, id: NodeId) -> String {
    short(pattern.text().get(pattern.node(id).written.clone()).unwrap_or(""))
}

fn short(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(80) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

fn kind_name(pattern: &Pattern, kind: u16) -> &'static str {
    grammar_of(pattern.dialect()).node_kind_for_id(kind).unwrap_or("")
}

fn kind_of_root(pattern: &Pattern) -> String {
    let root = pattern.roots.first().map(|id| pattern.node(*id).kind).unwrap_or_default();
    format!("a {}", kind_name(pattern, root).replace('_', " "))
}

/// How the grammar reads a pattern, as a short tree.
pub fn read_as(pattern: &Pattern) -> String {
    let parts: Vec<String> = pattern.roots.iter().map(|id| tree_text(pattern, *id)).collect();
    parts.join(" ; ")
}

fn tree_text(pattern: &Pattern, id: NodeId) -> String {
    let node = pattern.node(id);
    let variable = |sign: &str, name: &Option<Box<str>>| format!("{sign}{}", name.as_deref().unwrap_or("_"));
    match &node.shape {
        Shape::One(name) => variable("$", name),
        Shape::Many(name) => variable("$$$", name),
        Shape::Leaf(text) if Kinds::of(pattern.dialect()).is_quote(node.kind) => text.to_string(),
        Shape::Leaf(text) | Shape::Token(text) => text.to_string(),
        Shape::Inner(children) => {
            let children: Vec<String> = children.iter().map(|id| tree_text(pattern, *id)).collect();
            format!("{}({})", kind_name(pattern, node.kind), children.join(" "))
        }
    }
}
