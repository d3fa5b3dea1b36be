//! Text with values in it.

use super::{Reading, span};
use crate::expression::{ExprId, ExprKind, Literal, Part};
use crate::lines::Span;
use crate::lower::literals::{unescaped, without_quotes};
use oxc_ast::ast::TemplateLiteral;
use std::borrow::Cow;

impl<'a> Reading<'a> {
    /// A text between quotes.
    pub(super) fn text_literal(&mut self, place: Span) -> ExprId {
        let kind = self.to.quoted(place.text(self.source));
        self.wide.push(place);
        self.to.add(kind, place)
    }

    pub(super) fn template(&mut self, template: &TemplateLiteral<'_>) -> ExprKind<'a> {
        let mut parts = Vec::new();
        let mut values = template.expressions.iter();
        for quasi in &template.quasis {
            let place = span(quasi);
            self.wide.push(place);
            pieces(place.text(self.source), &mut parts);
            if let Some(value) = values.next() {
                parts.push(Part::Value(self.expr(value)));
            }
        }
        let inner = without_quotes(self.text(template)).1;
        if parts.is_empty() {
            return ExprKind::Literal(Literal::Text(Cow::Borrowed(inner)));
        }
        if let [Part::Text(only)] = parts.as_slice() {
            return ExprKind::Literal(Literal::Text(Cow::Borrowed(only)));
        }
        if parts.iter().all(|part| matches!(part, Part::Text(_))) {
            return ExprKind::Literal(Literal::Text(unescaped(inner)));
        }
        ExprKind::Template(parts)
    }
}

/// Fixed text as the grammar parts it: an escape is a part of its own.
fn pieces<'a>(text: &'a str, parts: &mut Vec<Part<'a>>) {
    let mut rest = text;
    while !rest.is_empty() {
        let length = match rest.find('\\') {
            Some(0) => escape_length(rest),
            Some(length) => length,
            None => rest.len(),
        };
        let (piece, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        parts.push(Part::Text(piece));
        rest = after;
    }
}

/// How long the escape is that a text begins with.
fn escape_length(text: &str) -> usize {
    let rest = text.get(1..).unwrap_or("");
    let digits = |from: &str, most: usize, radix: u32| {
        from.chars().take(most).take_while(|c| c.is_digit(radix)).count()
    };
    1 + match rest.chars().next() {
        Some('0'..='7') => digits(rest, 3, 8),
        Some('x') => 3,
        Some('u') if rest.starts_with("u{") => rest.find('}').map_or(rest.len(), |end| end + 1),
        Some('u') => 5,
        Some('\r') if rest.starts_with("\r\n") => 2,
        Some(other) => other.len_utf8(),
        None => 0,
    }
    .min(rest.len())
}
