//! From a grammar's tree to the language-neutral form, in one walk.
//!
//! Every part gets a number in a flat list. The walk recurses only as deep as [`Bounds::depth`] allows; what lies below
//! is left out with a note, so no input can exhaust the stack.

mod choices;
mod classes;
mod collections;
mod declarations;
mod expressions;
mod functions;
mod imports;
mod literals;
mod loops;
mod macros;
#[cfg(feature = "parsers")]
mod oxc;
mod parameters;
#[cfg(feature = "parsers")]
mod parsers;
#[cfg(not(feature = "parsers"))]
#[path = "without_parsers.rs"]
mod parsers;
#[cfg(feature = "parsers")]
mod ruff;
mod shell;
mod statements;
mod surface;
#[cfg(test)]
mod tests;

use crate::dialect::Dialect;
use crate::expression::{Expr, ExprId, ExprKind};
use crate::lang::{Grammar, Role, grammar};
use crate::lines::{Lines, Span};
use crate::statement::{Block, Stmt, StmtId, StmtKind};
use crate::unit::{FunctionId, Note, NoteKind, Owner, Unit};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use tree_sitter::{Node, ParseOptions, Parser};

/// How much of a file is read.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Larger files are not read.
    pub bytes: usize,
    /// How deeply statements and expressions may nest.
    pub depth: u32,
    /// How long the grammar may take.
    pub time: Duration,
    /// A file above 20 kB whose lines are longer than this on average is taken for machine-made.
    pub line_length: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { bytes: 4 << 20, depth: 200, time: Duration::from_secs(5), line_length: 400 }
    }
}

/// Reads a file with the usual bounds. Never fails: see [`Unit::notes`].
pub fn parse(dialect: Dialect, source: &str) -> Unit<'_> {
    parse_bounded(dialect, source, Bounds::default())
}

/// Reads a file with bounds of one's own.
pub fn parse_bounded(dialect: Dialect, source: &str, bounds: Bounds) -> Unit<'_> {
    if let Some(kind) = refused(source, bounds) {
        let mut unit = empty(dialect, source);
        unit.notes.push(Note { kind, span: Span { start: 0, end: offset(source.len()) } });
        return unit;
    }
    parsers::read(dialect, source, bounds).unwrap_or_else(|| by_grammar(empty(dialect, source), bounds))
}

/// Whether a recursive parser of JavaScript or TypeScript may read a text: it nests no deeper than its stack allows.
#[cfg(feature = "parsers")]
pub fn is_shallow(dialect: Dialect, source: &str) -> bool {
    oxc::is_shallow(dialect, source)
}

/// Reads a file by its grammar, which finds the sound parts of broken code.
fn by_grammar(mut unit: Unit<'_>, bounds: Bounds) -> Unit<'_> {
    let (dialect, source) = (unit.dialect, unit.source);
    let whole = Span { start: 0, end: offset(source.len()) };
    let grammar = grammar(dialect);
    let Some(tree) = grow(grammar, source, bounds) else {
        unit.notes.push(Note { kind: NoteKind::TooSlow, span: whole });
        return unit;
    };
    surface::read(grammar, tree.root_node(), &mut unit);
    let mut lowering = Lowering::new(unit, bounds);
    lowering.unit.body = lowering.block(tree.root_node());
    let mut unit = lowering.unit;
    functions::find_documentation(&mut unit);
    unit
}

/// Why a text is not read at all.
pub(crate) fn refused(source: &str, bounds: Bounds) -> Option<NoteKind> {
    if source.len() > bounds.bytes {
        return Some(NoteKind::TooLarge);
    }
    let lines = || source.bytes().filter(|byte| *byte == b'\n').count().max(1);
    (source.len() > 20_000 && source.len() / lines() > bounds.line_length).then_some(NoteKind::Minified)
}

pub(crate) fn grow(grammar: &Grammar, source: &str, bounds: Bounds) -> Option<tree_sitter::Tree> {
    let mut parser = Parser::new();
    parser.set_language(&grammar.language).ok()?;
    let started = Instant::now();
    let mut late = |_: &tree_sitter::ParseState| {
        if started.elapsed() > bounds.time { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let bytes = source.as_bytes();
    parser.parse_with_options(
        &mut |at, _| bytes.get(at..).unwrap_or(&[]),
        None,
        Some(ParseOptions::new().progress_callback(&mut late)),
    )
}

fn empty(dialect: Dialect, source: &str) -> Unit<'_> {
    Unit {
        dialect,
        source,
        lines: Lines::new(source),
        body: Vec::new(),
        statements: Vec::new(),
        expressions: Vec::new(),
        functions: Vec::new(),
        classes: Vec::new(),
        imports: Vec::new(),
        comments: Vec::new(),
        code_lines: Vec::new(),
        package: None,
        macros: Vec::new(),
        notes: Vec::new(),
    }
}

fn offset(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

fn span_of(node: Node<'_>) -> Span {
    Span { start: offset(node.start_byte()), end: offset(node.end_byte()) }
}

/// The walk with what it knows on the way.
struct Lowering<'a> {
    grammar: &'static Grammar,
    unit: Unit<'a>,
    bounds: Bounds,
    depth: u32,
    owner: Owner,
    function: Option<FunctionId>,
    /// How many `if`s and `try`s are around.
    conditional: u32,
    /// Decorators that wait for what they decorate.
    decorators: Vec<ExprId>,
    /// Where the wrapper (export, template, decorators) of the next declaration begins.
    outer_start: Option<u32>,
    /// Whether the next `if` continues another.
    elif: bool,
    /// Whether the next statement stands under Rust's `#[cfg]`.
    cfg: bool,
}

impl<'a> Lowering<'a> {
    /// At the beginning of a file.
    fn new(unit: Unit<'a>, bounds: Bounds) -> Self {
        Self {
            grammar: grammar(unit.dialect),
            unit,
            bounds,
            depth: 0,
            owner: Owner::File,
            function: None,
            conditional: 0,
            decorators: Vec::new(),
            outer_start: None,
            elif: false,
            cfg: false,
        }
    }

    fn dialect(&self) -> Dialect {
        self.unit.dialect
    }

    fn text(&self, node: Node<'_>) -> &'a str {
        span_of(node).text(self.unit.source)
    }

    fn role(&self, node: Node<'_>) -> Role {
        self.grammar.role(node)
    }

    fn field<'t>(&self, node: Node<'t>, name: &str) -> Option<Node<'t>> {
        node.child_by_field_id(self.grammar.field(name)?.get())
    }

    /// The first of these fields that is there.
    fn any_field<'t>(&self, node: Node<'t>, names: &[&str]) -> Option<Node<'t>> {
        names.iter().find_map(|name| self.field(node, name))
    }

    fn fields<'t>(&self, node: Node<'t>, name: &str) -> Vec<Node<'t>> {
        let Some(id) = self.grammar.field(name) else { return Vec::new() };
        node.children_by_field_id(id, &mut node.walk()).filter(Node::is_named).collect()
    }

    /// The named children that are not comments.
    fn children<'t>(&self, node: Node<'t>) -> Vec<Node<'t>> {
        let mut cursor = node.walk();
        let says = |child: &Node<'t>| !matches!(self.role(*child), Role::Comment | Role::Continuation);
        node.named_children(&mut cursor).filter(says).collect()
    }

    fn child_of_kind<'t>(&self, node: Node<'t>, kind: &str) -> Option<Node<'t>> {
        let mut cursor = node.walk();
        node.named_children(&mut cursor).find(|child| child.kind() == kind)
    }

    fn has_word(&self, node: Node<'_>, word: &str) -> bool {
        let mut cursor = node.walk();
        node.children(&mut cursor).any(|child| !child.is_named() && child.kind() == word)
    }

    fn add(&mut self, kind: ExprKind<'a>, span: Span) -> ExprId {
        let id = ExprId(offset(self.unit.expressions.len()));
        self.unit.expressions.push(Expr { kind, span, function: self.function });
        id
    }

    fn push(&mut self, kind: StmtKind<'a>, span: Span, out: &mut Block) -> StmtId {
        let id = StmtId(offset(self.unit.statements.len()));
        self.unit.statements.push(Stmt { kind, span, function: self.function });
        out.push(id);
        id
    }

    /// Goes one level down unless that is too deep.
    fn deeper<T>(&mut self, node: Node<'_>, inside: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= self.bounds.depth {
            if !self.unit.notes.iter().any(|note| note.kind == NoteKind::TooDeep) {
                self.unit.notes.push(Note { kind: NoteKind::TooDeep, span: span_of(node) });
            }
            return None;
        }
        self.depth += 1;
        let value = inside(self);
        self.depth -= 1;
        Some(value)
    }

    /// The statements of a block, or of the one statement that stands for it.
    fn block(&mut self, node: Node<'_>) -> Block {
        let mut out = Vec::new();
        if matches!(self.role(node), Role::Block | Role::Wrapper) {
            for child in self.children(node) {
                self.statement(child, &mut out);
            }
        } else {
            self.statement(node, &mut out);
        }
        out
    }

    fn optional_block(&mut self, node: Option<Node<'_>>) -> Block {
        node.map(|node| self.block(node)).unwrap_or_default()
    }

    fn optional_expr(&mut self, node: Option<Node<'_>>) -> Option<ExprId> {
        node.map(|node| self.expr(node))
    }

    fn exprs(&mut self, nodes: Vec<Node<'_>>) -> Vec<ExprId> {
        nodes.into_iter().map(|node| self.expr(node)).collect()
    }

    /// What stands between the marks of a type annotation.
    fn type_text(&self, node: Option<Node<'_>>) -> Option<&'a str> {
        node.map(|node| self.text(node).trim_start_matches([':', ' ']).trim_start_matches("->").trim())
    }
}
