//! Python by ruff's parser: several times as fast as the grammar, and the same form comes out.
//!
//! Only sound files take this way. What ruff's parser reports an error in, what is nested deeply, and the few things that
//! are not lowered here ([`Reading::cannot`]) go by the grammar, which keeps the sound parts of broken code. The tests
//! compare both ways over real code, number by number.
//!
//! | module | what it holds |
//! |---|---|
//! | [`depth`] | how deeply a text nests, before a recursive parser sees it |
//! | [`surface`] | lines with code, comments |
//! | [`places`] | where blocks end, what parentheses stand around |
//! | [`statements`], [`definitions`] | statements; functions, classes and imports |
//! | [`expressions`], [`strings`] | expressions; text with and without values in it |

mod definitions;
mod depth;
mod expressions;
mod places;
mod statements;
mod strings;
mod surface;
#[cfg(test)]
mod tests;

use super::Lowering;
use crate::expression::{ExprId, ExprKind};
use crate::lines::Span;
use crate::unit::Unit;
use crate::{Bounds, Dialect};
use ruff_python_ast::Mod;
use ruff_python_parser::{Mode, ParseOptions, parse_unchecked};
use ruff_text_size::{Ranged, TextRange};

/// How deeply a file may nest that goes this way. Far below [`Bounds::depth`]: parentheses count there, and here nobody
/// sees them.
const DEPTH: u32 = 60;

/// The file in the language-neutral form; none where it must go by the grammar.
pub(super) fn read(source: &str, bounds: Bounds) -> Option<Unit<'_>> {
    if bounds.depth < Bounds::default().depth || !depth::is_shallow(source) {
        return None;
    }
    let parsed = parse_unchecked(source, ParseOptions::from(Mode::Module));
    let Mod::Module(module) = parsed.syntax() else { return None };
    if !parsed.errors().is_empty() {
        return None;
    }
    let unit = super::empty(Dialect::Python, source);
    let mut reading = Reading { to: Lowering::new(unit, bounds), source, depth: 0, fails: false };
    surface::read(parsed.tokens(), &mut reading.to.unit);
    let body = reading.block(&module.body);
    reading.to.unit.body = body;
    (!reading.fails).then_some(reading.to.unit)
}

/// The walk over ruff's tree. What it makes is kept as by the walk over the grammar's.
struct Reading<'a> {
    to: Lowering<'a>,
    source: &'a str,
    depth: u32,
    /// Whether something was met that must go by the grammar.
    fails: bool,
}

impl<'a> Reading<'a> {
    fn text(&self, part: impl Ranged) -> &'a str {
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
}

fn span(part: impl Ranged) -> Span {
    span_of(part.range())
}

fn span_of(range: TextRange) -> Span {
    Span { start: range.start().to_u32(), end: range.end().to_u32() }
}
