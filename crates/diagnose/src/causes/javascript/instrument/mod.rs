//! Rewrites the program's own files so that their expressions report their values, and describes what was rewritten.
//!
//! Text is only inserted, and never a line break: lines stay, and a column is found again by the list of insertions. What
//! is not known here is left as it is; a file that uses `with`, that cannot be parsed or is nested deeply, as a whole.
//!
//! | module | what it holds |
//! |---|---|
//! | [`table`] | the description that the runtime reads: nodes, functions, symbols, files |
//! | [`statements`], [`functions`], [`classes`], [`modules`] | what holds expressions |
//! | [`expressions`], [`literals`], [`calls`] | expressions: which are recorded, and of what parts |
//! | [`chains`], [`targets`] | optional chains; what is written to |
//! | [`patterns`] | names that are bound |

mod calls;
mod chains;
mod classes;
mod expressions;
mod functions;
mod literals;
mod modules;
mod patterns;
mod statements;
pub(super) mod table;
mod targets;

use formicary_syntax::Dialect;
use oxc_allocator::Allocator;
use oxc_ast::ast::{IdentifierReference, Program};
use oxc_parser::{ParseOptions, Parser};
use oxc_semantic::{Scoping, SemanticBuilder};
use oxc_span::{SourceType, Span};
use serde_json::{Value, json};
use std::collections::HashMap;
use table::{FileEntry, FunctionEntry, Node, NodeId, Table};

/// The object whose functions record, and the frame of the function around.
pub(super) const RECORDER: &str = "__f$";
const FRAME: &str = "__c$";

/// The file as it is to be run; none if it stays as it is.
pub(super) fn file(table: &mut Table, path: &str, source: &str) -> Option<String> {
    let kind = kind_of(path)?;
    let dialect = match kind {
        _ if kind.is_jsx() && kind.is_typescript() => Dialect::Tsx,
        _ if kind.is_typescript() => Dialect::TypeScript,
        _ => Dialect::JavaScript,
    };
    if !formicary_syntax::is_shallow(dialect, source) {
        return None;
    }
    let allocator = Allocator::default();
    let options = ParseOptions {
        allow_return_outside_function: true,
        enable_ident_hashes: false,
        ..ParseOptions::default()
    };
    let parsed = Parser::new(&allocator, source, kind).with_options(options).parse();
    if parsed.panicked || !parsed.diagnostics.is_empty() {
        return None;
    }
    let scoping = SemanticBuilder::new().build(&parsed.program).semantic.into_scoping();
    let mark = table.mark();
    let file = table.files.len();
    let mut entry = FileEntry::new(path, source);
    entry.is_module = parsed.program.source_type.is_module();
    table.files.push(entry);
    let mut walk = Walk {
        source,
        scoping: &scoping,
        file,
        function: 0,
        parent: None,
        quiet: 0,
        refused: false,
        symbols: HashMap::new(),
        insertions: Vec::new(),
        table,
    };
    walk.program(&parsed.program);
    let (refused, insertions) = (walk.refused, std::mem::take(&mut walk.insertions));
    if refused || table.is_full() {
        table.reset(&mark);
        return None;
    }
    Some(table.files[file].insert(source, insertions))
}

fn kind_of(path: &str) -> Option<SourceType> {
    let ending = path.rsplit_once('.')?.1;
    Some(match ending {
        "js" => SourceType::unambiguous(),
        "cjs" => SourceType::cjs(),
        "mjs" => SourceType::mjs(),
        "jsx" => SourceType::unambiguous().with_jsx(true),
        "ts" | "mts" | "cts" if !path.ends_with(".d.ts") => SourceType::ts(),
        "tsx" => SourceType::tsx(),
        _ => return None,
    })
}

/// The walk over one file.
struct Walk<'w> {
    source: &'w str,
    scoping: &'w Scoping,
    file: usize,
    /// The function whose frame the expressions here belong to.
    function: usize,
    parent: Option<NodeId>,
    /// Above zero where text must stay as it is.
    quiet: u32,
    /// Whether the file must be left as it is.
    refused: bool,
    symbols: HashMap<u32, usize>,
    insertions: Vec<(u32, String)>,
    table: &'w mut Table,
}

impl Walk<'_> {
    fn program(&mut self, program: &Program<'_>) {
        let top = self.add("module", program.span, json!({}));
        self.function = self.table.functions.len();
        self.table.functions.push(FunctionEntry::new("", top, self.file, None));
        self.table.nodes[top].function = self.function;
        let start = program
            .directives
            .last()
            .map(|directive| directive.span.end)
            .or_else(|| program.hashbang.as_ref().map(|hashbang| hashbang.span.end));
        self.begin(start.unwrap_or(0), program.hashbang.is_some() && program.directives.is_empty(), "[]");
        self.within(top, |walk| walk.statements(&program.body));
    }

    /// What a function does first. After directives, which may lack their semicolon.
    fn begin(&mut self, at: u32, after_line: bool, parameters: &str) {
        // A hashbang ends with its line.
        let at = if after_line { self.next_line(at) } else { at };
        let semicolon = if at > 0 && !after_line { ";" } else { "" };
        let function = self.function;
        self.insert(at, format!("{semicolon}var {FRAME}={RECORDER}.n({function},{parameters});"));
    }

    fn next_line(&self, at: u32) -> u32 {
        let rest = &self.source[at as usize..];
        rest.find('\n').map_or(self.source.len() as u32, |found| at + found as u32 + 1)
    }

    fn insert(&mut self, at: u32, text: impl Into<String>) {
        if self.quiet == 0 {
            self.insertions.push((at, text.into()));
        }
    }

    fn add(&mut self, kind: &'static str, span: Span, fields: Value) -> NodeId {
        self.table.add(Node {
            kind,
            start: span.start,
            end: span.end,
            function: self.function,
            parent: self.parent,
            recorded: false,
            fields,
        })
    }

    fn set(&mut self, node: NodeId, field: &str, value: impl Into<Value>) {
        self.table.nodes[node].fields[field] = value.into();
    }

    /// What is inside a node.
    fn within<T>(&mut self, node: NodeId, inside: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.parent.replace(node);
        let value = inside(self);
        self.parent = outer;
        value
    }

    /// What must keep its text.
    fn quietly<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        self.quiet += 1;
        let value = inside(self);
        self.quiet -= 1;
        value
    }

    fn text(&self, span: Span) -> &str {
        &self.source[span.start as usize..span.end as usize]
    }

    /// The symbol that a name means; none for a global of the language.
    fn referred(&mut self, name: &IdentifierReference<'_>) -> Option<usize> {
        let symbol = self.scoping.get_reference(name.reference_id.get()?).symbol_id()?;
        Some(self.symbol(symbol))
    }

    fn symbol(&mut self, symbol: oxc_syntax::symbol::SymbolId) -> usize {
        let (scoping, table) = (self.scoping, &mut *self.table);
        *self
            .symbols
            .entry(symbol.index() as u32)
            .or_insert_with(|| table.symbol(scoping.symbol_name(symbol)))
    }
}
