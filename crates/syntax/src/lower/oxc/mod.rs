//! JavaScript and TypeScript by oxc's parser: several times as fast as the grammar, and the same form comes out.
//!
//! Only sound files take this way. What oxc's parser reports an error in, what is nested deeply, and the few things that
//! are not lowered here ([`Reading::cannot`]) go by the grammar, which keeps the sound parts of broken code. The tests
//! compare both ways over real code, number by number.
//!
//! | module | what it holds |
//! |---|---|
//! | [`depth`], [`tokens`] | how deeply a text nests, before a recursive parser sees it |
//! | [`surface`] | lines with code, comments |
//! | [`places`], [`endings`] | places that oxc's tree does not hold, or holds otherwise |
//! | [`statements`], [`modules`] | statements; imports and exports |
//! | [`functions`], [`classes`], [`types`] | functions; classes and what resembles them; types where values could stand |
//! | [`expressions`], [`patterns`], [`templates`], [`markup`] | expressions; what is written to; text with values; JSX |

mod classes;
mod depth;
mod endings;
mod expressions;
mod functions;
mod markup;
mod modules;
mod patterns;
mod places;
mod statements;
mod surface;
mod templates;
#[cfg(test)]
mod tests;
mod tokens;
mod types;

use super::Lowering;
use crate::expression::{ExprId, ExprKind};
use crate::lines::Span;
use crate::unit::Unit;
use crate::{Bounds, Dialect};
use endings::Later;
use oxc_allocator::Allocator;
use oxc_ast::ast::Program;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::{GetSpan, SourceType};

/// How deeply a file may nest that goes this way. Below [`Bounds::depth`], so that nobody has to leave anything out.
const DEPTH: u32 = 140;

/// The file in the language-neutral form; none where it must go by the grammar.
pub(super) fn read(dialect: Dialect, source: &str, bounds: Bounds) -> Option<Unit<'_>> {
    if bounds.depth < Bounds::default().depth || !depth::is_shallow(dialect, source) {
        return None;
    }
    let mut allocator = Allocator::default();
    for kind in kinds(dialect) {
        let options = ParseOptions {
            allow_return_outside_function: true,
            enable_ident_hashes: false,
            ..ParseOptions::default()
        };
        let parsed = Parser::new(&allocator, source, *kind).with_options(options).parse();
        if !parsed.panicked && parsed.diagnostics.is_empty() {
            return lower(&parsed.program, super::empty(dialect, source), bounds);
        }
        allocator.reset();
    }
    None
}

/// Whether a recursive parser may read a text.
pub(super) fn is_shallow(dialect: Dialect, source: &str) -> bool {
    depth::is_shallow(dialect, source)
}

/// What a file of this dialect may be, the most likely first.
fn kinds(dialect: Dialect) -> &'static [SourceType] {
    const SCRIPT: [SourceType; 2] =
        [SourceType::unambiguous().with_jsx(true), SourceType::script().with_jsx(true)];
    const TYPED: [SourceType; 2] = [SourceType::ts(), SourceType::d_ts()];
    const MARKUP: [SourceType; 1] = [SourceType::tsx()];
    match dialect {
        Dialect::JavaScript => &SCRIPT,
        Dialect::TypeScript => &TYPED,
        Dialect::Tsx => &MARKUP,
        _ => &[],
    }
}

fn lower<'a>(program: &Program<'_>, unit: Unit<'a>, bounds: Bounds) -> Option<Unit<'a>> {
    let (dialect, source) = (unit.dialect, unit.source);
    let to = Lowering::new(unit, bounds);
    let typed = matches!(dialect, Dialect::TypeScript | Dialect::Tsx);
    let mut reading =
        Reading { to, source, typed, depth: 0, fails: false, wide: Vec::new(), later: Later::default() };
    let body = reading.body(&program.directives, &program.body);
    if reading.fails {
        return None;
    }
    reading.to.unit.body = body;
    endings::lengthen(&mut reading.to.unit, &reading.later);
    surface::read(program, &reading.wide, &mut reading.to.unit);
    super::functions::find_documentation(&mut reading.to.unit);
    Some(reading.to.unit)
}

/// The walk over oxc's tree. What it makes is kept as by the walk over the grammar's.
struct Reading<'a> {
    to: Lowering<'a>,
    source: &'a str,
    /// Whether TypeScript's grammar is the measure: it nests some things differently.
    typed: bool,
    depth: u32,
    /// Whether something was met that must go by the grammar.
    fails: bool,
    /// Text that reaches over lines on which nothing else stands.
    wide: Vec<Span>,
    later: Later,
}

impl<'a> Reading<'a> {
    fn text(&self, part: &impl GetSpan) -> &'a str {
        span(part).text(self.source)
    }

    /// This file goes by the grammar.
    fn cannot(&mut self, place: Span) -> ExprId {
        self.fails = true;
        self.to.add(ExprKind::Other(Vec::new()), place)
    }

    /// Goes one level down; what is too deep goes by the grammar.
    fn deeper<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= DEPTH || self.fails {
            self.fails = true;
            return None;
        }
        self.depth += 1;
        let value = inside(self);
        self.depth -= 1;
        Some(value)
    }

    /// A node that means nothing by itself, with what is in it.
    fn other(&mut self, place: Span, inside: impl FnOnce(&mut Self) -> Vec<ExprId>) -> ExprId {
        match self.deeper(inside) {
            Some(parts) => self.to.add(ExprKind::Other(parts), place),
            None => self.cannot(place),
        }
    }

    /// A name that stands here.
    fn name(&mut self, place: Span) -> ExprId {
        self.to.add(ExprKind::Name(place.text(self.source)), place)
    }
}

fn span(part: &impl GetSpan) -> Span {
    span_of(part.span())
}

fn span_of(place: oxc_span::Span) -> Span {
    Span { start: place.start, end: place.end }
}
