//! JSX: to the grammar a tree of nodes that mean nothing by themselves.

use super::{Reading, span};
use crate::expression::{ExprId, ExprKind};
use crate::lines::Span;
use oxc_ast::ast::{
    JSXAttributeItem, JSXAttributeName, JSXAttributeValue, JSXChild, JSXElement, JSXElementName,
    JSXExpression, JSXExpressionContainer, JSXFragment, JSXMemberExpression, JSXMemberExpressionObject,
    JSXNamespacedName, JSXOpeningElement,
};

impl Reading<'_> {
    /// An element; the level of the element itself is the caller's.
    pub(super) fn element(&mut self, element: &JSXElement<'_>) -> ExprId {
        let place = span(element);
        let kind = match &element.closing_element {
            None => {
                let parts = self.opening(&element.opening_element);
                ExprKind::Other(parts)
            }
            Some(closing) => {
                let mut parts =
                    vec![self.other(span(&*element.opening_element), |this| {
                        this.opening(&element.opening_element)
                    })];
                self.children(&element.children, &mut parts);
                parts.push(self.other(span(&**closing), |this| vec![this.element_name(&closing.name)]));
                ExprKind::Other(parts)
            }
        };
        self.to.add(kind, place)
    }

    pub(super) fn fragment(&mut self, fragment: &JSXFragment<'_>) -> ExprId {
        let mut parts = vec![self.other(span(&fragment.opening_fragment), |_| Vec::new())];
        self.children(&fragment.children, &mut parts);
        parts.push(self.other(span(&fragment.closing_fragment), |_| Vec::new()));
        self.to.add(ExprKind::Other(parts), span(fragment))
    }

    fn opening(&mut self, opening: &JSXOpeningElement<'_>) -> Vec<ExprId> {
        let mut parts = vec![self.element_name(&opening.name)];
        for attribute in &opening.attributes {
            let place = span(attribute);
            parts.push(match attribute {
                JSXAttributeItem::SpreadAttribute(spread) => {
                    let start = self.skip(place.start + 1);
                    let inner = Span { start, end: span(&spread.argument).end };
                    self.other(place, |this| {
                        let value = this.deeper(|this| this.expr(&spread.argument));
                        let value = value.unwrap_or_else(|| this.cannot(place));
                        vec![this.to.add(ExprKind::Spread(value), inner)]
                    })
                }
                JSXAttributeItem::Attribute(attribute) => self.other(place, |this| {
                    let mut parts = vec![match &attribute.name {
                        JSXAttributeName::Identifier(name) => this.name(span(&**name)),
                        JSXAttributeName::NamespacedName(name) => this.namespaced(name),
                    }];
                    if let Some(value) = &attribute.value {
                        parts.push(this.attribute_value(value));
                    }
                    parts
                }),
            });
        }
        parts
    }

    fn attribute_value(&mut self, value: &JSXAttributeValue<'_>) -> ExprId {
        let place = span(value);
        match value {
            JSXAttributeValue::StringLiteral(_) => self.text_literal(place),
            JSXAttributeValue::ExpressionContainer(container) => self.container(container),
            JSXAttributeValue::Element(element) => {
                self.deeper(|this| this.element(element)).unwrap_or_else(|| self.cannot(place))
            }
            JSXAttributeValue::Fragment(fragment) => {
                self.deeper(|this| this.fragment(fragment)).unwrap_or_else(|| self.cannot(place))
            }
        }
    }

    fn container(&mut self, container: &JSXExpressionContainer<'_>) -> ExprId {
        self.other(span(container), |this| match &container.expression {
            JSXExpression::EmptyExpression(_) => Vec::new(),
            inner => inner.as_expression().map(|inner| this.expr(inner)).into_iter().collect(),
        })
    }

    fn element_name(&mut self, name: &JSXElementName<'_>) -> ExprId {
        match name {
            JSXElementName::NamespacedName(name) => self.namespaced(name),
            JSXElementName::MemberExpression(member) => self.element_member(member),
            _ => self.name(span(name)),
        }
    }

    fn namespaced(&mut self, name: &JSXNamespacedName<'_>) -> ExprId {
        self.other(span(name), |this| vec![this.name(span(&name.namespace)), this.name(span(&name.name))])
    }

    fn element_member(&mut self, member: &JSXMemberExpression<'_>) -> ExprId {
        let place = span(member);
        let base = self.deeper(|this| match &member.object {
            JSXMemberExpressionObject::MemberExpression(inner) => this.element_member(inner),
            other => this.name(span(other)),
        });
        let base = base.unwrap_or_else(|| self.cannot(place));
        let kind = self.attribute(base, span(&member.property), false);
        self.to.add(kind, place)
    }

    fn children(&mut self, children: &[JSXChild<'_>], parts: &mut Vec<ExprId>) {
        for child in children {
            let place = span(child);
            match child {
                JSXChild::Text(_) => self.words(place, parts),
                JSXChild::Element(element) => {
                    let id = self.deeper(|this| this.element(element));
                    parts.push(id.unwrap_or_else(|| self.cannot(place)));
                }
                JSXChild::Fragment(fragment) => {
                    let id = self.deeper(|this| this.fragment(fragment));
                    parts.push(id.unwrap_or_else(|| self.cannot(place)));
                }
                JSXChild::ExpressionContainer(container) => parts.push(self.container(container)),
                JSXChild::Spread(_) => parts.push(self.cannot(place)),
            }
        }
    }

    /// Text as the grammar parts it: references stand alone, and what only breaks and indents lines is no text.
    fn words(&mut self, place: Span, parts: &mut Vec<ExprId>) {
        let mut start = place.start;
        while start < place.end {
            let rest = Span { start, end: place.end }.text(self.source);
            let length = if rest.starts_with('&') {
                match reference(rest) {
                    Some(length) => length,
                    None => {
                        parts.push(self.cannot(place));
                        return;
                    }
                }
            } else {
                rest.find('&').unwrap_or(rest.len())
            };
            let piece = Span { start, end: start + u32::try_from(length).unwrap_or(0) };
            let text = piece.text(self.source);
            if text.starts_with('&') {
                parts.push(self.to.add(ExprKind::Other(Vec::new()), piece));
            } else if says_something(text) {
                parts.push(self.text_literal(piece));
            }
            start = piece.end;
        }
    }
}

/// Whether there is more in it than line ends with what indents the line after.
fn says_something(text: &str) -> bool {
    let mut indents = false;
    text.bytes().any(|byte| {
        if byte == b'\n' {
            indents = true;
            return false;
        }
        indents &= matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c);
        !indents
    })
}

/// How long the character reference is that a text begins with.
fn reference(text: &str) -> Option<usize> {
    let end = text.find(';')?;
    let name = text.get(1..end)?;
    let known = match name.strip_prefix('#') {
        Some(number) => match number.strip_prefix(['x', 'X']) {
            Some(hex) => (1..=6).contains(&hex.len()) && hex.bytes().all(|byte| byte.is_ascii_hexdigit()),
            None => (1..=5).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit()),
        },
        None => (1..=30).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphabetic()),
    };
    known.then_some(end + 1)
}
