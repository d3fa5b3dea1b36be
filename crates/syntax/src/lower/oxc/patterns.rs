//! What is written to: names, and patterns that take values apart.

use super::{Reading, span};
use crate::expression::{CollectionKind, ExprId, ExprKind, Item, ItemKey, Literal};
use crate::lines::Span;
use oxc_ast::ast::{
    ArrayAssignmentTarget, AssignmentTarget, AssignmentTargetMaybeDefault, AssignmentTargetPattern,
    AssignmentTargetProperty, BindingPattern, Expression, ObjectAssignmentTarget, SimpleAssignmentTarget,
};
use oxc_span::GetSpan;

impl<'a> Reading<'a> {
    /// What a declaration binds.
    pub(super) fn binding(&mut self, pattern: &BindingPattern<'_>) -> ExprId {
        match pattern {
            BindingPattern::BindingIdentifier(own) => self.name(span(&**own)),
            _ => self.pattern(pattern),
        }
    }

    /// A pattern where an expression could stand.
    pub(super) fn pattern(&mut self, pattern: &BindingPattern<'_>) -> ExprId {
        let place = span(pattern);
        match self.deeper(|this| this.pattern_inside(pattern)) {
            Some(id) => id,
            None => self.cannot(place),
        }
    }

    fn pattern_inside(&mut self, pattern: &BindingPattern<'_>) -> ExprId {
        let place = span(pattern);
        match pattern {
            BindingPattern::BindingIdentifier(_) => self.plain(place),
            BindingPattern::AssignmentPattern(with) => {
                self.with_default(&with.right, place, |this| this.pattern(&with.left))
            }
            BindingPattern::ArrayPattern(array) => {
                let mut items = Vec::with_capacity(array.elements.len());
                for element in array.elements.iter().flatten() {
                    items.push(Item { key: None, value: self.pattern(element) });
                }
                if let Some(rest) = &array.rest {
                    let value = self.rest(span(&**rest), |this| this.pattern(&rest.argument));
                    items.push(Item { key: None, value });
                }
                self.to.add(ExprKind::Collection { kind: CollectionKind::List, items }, place)
            }
            BindingPattern::ObjectPattern(object) => {
                let mut items = Vec::with_capacity(object.properties.len());
                for property in &object.properties {
                    if !property.shorthand {
                        let key = self.item_key(&property.key, property.computed);
                        items.push(Item { key: Some(key), value: self.pattern(&property.value) });
                        continue;
                    }
                    match &property.value {
                        BindingPattern::AssignmentPattern(with) => {
                            let value = self.shorthand_default(&with.right, &with.left, span(&**with));
                            items.push(Item { key: None, value });
                        }
                        other => items.push(self.shorthand(span(other))),
                    }
                }
                if let Some(rest) = &object.rest {
                    let value = self.rest(span(&**rest), |this| this.pattern(&rest.argument));
                    items.push(Item { key: None, value });
                }
                self.to.add(ExprKind::Collection { kind: CollectionKind::Object, items }, place)
            }
        }
    }

    /// A name that is read or written: `undefined` is a constant to the grammar.
    pub(super) fn plain(&mut self, place: Span) -> ExprId {
        match place.text(self.source) {
            "undefined" => self.to.add(ExprKind::Literal(Literal::Null), place),
            name => self.to.add(ExprKind::Name(name), place),
        }
    }

    /// `{a}`.
    pub(super) fn shorthand(&mut self, place: Span) -> Item<'a> {
        let name = place.text(self.source);
        Item { key: Some(ItemKey::Name(name)), value: self.name(place) }
    }

    /// `{a = 1}`.
    fn shorthand_default(&mut self, value: &Expression<'_>, name: &impl GetSpan, place: Span) -> ExprId {
        let name = span(name);
        let made = self.deeper(|this| this.with_default(value, place, |this| this.name(name)));
        made.unwrap_or_else(|| self.cannot(place))
    }

    /// `a = 1` where a value is taken apart.
    fn with_default(
        &mut self,
        value: &Expression<'_>,
        place: Span,
        target: impl FnOnce(&mut Self) -> ExprId,
    ) -> ExprId {
        let value = self.expr(value);
        let target = target(self);
        self.to.name_lambda(value, target);
        self.to.add(ExprKind::Assign { target, operator: None, value }, place)
    }

    fn rest(&mut self, place: Span, inner: impl FnOnce(&mut Self) -> ExprId) -> ExprId {
        match self.deeper(inner) {
            Some(inner) => self.to.add(ExprKind::Spread(inner), place),
            None => self.cannot(place),
        }
    }

    /// The left side of an assignment.
    pub(super) fn target(&mut self, target: &AssignmentTarget<'_>) -> ExprId {
        let place = span(target);
        if let Some(simple) = target.as_simple_assignment_target() {
            return self.simple_target(simple);
        }
        let made = target.as_assignment_target_pattern().and_then(|pattern| {
            self.deeper(|this| match pattern {
                AssignmentTargetPattern::ArrayAssignmentTarget(array) => this.array_target(array),
                AssignmentTargetPattern::ObjectAssignmentTarget(object) => this.object_target(object),
            })
        });
        made.unwrap_or_else(|| self.cannot(place))
    }

    pub(super) fn simple_target(&mut self, target: &SimpleAssignmentTarget<'_>) -> ExprId {
        let place = span(target);
        match target {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(_) => self.plain(place),
            SimpleAssignmentTarget::TSAsExpression(cast) => {
                self.cast(&cast.expression, &cast.type_annotation, place)
            }
            SimpleAssignmentTarget::TSSatisfiesExpression(cast) => {
                self.cast(&cast.expression, &cast.type_annotation, place)
            }
            SimpleAssignmentTarget::TSNonNullExpression(inner) => self.expr(&inner.expression),
            SimpleAssignmentTarget::TSTypeAssertion(_) => self.cannot(place),
            _ => match target.as_member_expression() {
                Some(member) => self.member(member),
                None => self.cannot(place),
            },
        }
    }

    fn array_target(&mut self, array: &ArrayAssignmentTarget<'_>) -> ExprId {
        let mut items = Vec::with_capacity(array.elements.len());
        for element in array.elements.iter().flatten() {
            items.push(Item { key: None, value: self.maybe_default(element) });
        }
        if let Some(rest) = &array.rest {
            let value = self.rest(span(&**rest), |this| this.target(&rest.target));
            items.push(Item { key: None, value });
        }
        self.to.add(ExprKind::Collection { kind: CollectionKind::List, items }, span(array))
    }

    fn object_target(&mut self, object: &ObjectAssignmentTarget<'_>) -> ExprId {
        let mut items = Vec::with_capacity(object.properties.len());
        for property in &object.properties {
            match property {
                AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(own) => match &own.init {
                    Some(value) => {
                        let value = self.shorthand_default(value, &own.binding, span(&**own));
                        items.push(Item { key: None, value });
                    }
                    None => items.push(self.shorthand(span(&own.binding))),
                },
                AssignmentTargetProperty::AssignmentTargetPropertyProperty(pair) => {
                    let key = self.item_key(&pair.name, pair.computed);
                    items.push(Item { key: Some(key), value: self.maybe_default(&pair.binding) });
                }
            }
        }
        if let Some(rest) = &object.rest {
            let value = self.rest(span(&**rest), |this| this.target(&rest.target));
            items.push(Item { key: None, value });
        }
        self.to.add(ExprKind::Collection { kind: CollectionKind::Object, items }, span(object))
    }

    fn maybe_default(&mut self, target: &AssignmentTargetMaybeDefault<'_>) -> ExprId {
        let place = span(target);
        if let AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(with) = target {
            let made =
                self.deeper(|this| this.with_default(&with.init, place, |this| this.target(&with.binding)));
            return made.unwrap_or_else(|| self.cannot(place));
        }
        match target.as_assignment_target() {
            Some(target) => self.target(target),
            None => self.cannot(place),
        }
    }
}
