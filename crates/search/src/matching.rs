//! Comparing a pattern with a tree.
//!
//! Every part of the pattern must be there, and nothing else may be, except comments and separators. `$$$` takes any
//! number of siblings. Parts that name themselves (keyword arguments, members of an object) match in any order.

use super::aliases::Aliases;
use super::kinds::Kinds;
use super::pattern::{NodeId, Pattern, Shape};
use formicary_syntax::Dialect;
use rustc_hash::FxHashMap;
use std::cell::{Cell, OnceCell, RefCell};
use tree_sitter::Node;

/// Steps after which one comparison gives up: `$$$` may be tried in many ways.
const MOST_STEPS: u32 = 200_000;
/// How deep a comparison goes.
const MOST_DEPTH: u32 = 200;

/// A file that is searched.
pub(crate) struct Subject<'t> {
    pub dialect: Dialect,
    pub kinds: &'static Kinds,
    pub source: &'t str,
    aliases: OnceCell<Aliases>,
    /// Every node's parent: the tree itself finds one only by going down from its root.
    parents: OnceCell<FxHashMap<usize, Node<'t>>>,
    /// What is known of conditions without metavariables, by condition and node.
    known: RefCell<FxHashMap<(usize, usize), bool>>,
    /// How many nodes conditions on other nodes were asked of.
    pub visited: Cell<usize>,
}

impl<'t> Subject<'t> {
    pub fn new(dialect: Dialect, source: &'t str) -> Self {
        Self {
            dialect,
            kinds: Kinds::of(dialect),
            source,
            aliases: OnceCell::new(),
            parents: OnceCell::new(),
            known: RefCell::default(),
            visited: Cell::new(0),
        }
    }

    /// The node around this one.
    pub fn parent(&self, node: Node<'t>) -> Option<Node<'t>> {
        let parents = self.parents.get_or_init(|| {
            let mut root = node;
            while let Some(above) = root.parent() {
                root = above;
            }
            let mut parents = FxHashMap::default();
            let mut path: Vec<Node<'t>> = Vec::new();
            let mut cursor = root.walk();
            'tree: loop {
                let at = cursor.node();
                if let Some(above) = path.last() {
                    parents.insert(at.id(), *above);
                }
                if cursor.goto_first_child() {
                    path.push(at);
                    continue;
                }
                while !cursor.goto_next_sibling() {
                    if !cursor.goto_parent() {
                        break 'tree;
                    }
                    path.pop();
                }
            }
            parents
        });
        parents.get(&node.id()).copied()
    }

    /// What is known of a condition at a node; the condition goes by its address.
    pub fn known(&self, condition: usize, node: Node<'t>) -> Option<bool> {
        self.known.borrow().get(&(condition, node.id())).copied()
    }

    /// Remembers whether a condition holds at a node.
    pub fn learn(&self, condition: usize, node: Node<'t>, holds: bool) {
        self.known.borrow_mut().insert((condition, node.id()), holds);
    }

    pub fn text(&self, node: Node<'_>) -> &'t str {
        self.source.get(node.byte_range()).unwrap_or("")
    }

    fn aliases(&self) -> &Aliases {
        self.aliases.get_or_init(|| Aliases::of(self.dialect, self.source))
    }

    /// The children that count, with their fields.
    pub fn children(&self, node: Node<'t>) -> Vec<(Node<'t>, Option<u16>)> {
        let mut cursor = node.walk();
        let mut children = Vec::with_capacity(node.child_count() as usize);
        let mut more = cursor.goto_first_child();
        while more {
            let child = cursor.node();
            let absent = child.is_missing() && child.byte_range().is_empty();
            if !absent && !self.kinds.is_skipped_in(node.kind_id(), child.kind_id()) {
                children.push((child, cursor.field_id().map(std::num::NonZeroU16::get)));
            }
            more = cursor.goto_next_sibling();
        }
        children
    }

    /// Whether two nodes say the same, whatever their spacing and comments.
    pub fn same(&self, a: Node<'t>, b: Node<'t>) -> bool {
        let nested = a.child_count() > 0 && b.child_count() > 0;
        self.text(a) == self.text(b)
            || nested && a.kind_id() == b.kind_id() && self.tokens(a) == self.tokens(b)
    }

    fn tokens(&self, node: Node<'t>) -> Vec<&'t str> {
        let mut tokens = Vec::new();
        let mut pending = vec![node];
        while let Some(node) = pending.pop() {
            if self.kinds.is_comment(node.kind_id()) {
                continue;
            }
            if node.child_count() == 0 {
                tokens.push(self.text(node));
            }
            let mut cursor = node.walk();
            let first = pending.len();
            pending.extend(node.children(&mut cursor));
            pending[first..].reverse();
        }
        tokens
    }
}

/// What a metavariable took.
#[derive(Debug, Clone)]
pub(crate) enum Capture<'t> {
    One(Node<'t>),
    Many(Vec<Node<'t>>),
}

impl Capture<'_> {
    /// The bytes from the first to the last; none where nothing was taken.
    pub fn range(&self) -> Option<std::ops::Range<usize>> {
        match self {
            Self::One(node) => Some(node.byte_range()),
            Self::Many(nodes) => {
                let (first, last) = (nodes.first()?, nodes.last()?);
                Some(first.start_byte()..last.end_byte())
            }
        }
    }
}

/// What the metavariables of a rule took so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Captures<'p, 't> {
    pub bound: Vec<(&'p str, Capture<'t>)>,
}

impl<'p, 't> Captures<'p, 't> {
    pub fn get(&self, name: &str) -> Option<&Capture<'t>> {
        self.bound.iter().find(|(bound, _)| *bound == name).map(|(_, capture)| capture)
    }
}

/// How far the best comparison came that did not hold.
#[derive(Debug, Clone)]
pub(crate) struct Miss<'t> {
    pub matched: usize,
    /// The part of the pattern that was not there.
    pub expected: Option<NodeId>,
    /// What stood in its place.
    pub found: Option<Node<'t>>,
}

/// One comparison.
pub(crate) struct Comparison<'p, 't, 's> {
    pub subject: &'s Subject<'t>,
    pub pattern: &'p Pattern,
    pub captures: Captures<'p, 't>,
    /// Which node each part of the pattern matched.
    pub pairs: Vec<(NodeId, Node<'t>)>,
    pub miss: Option<Miss<'t>>,
    steps: u32,
    depth: u32,
}

type Child<'t> = (Node<'t>, Option<u16>);

impl<'p, 't, 's> Comparison<'p, 't, 's> {
    pub fn new(subject: &'s Subject<'t>, pattern: &'p Pattern, captures: Captures<'p, 't>) -> Self {
        Self { subject, pattern, captures, pairs: Vec::new(), miss: None, steps: 0, depth: 0 }
    }

    /// Whether the pattern's only root matches this node.
    pub fn root(&mut self, node: Node<'t>) -> bool {
        match self.pattern.roots.as_slice() {
            [root] => self.node(*root, node),
            _ => false,
        }
    }

    /// Matches the pattern's several roots from one of these siblings on; gives how many it took.
    pub fn sequence(&mut self, siblings: &[Child<'t>]) -> Option<usize> {
        let roots = self.pattern.roots.as_slice();
        let open_end = matches!(roots.last().map(|id| &self.pattern.node(*id).shape), Some(Shape::Many(_)));
        if open_end {
            return self.list(roots, siblings).then_some(siblings.len());
        }
        (1..=siblings.len()).find(|count| {
            let kept = (self.captures.bound.len(), self.pairs.len());
            let holds = self.list(roots, &siblings[..*count]);
            if !holds {
                self.back_to(kept);
            }
            holds
        })
    }

    fn back_to(&mut self, kept: (usize, usize)) {
        self.captures.bound.truncate(kept.0);
        self.pairs.truncate(kept.1);
    }

    fn missed(&mut self, expected: Option<NodeId>, found: Option<Node<'t>>) {
        let matched = self.pairs.len();
        if self.miss.as_ref().is_none_or(|miss| matched > miss.matched) {
            self.miss = Some(Miss { matched, expected, found });
        }
    }

    fn node(&mut self, id: NodeId, node: Node<'t>) -> bool {
        self.steps += 1;
        if self.steps > MOST_STEPS || self.depth > MOST_DEPTH {
            return false;
        }
        let kept = (self.captures.bound.len(), self.pairs.len());
        self.pairs.push((id, node));
        self.depth += 1;
        let holds = self.shape(id, node);
        self.depth -= 1;
        if holds {
            return true;
        }
        self.back_to(kept);
        if self.is_alias(id, node) {
            self.pairs.push((id, node));
            return true;
        }
        self.missed(Some(id), Some(node));
        false
    }

    fn shape(&mut self, id: NodeId, node: Node<'t>) -> bool {
        let pattern = self.pattern;
        let expected = pattern.node(id);
        let kinds = self.subject.kinds;
        match &expected.shape {
            Shape::One(name) => node.is_named() && self.bind_one(name.as_deref(), node),
            Shape::Many(name) => self.bind_many(name.as_deref(), vec![node]),
            _ if kinds.same(node.kind_id()) != expected.kind => false,
            Shape::Token(_) => true,
            Shape::Leaf(text) if kinds.is_quote(expected.kind) => {
                let quotes: &[char] = &['"', '\''];
                self.subject.text(node).trim_end_matches(quotes) == text.trim_end_matches(quotes)
            }
            Shape::Leaf(text) => self.subject.text(node) == &**text,
            Shape::Inner(children) => {
                let found = self.subject.children(node);
                self.members(children, &found)
            }
        }
    }

    fn is_alias(&self, id: NodeId, node: Node<'t>) -> bool {
        let Some(path) = &self.pattern.node(id).path else { return false };
        let kinds = self.subject.kinds;
        let named = kinds.is_identifier(node.kind_id()) || kinds.is_chain(node.kind_id());
        named && self.subject.aliases().is(self.subject.text(node), path)
    }

    /// Parts that name themselves in any order, the others in theirs.
    fn members(&mut self, expected: &[NodeId], found: &[Child<'t>]) -> bool {
        let keyed = |id: &NodeId| {
            let node = self.pattern.node(*id);
            self.subject.kinds.is_keyed(node.kind) && matches!(node.shape, Shape::Inner(_))
        };
        if !expected.iter().any(keyed) {
            return self.list(expected, found);
        }
        let (named, ordered): (Vec<NodeId>, Vec<NodeId>) = expected.iter().partition(|id| keyed(id));
        self.keyed(&named, &ordered, found)
    }

    fn keyed(&mut self, named: &[NodeId], ordered: &[NodeId], found: &[Child<'t>]) -> bool {
        let Some((first, rest)) = named.split_first() else { return self.list(ordered, found) };
        for at in 0..found.len() {
            let kept = (self.captures.bound.len(), self.pairs.len());
            if self.node(*first, found[at].0) {
                let mut left = found.to_vec();
                left.remove(at);
                if self.keyed(rest, ordered, &left) {
                    return true;
                }
            }
            self.back_to(kept);
        }
        self.missed(Some(*first), None);
        false
    }

    fn list(&mut self, expected: &[NodeId], found: &[Child<'t>]) -> bool {
        let Some((first, rest)) = expected.split_first() else {
            if let Some((extra, _)) = found.first() {
                self.missed(None, Some(*extra));
            }
            return found.is_empty();
        };
        let pattern = self.pattern;
        let node = pattern.node(*first);
        if let Shape::Many(name) = &node.shape {
            return self.any_number(name.as_deref(), *first, rest, found);
        }
        let kept = (self.captures.bound.len(), self.pairs.len());
        match found.split_first() {
            Some(((child, field), others)) => {
                let fits = node.field.is_none() || field.is_none() || node.field == *field;
                if fits && self.node(*first, *child) && self.list(rest, others) {
                    return true;
                }
                if !fits {
                    self.missed(Some(*first), Some(*child));
                }
                self.back_to(kept);
            }
            None => self.missed(Some(*first), None),
        }
        // A list of which only `$$$` is asked may be absent as well as empty.
        self.is_optional(*first) && self.list(rest, found)
    }

    fn is_optional(&self, id: NodeId) -> bool {
        match &self.pattern.node(id).shape {
            Shape::Inner(children) => {
                let many = |id: &NodeId| matches!(self.pattern.node(*id).shape, Shape::Many(_));
                !children.is_empty() && children.iter().all(many)
            }
            _ => false,
        }
    }

    fn any_number(
        &mut self,
        name: Option<&'p str>,
        id: NodeId,
        rest: &[NodeId],
        found: &[Child<'t>],
    ) -> bool {
        let counts = if rest.is_empty() { found.len()..=found.len() } else { 0..=found.len() };
        for count in counts {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return false;
            }
            let kept = (self.captures.bound.len(), self.pairs.len());
            let taken: Vec<Node<'t>> = found[..count].iter().map(|(node, _)| *node).collect();
            self.pairs.extend(taken.first().map(|node| (id, *node)));
            if self.bind_many(name, taken) && self.list(rest, &found[count..]) {
                return true;
            }
            self.back_to(kept);
        }
        false
    }

    fn bind_one(&mut self, name: Option<&'p str>, node: Node<'t>) -> bool {
        let Some(name) = name else { return true };
        match self.captures.get(name) {
            None => {
                self.captures.bound.push((name, Capture::One(node)));
                true
            }
            Some(Capture::One(before)) => self.subject.same(*before, node),
            Some(Capture::Many(before)) => before.len() == 1 && self.subject.same(before[0], node),
        }
    }

    fn bind_many(&mut self, name: Option<&'p str>, nodes: Vec<Node<'t>>) -> bool {
        let Some(name) = name else { return true };
        let same = |before: &[Node<'t>]| {
            before.len() == nodes.len() && before.iter().zip(&nodes).all(|(a, b)| self.subject.same(*a, *b))
        };
        match self.captures.get(name) {
            None => {
                self.captures.bound.push((name, Capture::Many(nodes)));
                true
            }
            Some(Capture::One(before)) => same(std::slice::from_ref(before)),
            Some(Capture::Many(before)) => same(before),
        }
    }
}
