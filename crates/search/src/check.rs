//! Conditions on a node, and whether they hold.

use super::kinds::Kinds;
use super::matching::{Capture, Captures, Comparison, Subject};
use super::pattern::{Pattern, Shape};
use formicary_syntax::Dialect;
use regex::Regex;
use std::collections::BTreeSet;
use tree_sitter::Node;

/// One condition.
#[derive(Debug, Clone)]
pub(crate) enum Check {
    Pattern(Box<Pattern>),
    /// Exactly one of these kinds of the grammar.
    Kind(Vec<u16>),
    Regex(Regex),
    All(Vec<Self>),
    Any(Vec<Self>),
    Not(Box<Self>),
    Related(Box<Related>),
    /// The place among the siblings that count, from one.
    Nth(usize),
}

/// A condition on a node elsewhere.
#[derive(Debug, Clone)]
pub(crate) struct Related {
    pub how: How,
    pub check: Check,
    pub until: Until,
    /// The grammar's field that leads there.
    pub field: Option<u16>,
    /// The kinds that the other node may have, as [`Kinds::same`] has them.
    kinds: Option<BTreeSet<u16>>,
    /// Without metavariables the answer depends on the node alone, and is looked for once.
    closed: bool,
}

impl Related {
    pub fn new(how: How, check: Check, until: Until, field: Option<u16>, dialect: Dialect) -> Self {
        let kinds = check.kinds(Kinds::of(dialect));
        let closed = check.is_closed() && field.is_none() && matches!(until, Until::End);
        Self { how, check, until, field, kinds, closed }
    }
}

/// Where the other node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    Inside,
    Has,
    Follows,
    Precedes,
}

/// How far it is looked for.
#[derive(Debug, Clone)]
pub(crate) enum Until {
    Neighbour,
    End,
    /// Up to a node, that one included.
    Check(Check),
}

impl Check {
    /// The kinds that a node must have for this to hold; none where any may.
    pub fn kinds(&self, kinds: &Kinds) -> Option<BTreeSet<u16>> {
        match self {
            Self::Pattern(pattern) => {
                let root = pattern.node(*pattern.roots.first()?);
                if root.path.is_some() {
                    let named = |kind: &u16| kinds.is_chain(*kind) || kinds.is_identifier(*kind);
                    let all = 0..u16::try_from(kinds.count()).unwrap_or(u16::MAX);
                    return Some(all.filter(named).map(|kind| kinds.same(kind)).collect());
                }
                match root.shape {
                    Shape::One(_) | Shape::Many(_) => None,
                    _ => Some(BTreeSet::from([root.kind])),
                }
            }
            Self::Kind(wanted) => Some(wanted.iter().map(|kind| kinds.same(*kind)).collect()),
            Self::All(checks) => checks
                .iter()
                .filter_map(|check| check.kinds(kinds))
                .reduce(|a, b| a.intersection(&b).copied().collect()),
            Self::Any(checks) => {
                let each: Option<Vec<_>> = checks.iter().map(|check| check.kinds(kinds)).collect();
                Some(each?.into_iter().flatten().collect())
            }
            Self::Regex(_) | Self::Not(_) | Self::Related(_) | Self::Nth(_) => None,
        }
    }

    /// The word with which every match must begin.
    pub fn head(&self) -> Option<&str> {
        match self {
            Self::Pattern(pattern) => pattern.head(),
            Self::All(checks) => checks.iter().find_map(Self::head),
            _ => None,
        }
    }

    /// Whether no metavariable is in it, not even under `not`.
    fn is_closed(&self) -> bool {
        match self {
            Self::Pattern(pattern) => pattern.variables().is_empty(),
            Self::All(checks) | Self::Any(checks) => checks.iter().all(Self::is_closed),
            Self::Not(check) => check.is_closed(),
            Self::Related(related) => {
                let until = match &related.until {
                    Until::Check(check) => check.is_closed(),
                    Until::Neighbour | Until::End => true,
                };
                until && related.check.is_closed()
            }
            Self::Kind(_) | Self::Regex(_) | Self::Nth(_) => true,
        }
    }

    /// The metavariables that a match may remember.
    pub fn variables(&self, out: &mut BTreeSet<String>) {
        match self {
            Self::Pattern(pattern) => out.extend(pattern.variables().into_iter().map(str::to_owned)),
            Self::All(checks) | Self::Any(checks) => checks.iter().for_each(|check| check.variables(out)),
            Self::Related(related) => related.check.variables(out),
            Self::Kind(_) | Self::Regex(_) | Self::Not(_) | Self::Nth(_) => {}
        }
    }
}

/// One rule on one file.
pub(crate) struct Evaluation<'p, 't, 's> {
    pub subject: &'s Subject<'t>,
    pub captures: Captures<'p, 't>,
    /// Where the last statement of a fragment ends.
    pub end: usize,
}

impl<'p, 't, 's> Evaluation<'p, 't, 's> {
    pub fn new(subject: &'s Subject<'t>) -> Self {
        Self { subject, captures: Captures::default(), end: 0 }
    }

    /// Whether a condition holds; what its metavariables took is kept only if it does.
    pub fn holds(&mut self, check: &'p Check, node: Node<'t>) -> bool {
        let kept = self.captures.bound.len();
        let holds = self.check(check, node);
        if !holds {
            self.captures.bound.truncate(kept);
        }
        holds
    }

    fn check(&mut self, check: &'p Check, node: Node<'t>) -> bool {
        let subject = self.subject;
        match check {
            Check::Pattern(pattern) => self.pattern(pattern, node),
            Check::Kind(kinds) => kinds.contains(&node.kind_id()),
            Check::Regex(regex) => regex.is_match(subject.text(node)),
            Check::All(checks) => checks.iter().all(|check| self.holds(check, node)),
            Check::Any(checks) => checks.iter().any(|check| self.holds(check, node)),
            Check::Not(check) => {
                let kept = self.captures.bound.len();
                let holds = self.check(check, node);
                self.captures.bound.truncate(kept);
                !holds
            }
            Check::Related(related) => self.related(related, node),
            Check::Nth(place) => subject.parent(node).is_some_and(|parent| {
                let named = subject.children(parent).into_iter().filter(|(child, _)| child.is_named());
                named.enumerate().any(|(at, (child, _))| at + 1 == *place && child == node)
            }),
        }
    }

    fn pattern(&mut self, pattern: &'p Pattern, node: Node<'t>) -> bool {
        let captures = std::mem::take(&mut self.captures);
        let kept = captures.bound.len();
        let mut comparison = Comparison::new(self.subject, pattern, captures);
        let holds = if pattern.roots.len() == 1 {
            comparison.root(node)
        } else {
            sequence(&mut comparison, node).inspect(|end| self.end = *end).is_some()
        };
        self.captures = comparison.captures;
        if !holds {
            self.captures.bound.truncate(kept);
        }
        holds
    }

    fn related(&mut self, related: &'p Related, node: Node<'t>) -> bool {
        let subject = self.subject;
        match related.how {
            How::Inside if related.closed => self.is_inside(related, node),
            How::Has if related.closed => self.holds_within(related, node),
            How::Inside => {
                let mut below = node;
                while let Some(above) = subject.parent(below) {
                    let led = related.field.is_none_or(|field| {
                        above.child_by_field_id(field).is_some_and(|child| child == below)
                    });
                    if led && self.is_other(related, above) {
                        return true;
                    }
                    if self.stops(&related.until, above) {
                        return false;
                    }
                    below = above;
                }
                false
            }
            How::Has => self.has(related, node),
            How::Follows | How::Precedes => {
                let Some(parent) = subject.parent(node) else { return false };
                let siblings = subject.children(parent);
                let Some(at) = siblings.iter().position(|(child, _)| *child == node) else { return false };
                let others: Vec<Node<'t>> = if related.how == How::Follows {
                    siblings[..at].iter().rev().map(|(child, _)| *child).collect()
                } else {
                    siblings[at + 1..].iter().map(|(child, _)| *child).collect()
                };
                for other in others {
                    if self.is_other(related, other) {
                        return true;
                    }
                    if self.stops(&related.until, other) {
                        return false;
                    }
                }
                false
            }
        }
    }

    /// Whether a node is the one that is looked for.
    fn is_other(&mut self, related: &'p Related, node: Node<'t>) -> bool {
        self.subject.visited.set(self.subject.visited.get() + 1);
        let kind = self.subject.kinds.same(node.kind_id());
        related.kinds.as_ref().is_none_or(|kinds| kinds.contains(&kind)) && self.holds(&related.check, node)
    }

    /// `inside` for a condition without metavariables: every node on the way up learns the answer.
    fn is_inside(&mut self, related: &'p Related, node: Node<'t>) -> bool {
        let condition = std::ptr::from_ref(related) as usize;
        let mut path = Vec::new();
        let mut below = node;
        let answer = loop {
            if let Some(known) = self.subject.known(condition, below) {
                break known;
            }
            path.push(below);
            let Some(above) = self.subject.parent(below) else { break false };
            if self.is_other(related, above) {
                break true;
            }
            below = above;
        };
        path.into_iter().for_each(|node| self.subject.learn(condition, node, answer));
        answer
    }

    /// `has` for a condition without metavariables: no part of the tree is gone through twice.
    fn holds_within(&mut self, related: &'p Related, node: Node<'t>) -> bool {
        let subject = self.subject;
        let condition = std::ptr::from_ref(related) as usize;
        if let Some(known) = subject.known(condition, node) {
            return known;
        }
        let mut cursor = node.walk();
        if !cursor.goto_first_child() {
            return false;
        }
        let mut path = vec![node];
        loop {
            let below = cursor.node();
            let around = path.last().map_or(node.kind_id(), Node::kind_id);
            if !subject.kinds.is_skipped_in(around, below.kind_id()) {
                let known =
                    if below.child_count() > 0 { subject.known(condition, below) } else { Some(false) };
                if known == Some(true) || self.is_other(related, below) {
                    path.into_iter().for_each(|node| subject.learn(condition, node, true));
                    return true;
                }
                if known.is_none() && cursor.goto_first_child() {
                    path.push(below);
                    continue;
                }
            }
            while !cursor.goto_next_sibling() {
                cursor.goto_parent();
                if let Some(done) = path.pop() {
                    subject.learn(condition, done, false);
                }
                if path.is_empty() {
                    return false;
                }
            }
        }
    }

    fn has(&mut self, related: &'p Related, node: Node<'t>) -> bool {
        let subject = self.subject;
        let mut pending: Vec<Node<'t>> = match related.field {
            Some(field) => {
                let mut cursor = node.walk();
                node.children_by_field_id(
                    std::num::NonZeroU16::new(field).unwrap_or(std::num::NonZeroU16::MIN),
                    &mut cursor,
                )
                .collect()
            }
            None => subject.children(node).into_iter().map(|(child, _)| child).collect(),
        };
        pending.reverse();
        while let Some(below) = pending.pop() {
            if self.is_other(related, below) {
                return true;
            }
            if !self.stops(&related.until, below) {
                let first = pending.len();
                pending.extend(subject.children(below).into_iter().map(|(child, _)| child));
                pending[first..].reverse();
            }
        }
        false
    }

    fn stops(&mut self, until: &'p Until, node: Node<'t>) -> bool {
        match until {
            Until::Neighbour => true,
            Until::End => false,
            Until::Check(check) => {
                let kept = self.captures.bound.len();
                let holds = self.check(check, node);
                self.captures.bound.truncate(kept);
                holds
            }
        }
    }
}

/// Several statements, the first of which is this node; gives where the last one ends.
pub(crate) fn sequence<'t>(comparison: &mut Comparison<'_, 't, '_>, node: Node<'t>) -> Option<usize> {
    let siblings = comparison.subject.children(comparison.subject.parent(node)?);
    let at = siblings.iter().position(|(child, _)| *child == node)?;
    let first = comparison.pattern.node(*comparison.pattern.roots.first()?);
    if at > 0 && matches!(first.shape, Shape::Many(_)) {
        return None;
    }
    let count = comparison.sequence(&siblings[at..])?;
    siblings.get(at + count - 1).map(|(last, _)| last.end_byte())
}

/// A condition on what a metavariable took.
pub(crate) fn constrained<'p, 't>(
    evaluation: &mut Evaluation<'p, 't, '_>,
    constraints: &'p [(String, Check)],
) -> bool {
    constraints.iter().all(|(name, check)| match evaluation.captures.get(name).cloned() {
        Some(Capture::One(node)) => evaluation.holds(check, node),
        Some(Capture::Many(nodes)) => nodes.iter().all(|node| evaluation.holds(check, *node)),
        None => false,
    })
}
