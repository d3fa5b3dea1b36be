//! Text, bytes, and text with values in it.

use super::{Reading, span};
use crate::expression::{ExprId, ExprKind, Literal, Part};
use crate::lines::Span;
use crate::lower::literals;
use ruff_python_ast::{
    ConversionFlag, Expr, FString, FStringPart, InterpolatedElement, InterpolatedStringElement,
};
use ruff_text_size::Ranged;
use std::borrow::Cow;

impl<'a> Reading<'a> {
    pub(super) fn string(&mut self, expr: &Expr) -> ExprKind<'a> {
        match expr {
            Expr::StringLiteral(text) if text.value.is_implicit_concatenated() => {
                self.joined(text.value.iter().map(|part| (span(part), None)))
            }
            Expr::BytesLiteral(bytes) if bytes.value.is_implicit_concatenated() => {
                self.joined(bytes.value.iter().map(|part| (span(part), None)))
            }
            Expr::FString(text) if text.value.is_implicit_concatenated() => {
                self.joined(text.value.iter().map(|part| match part {
                    FStringPart::Literal(plain) => (span(plain), None),
                    FStringPart::FString(template) => (span(template), Some(template)),
                }))
            }
            Expr::FString(text) => match text.value.as_slice() {
                [FStringPart::FString(template)] => self.piece(span(expr), Some(template)),
                _ => self.piece(span(expr), None),
            },
            _ => self.piece(span(expr), None),
        }
    }

    /// One string between its quotes.
    fn piece(&mut self, place: Span, template: Option<&FString>) -> ExprKind<'a> {
        match template {
            Some(template) if template.elements.interpolations().next().is_some() => self.template(template),
            _ => literals::python_string(place.text(self.source)),
        }
    }

    /// `"a" "b"`: one text, or a template when one part is.
    fn joined<'t>(&mut self, parts: impl Iterator<Item = (Span, Option<&'t FString>)>) -> ExprKind<'a> {
        let mut values = Vec::new();
        let mut whole = Some(String::new());
        for (place, template) in parts {
            let kind = self.piece(place, template);
            match (&kind, &mut whole) {
                (ExprKind::Literal(Literal::Text(text)), Some(whole)) => whole.push_str(text),
                _ => whole = None,
            }
            values.push(Part::Value(self.to.add(kind, place)));
        }
        match whole {
            Some(whole) => ExprKind::Literal(Literal::Text(Cow::Owned(whole))),
            None => ExprKind::Template(values),
        }
    }

    fn template(&mut self, template: &FString) -> ExprKind<'a> {
        let mut parts = Vec::new();
        for element in &template.elements {
            match element {
                InterpolatedStringElement::Literal(text) => parts.push(Part::Text(self.text(text))),
                InterpolatedStringElement::Interpolation(value) => {
                    parts.push(Part::Value(self.listed(&value.expression)));
                    // `{x:{width}}` reads width.
                    for nested in value.format_spec.iter().flat_map(|format| format.elements.interpolations())
                    {
                        parts.push(Part::Value(self.nested(nested)));
                    }
                }
            }
        }
        ExprKind::Template(parts)
    }

    /// A value in the format of a value.
    fn nested(&mut self, value: &InterpolatedElement) -> ExprId {
        let place = span(value.range());
        if value.conversion != ConversionFlag::None || value.format_spec.is_some() {
            return self.cannot(place);
        }
        let inner = self.listed(&value.expression);
        self.to.add(ExprKind::Other(vec![inner]), place)
    }
}
