//! A pattern, read once by its language's grammar.

use super::contexts::{Context, contexts, names_modules_by_strings, terminator};
use super::kinds::Kinds;
use super::placeholders::Replaced;
use formicary_syntax::tree::tree;
use formicary_syntax::{Bounds, Dialect};
use std::ops::Range;
use tree_sitter::Node;

/// The largest pattern that is read.
const MOST_BYTES: usize = 64 * 1024;
/// How deeply a pattern may nest.
const MOST_DEPTH: usize = 150;

/// Why a pattern is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// Nothing is written.
    #[error("the pattern is empty")]
    Empty,
    /// Only `$$$`: it would match every list of every file.
    #[error("the pattern says nothing but `$$$`")]
    Everything,
    /// The grammar does not understand it.
    #[error("the pattern is not {language}: line {line}, column {column}, near `{near}`")]
    Unreadable {
        /// The language's name.
        language: &'static str,
        /// The line, from one.
        line: usize,
        /// The column in characters, from one.
        column: usize,
        /// What stands there.
        near: String,
    },
    /// Too long or too deep.
    #[error("the pattern is too large: at most 64 KiB, nested at most 150 deep")]
    TooLarge,
}

/// The number of a node in [`Pattern`].
pub(crate) type NodeId = u32;

/// One node of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PatternNode {
    /// The kind, as [`Kinds::same`] has it.
    pub kind: u16,
    /// The grammar's field in its parent.
    pub field: Option<u16>,
    /// What it asks for.
    pub shape: Shape,
    /// `a.b.c`, where it is a chain of plain names: imports may call it otherwise.
    pub path: Option<Box<str>>,
    /// Where it stands in the pattern as it was written.
    pub written: Range<usize>,
}

/// What a node of a pattern asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Any one node.
    One(Option<Box<str>>),
    /// Any number of nodes.
    Many(Option<Box<str>>),
    /// A name, a number, a word with this very text.
    Leaf(Box<str>),
    /// An operator or keyword; the kind says which.
    Token(Box<str>),
    /// A node with these parts.
    Inner(Vec<NodeId>),
}

/// A pattern in one language, ready to match.
#[derive(Debug, Clone)]
pub struct Pattern {
    pub(crate) dialect: Dialect,
    pub(crate) nodes: Vec<PatternNode>,
    /// One node, or several statements in a row.
    pub(crate) roots: Vec<NodeId>,
    text: String,
}

impl Pattern {
    /// Reads a pattern.
    pub fn new(dialect: Dialect, text: &str) -> Result<Self, PatternError> {
        let text = dedented(text);
        Self::in_contexts(dialect, &text, contexts(dialect, &text), None)
    }

    /// Reads a pattern that is the part of this kind of a larger text.
    pub fn within(dialect: Dialect, context: &str, selector: &str) -> Result<Self, PatternError> {
        let text = dedented(context);
        Self::in_contexts(dialect, &text, contexts(dialect, &text), Some(selector))
    }

    fn in_contexts(
        dialect: Dialect,
        text: &str,
        contexts: &[Context],
        selector: Option<&str>,
    ) -> Result<Self, PatternError> {
        if text.is_empty() {
            return Err(PatternError::Empty);
        }
        if text.len() > MOST_BYTES {
            return Err(PatternError::TooLarge);
        }
        let replaced = Replaced::new(text, terminator(dialect), names_modules_by_strings(dialect));
        let mut furthest = 0;
        // A statement with its end is no expression, even where a grammar would forgive the second end.
        let fits = |context: &&Context| !(text.ends_with(';') && context.after.starts_with(';'));
        for context in contexts.iter().filter(fits) {
            match read(dialect, &replaced, *context, selector) {
                Ok((nodes, roots)) => {
                    let only_many = |id: &NodeId| matches!(nodes[*id as usize].shape, Shape::Many(_));
                    if roots.iter().all(only_many) {
                        return Err(PatternError::Everything);
                    }
                    return Ok(Self { dialect, nodes, roots, text: text.to_owned() });
                }
                Err(Unread::TooDeep) => return Err(PatternError::TooLarge),
                Err(Unread::At(offset)) => furthest = furthest.max(offset),
            }
        }
        let offset = replaced.written_offset(furthest).min(text.len());
        Err(unreadable(dialect, text, offset))
    }

    /// The language's grammar.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The pattern as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The metavariables that a match remembers, in the order of the pattern, each once.
    pub fn variables(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for node in &self.nodes {
            if let Shape::One(Some(name)) | Shape::Many(Some(name)) = &node.shape
                && !names.contains(&&**name)
            {
                names.push(name);
            }
        }
        names
    }

    pub(crate) fn node(&self, id: NodeId) -> &PatternNode {
        &self.nodes[id as usize]
    }

    /// The word with which every match must begin, where there is one that no import can change.
    pub(crate) fn head(&self) -> Option<&str> {
        let mut node = self.node(*self.roots.first()?);
        loop {
            match &node.shape {
                Shape::Leaf(text) if Kinds::of(self.dialect).is_identifier(node.kind) => return Some(text),
                Shape::Inner(children) if node.path.is_none() => {
                    let first = self.node(*children.first()?);
                    if first.written.start != node.written.start {
                        return None;
                    }
                    node = first;
                }
                _ => return None,
            }
        }
    }

    /// Words that every match must contain.
    pub(crate) fn words(&self) -> Vec<&str> {
        let kinds = Kinds::of(self.dialect);
        let is_word =
            |text: &str| text.len() > 1 && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        let mut words = Vec::new();
        for node in self.nodes.iter().filter(|node| !kinds.is_quote(node.kind)) {
            if let Shape::Leaf(text) | Shape::Token(text) = &node.shape
                && is_word(text)
            {
                words.push(&**text);
            }
        }
        words.sort_unstable();
        words.dedup();
        words
    }

    /// Marks that every match writes right behind the bracket that ends an index: the `=` of `$A[$B] = $C`.
    pub(crate) fn after_an_index(&self) -> Vec<&str> {
        let grammar = formicary_syntax::tree::grammar_of(self.dialect);
        let is_index = |node: &PatternNode| {
            let kind = grammar.node_kind_for_id(node.kind).unwrap_or("");
            matches!(node.shape, Shape::Inner(_)) && ALWAYS_BRACKETED.contains(&kind)
        };
        let mut marks = Vec::new();
        for node in &self.nodes {
            let Shape::Inner(children) = &node.shape else { continue };
            for two in children.windows(2) {
                if let Shape::Token(mark) = &self.node(two[1]).shape
                    && is_index(self.node(two[0]))
                {
                    marks.push(&**mark);
                }
            }
        }
        marks.sort_unstable();
        marks.dedup();
        marks
    }
}

/// Kinds whose nodes end with `]` in every language that has them.
const ALWAYS_BRACKETED: [&str; 4] = ["array_access", "index_expression", "subscript", "subscript_expression"];

fn unreadable(dialect: Dialect, text: &str, offset: usize) -> PatternError {
    let mut offset = offset;
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &text[..offset];
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    let near: String = text[offset..].chars().take_while(|c| *c != '\n').take(24).collect();
    let near = if near.trim().is_empty() { "the end".to_owned() } else { near };
    PatternError::Unreadable { language: dialect.language().name(), line, column, near }
}

/// The text without the indentation that all its lines share.
fn dedented(text: &str) -> String {
    let text = text.trim_end();
    let text = text.trim_start_matches(['\n', '\r']);
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let indent = lines().map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    let cut = |line: &str| line.get(indent..).unwrap_or("").trim_end_matches('\r').to_owned();
    text.lines().map(cut).collect::<Vec<_>>().join("\n")
}

enum Unread {
    At(usize),
    TooDeep,
}

type Read = (Vec<PatternNode>, Vec<NodeId>);

fn read(
    dialect: Dialect,
    replaced: &Replaced,
    context: Context,
    selector: Option<&str>,
) -> Result<Read, Unread> {
    let source = format!("{}{}{}", context.before, replaced.text, context.after);
    let region = context.before.len()..context.before.len() + replaced.text.len();
    let bounds = Bounds { line_length: usize::MAX, ..Bounds::default() };
    let tree = tree(dialect, &source, bounds).map_err(|_| Unread::TooDeep)?;
    let mut reader =
        Reader { kinds: Kinds::of(dialect), replaced, source: &source, region, nodes: Vec::new() };
    if let Some(at) = reader.first_error(tree.root_node()) {
        let inside = at.saturating_sub(context.before.len()).min(replaced.text.len());
        return Err(Unread::At(inside));
    }
    let chosen = match selector {
        Some(kind) => vec![reader.of_kind(tree.root_node(), kind).ok_or(Unread::At(0))?],
        None => reader.roots(tree.root_node()).ok_or(Unread::At(0))?,
    };
    let roots = chosen.into_iter().map(|node| reader.build(node, None, 0)).collect::<Result<Vec<_>, _>>()?;
    Ok((reader.nodes, roots))
}

struct Reader<'r> {
    kinds: &'static Kinds,
    replaced: &'r Replaced,
    source: &'r str,
    region: Range<usize>,
    nodes: Vec<PatternNode>,
}

impl<'r> Reader<'r> {
    fn text(&self, node: Node<'_>) -> &'r str {
        self.source.get(node.byte_range()).unwrap_or("")
    }

    fn variable(&self, node: Node<'_>) -> Option<Shape> {
        let text = self.text(node).trim_end_matches([';', ',', ' ', '\n']);
        let variable = self.replaced.variable(text)?;
        let name = variable.name.clone().map(String::into_boxed_str);
        Some(if variable.many { Shape::Many(name) } else { Shape::One(name) })
    }

    /// Where the text is not understood; a metavariable in an odd place is.
    fn first_error(&self, root: Node<'_>) -> Option<usize> {
        if !root.has_error() {
            return None;
        }
        let mut pending = vec![root];
        while let Some(node) = pending.pop() {
            let at_end = node.start_byte() >= self.region.end;
            let forgiven = node.is_missing() && node.kind() == ";" && at_end
                || node.is_error() && self.variable(node).is_some() && self.is_in_list(node);
            if forgiven {
                continue;
            }
            if node.is_error() || node.is_missing() {
                return Some(node.start_byte());
            }
            let mut cursor = node.walk();
            let mut children: Vec<Node<'_>> = node.children(&mut cursor).filter(Node::has_error).collect();
            children.reverse();
            pending.extend(children);
        }
        None
    }

    fn is_in_list(&self, node: Node<'_>) -> bool {
        node.parent().is_some_and(|parent| self.kinds.is_container(parent.kind_id()))
    }

    /// The nodes that are the fragment: one, or several beside each other.
    fn roots<'t>(&self, root: Node<'t>) -> Option<Vec<Node<'t>>> {
        let node = root.named_descendant_for_byte_range(self.region.start, self.region.end)?;
        // A statement whose end the fragment left out is that statement.
        let beyond = self.source.get(self.region.end..node.end_byte()).unwrap_or("");
        let exact = node.start_byte() == self.region.start
            && node.end_byte() >= self.region.end
            && beyond.trim_matches([';', ' ', '\n']).is_empty();
        if exact && (!self.kinds.is_container(node.kind_id()) || self.text(node).starts_with(['{', '('])) {
            return Some(vec![node]);
        }
        let mut cursor = node.walk();
        let within = |child: &Node<'_>| {
            child.start_byte() >= self.region.start
                && child.end_byte() <= self.region.end
                && child.end_byte() > child.start_byte()
                && !self.kinds.is_skipped(child.kind_id())
        };
        let children: Vec<Node<'t>> = node.children(&mut cursor).filter(within).collect();
        let (first, last) = (children.first()?, children.last()?);
        let rest = self.source.get(last.end_byte()..self.region.end)?;
        let whole =
            first.start_byte() == self.region.start && rest.trim_matches([';', ' ', '\n', ',']).is_empty();
        let named = children.iter().all(Node::is_named);
        (whole && named).then(|| match children.as_slice() {
            [only] if rest.is_empty() => vec![innermost(*only)],
            _ => children,
        })
    }

    fn of_kind<'t>(&self, root: Node<'t>, kind: &str) -> Option<Node<'t>> {
        let mut pending = std::collections::VecDeque::from([root]);
        while let Some(node) = pending.pop_front() {
            if node.kind() == kind && node.start_byte() >= self.region.start {
                return Some(node);
            }
            let mut cursor = node.walk();
            pending.extend(node.children(&mut cursor));
        }
        None
    }

    fn build(&mut self, node: Node<'_>, field: Option<u16>, depth: usize) -> Result<NodeId, Unread> {
        if depth > MOST_DEPTH {
            return Err(Unread::TooDeep);
        }
        let kind = self.kinds.same(node.kind_id());
        let offset = |byte: usize| self.replaced.written_offset(byte.saturating_sub(self.region.start));
        let written = offset(node.start_byte())..offset(node.end_byte());
        let id = NodeId::try_from(self.nodes.len()).map_err(|_| Unread::TooDeep)?;
        let shape = Shape::Inner(Vec::new());
        self.nodes.push(PatternNode { kind, field, shape, path: None, written });
        let shape = match self.variable(node) {
            Some(variable) if !self.kinds.is_container(node.kind_id()) => variable,
            _ if node.child_count() == 0 && node.is_named() => {
                Shape::Leaf(self.replaced.restored(self.text(node)).into())
            }
            _ if node.child_count() == 0 => Shape::Token(self.text(node).into()),
            _ => Shape::Inner(self.build_children(node, depth)?),
        };
        let at = id as usize;
        self.nodes[at].shape = shape;
        self.nodes[at].path = self.path(node, id);
        Ok(id)
    }

    fn build_children(&mut self, node: Node<'_>, depth: usize) -> Result<Vec<NodeId>, Unread> {
        let mut cursor = node.walk();
        let mut children = Vec::new();
        let mut more = cursor.goto_first_child();
        while more {
            let child = cursor.node();
            let empty = child.is_missing() || child.byte_range().is_empty() && child.child_count() == 0;
            // The end that was added to `$$$` is none of what was written.
            let added = child.kind() == "empty_statement"
                && child.prev_sibling().is_some_and(|before| self.variable(before).is_some());
            if !self.kinds.is_skipped_in(node.kind_id(), child.kind_id()) && !empty && !added {
                let field = cursor.field_id().map(std::num::NonZeroU16::get);
                children.push(self.build(child, field, depth + 1)?);
            }
            more = cursor.goto_next_sibling();
        }
        Ok(children)
    }

    fn path(&self, node: Node<'_>, id: NodeId) -> Option<Box<str>> {
        if !self.kinds.is_chain(node.kind_id()) {
            return None;
        }
        let built = &self.nodes[id as usize..];
        let plain = built.iter().all(|part| match &part.shape {
            Shape::Leaf(_) => self.kinds.is_identifier(part.kind) || self.kinds.is_chain(part.kind),
            Shape::Token(_) => true,
            Shape::Inner(_) => self.kinds.is_chain(part.kind),
            Shape::One(_) | Shape::Many(_) => false,
        });
        plain.then(|| dotted(self.text(node)).into())
    }
}

/// `a.b` for `a . b` and `a::b`.
pub(crate) fn dotted(text: &str) -> String {
    text.split_whitespace().collect::<String>().replace("::", ".").replace("?.", ".")
}

/// The node inside of wrappers that cover the same text.
fn innermost(node: Node<'_>) -> Node<'_> {
    let mut node = node;
    while let Some(child) = node.named_child(0)
        && node.child_count() == 1
        && child.byte_range() == node.byte_range()
    {
        node = child;
    }
    node
}
