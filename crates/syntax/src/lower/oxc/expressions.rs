//! Expressions.

use super::{Reading, span, span_of};
use crate::expression::{
    Argument, CallKind, CollectionKind, ExprId, ExprKind, Item, ItemKey, Literal, Operator,
};
use crate::lines::Span;
use crate::lower::literals::{number_of, operator_of};
use crate::statement::{Block, StmtKind};
use oxc_ast::ast::{
    self, ArrayExpressionElement, AssignmentExpression, CallExpression, ChainElement, Expression,
    MemberExpression, ObjectExpression, ObjectPropertyKind, PropertyKey, PropertyKind, RegExpLiteral, TSType,
    UnaryOperator, UpdateOperator,
};

impl<'a> Reading<'a> {
    pub(super) fn expr(&mut self, node: &Expression<'_>) -> ExprId {
        // The grammar has no node around a chain.
        if let Expression::ChainExpression(chain) = node {
            return self.chain(&chain.expression);
        }
        match self.deeper(|this| this.expr_inside(node)) {
            Some(id) => id,
            None => self.cannot(span(node)),
        }
    }

    fn expr_inside(&mut self, node: &Expression<'_>) -> ExprId {
        let place = span(node);
        let kind = match node {
            Expression::Identifier(_) => return self.plain(place),
            Expression::ThisExpression(_) | Expression::Super(_) => return self.name(place),
            Expression::BooleanLiteral(one) => ExprKind::Literal(Literal::Boolean(one.value)),
            Expression::NullLiteral(_) => ExprKind::Literal(Literal::Null),
            Expression::NumericLiteral(_) | Expression::BigIntLiteral(_) => {
                number_of(place.text(self.source))
            }
            Expression::StringLiteral(_) => return self.text_literal(place),
            Expression::RegExpLiteral(one) => ExprKind::Literal(Literal::Regex(self.regex(one))),
            Expression::TemplateLiteral(template) => self.template(template),
            Expression::TaggedTemplateExpression(tagged) => {
                if tagged.type_arguments.is_some() {
                    return self.cannot(place);
                }
                let callee = self.expr(&tagged.tag);
                let at = span(&tagged.quasi);
                let value = match self.deeper(|this| this.template(&tagged.quasi)) {
                    Some(kind) => self.to.add(kind, at),
                    None => self.cannot(at),
                };
                let arguments = vec![Argument { name: None, value }];
                ExprKind::Call { callee, arguments, kind: CallKind::Call }
            }
            Expression::ArrayExpression(array) => {
                let mut items = Vec::with_capacity(array.elements.len());
                for element in &array.elements {
                    let value = match element {
                        ArrayExpressionElement::SpreadElement(inner) => self.spread(inner),
                        ArrayExpressionElement::Elision(_) => continue,
                        _ => match element.as_expression() {
                            Some(value) => self.expr(value),
                            None => continue,
                        },
                    };
                    items.push(Item { key: None, value });
                }
                ExprKind::Collection { kind: CollectionKind::List, items }
            }
            Expression::ObjectExpression(object) => self.object(object),
            Expression::SequenceExpression(sequence) => {
                let mut items = Vec::with_capacity(sequence.expressions.len());
                for value in &sequence.expressions {
                    items.push(Item { key: None, value: self.expr(value) });
                }
                ExprKind::Collection { kind: CollectionKind::Tuple, items }
            }
            Expression::ArrowFunctionExpression(arrow) => return self.arrow(arrow),
            Expression::FunctionExpression(function) => return self.function_value(function),
            Expression::ClassExpression(class) => {
                let mut out = Vec::new();
                self.deeper(|this| this.class(class, &mut out));
                ExprKind::Block(out)
            }
            Expression::AssignmentExpression(assign) => self.assign(assign),
            Expression::AwaitExpression(inner) => ExprKind::Await(self.expr(&inner.argument)),
            Expression::YieldExpression(given) => {
                if let Some(function) = self.to.function {
                    self.to.unit.functions[function.0 as usize].generator = true;
                }
                ExprKind::Yield(given.argument.as_ref().map(|value| self.expr(value)))
            }
            Expression::BinaryExpression(_)
            | Expression::LogicalExpression(_)
            | Expression::PrivateInExpression(_) => return self.binary(node),
            Expression::UnaryExpression(unary) => {
                let operator = match unary.operator {
                    UnaryOperator::UnaryPlus => Operator::Plus,
                    UnaryOperator::UnaryNegation => Operator::Negate,
                    UnaryOperator::LogicalNot => Operator::Not,
                    UnaryOperator::BitwiseNot => Operator::BitNot,
                    UnaryOperator::Typeof => Operator::TypeOf,
                    UnaryOperator::Void => Operator::Void,
                    UnaryOperator::Delete => Operator::Delete,
                };
                ExprKind::Unary { operator, operand: self.expr(&unary.argument) }
            }
            Expression::UpdateExpression(update) => {
                let target = self.simple_target(&update.argument);
                ExprKind::Update { target, increment: update.operator == UpdateOperator::Increment }
            }
            Expression::ConditionalExpression(choice) => {
                let test = self.expr(&choice.test);
                let then = self.expr(&choice.consequent);
                let otherwise = self.expr(&choice.alternate);
                ExprKind::Conditional { test, then, otherwise }
            }
            Expression::CallExpression(call) => self.call(call),
            Expression::NewExpression(new) => {
                let callee = self.expr(&new.callee);
                let arguments = self.arguments(&new.arguments);
                ExprKind::Call { callee, arguments, kind: CallKind::New }
            }
            Expression::ImportExpression(import) => {
                if import.phase.is_some() {
                    return self.cannot(place);
                }
                let callee = self.name(Span { start: place.start, end: place.start + 6 });
                let parts = [Some(&import.source), import.options.as_ref()];
                let arguments = parts.into_iter().flatten();
                let arguments =
                    arguments.map(|value| Argument { name: None, value: self.expr(value) }).collect();
                ExprKind::Call { callee, arguments, kind: CallKind::Call }
            }
            Expression::ParenthesizedExpression(inner) => return self.expr(&inner.expression),
            Expression::ImportMeta(_) | Expression::NewTarget(_) => ExprKind::Other(Vec::new()),
            Expression::JSXElement(element) => return self.element(element),
            Expression::JSXFragment(fragment) => return self.fragment(fragment),
            Expression::TSAsExpression(cast) => {
                return self.cast_inside(&cast.expression, &cast.type_annotation, place);
            }
            Expression::TSSatisfiesExpression(cast) => {
                return self.cast_inside(&cast.expression, &cast.type_annotation, place);
            }
            Expression::TSNonNullExpression(inner) => return self.expr(&inner.expression),
            Expression::TSTypeAssertion(cast) => ExprKind::Other(vec![self.expr(&cast.expression)]),
            Expression::TSInstantiationExpression(inner) => {
                ExprKind::Other(vec![self.expr(&inner.expression)])
            }
            _ => match node.as_member_expression() {
                Some(member) => return self.member_inside(member),
                None => return self.cannot(place),
            },
        };
        self.to.add(kind, place)
    }

    /// An expression that stands where the grammar has a statement.
    pub(super) fn loose(&mut self, node: &Expression<'_>, out: &mut Block) {
        let place = span(node);
        match node {
            Expression::AssignmentExpression(assign) => {
                self.deeper(|this| this.assignment(assign, place, out));
            }
            Expression::ClassExpression(class) => {
                self.deeper(|this| this.class(class, out));
            }
            // The grammar has no word for these: it looks for statements in them.
            Expression::JSXElement(_)
            | Expression::JSXFragment(_)
            | Expression::TSTypeAssertion(_)
            | Expression::TSInstantiationExpression(_)
            | Expression::ImportMeta(_)
            | Expression::NewTarget(_) => {
                self.cannot(place);
            }
            _ => {
                let value = self.deeper(|this| this.expr(node)).unwrap_or_else(|| self.cannot(place));
                self.to.push(StmtKind::Expression(value), place, out);
            }
        }
    }

    fn regex(&self, one: &RegExpLiteral<'_>) -> &'a str {
        let written = self.text(one);
        let inner = written.strip_prefix('/').unwrap_or(written);
        inner.rsplit_once('/').map_or(inner, |(pattern, _)| pattern)
    }

    pub(super) fn spread(&mut self, inner: &ast::SpreadElement<'_>) -> ExprId {
        let place = span(inner);
        match self.deeper(|this| this.expr(&inner.argument)) {
            Some(value) => self.to.add(ExprKind::Spread(value), place),
            None => self.cannot(place),
        }
    }

    fn chain(&mut self, chain: &ChainElement<'_>) -> ExprId {
        let place = span(chain);
        match chain {
            ChainElement::CallExpression(call) => match self.deeper(|this| this.call(call)) {
                Some(kind) => self.to.add(kind, place),
                None => self.cannot(place),
            },
            ChainElement::TSNonNullExpression(inner) => {
                self.deeper(|this| this.expr(&inner.expression)).unwrap_or_else(|| self.cannot(place))
            }
            _ => match chain.as_member_expression() {
                Some(member) => self.member(member),
                None => self.cannot(place),
            },
        }
    }

    pub(super) fn member(&mut self, member: &MemberExpression<'_>) -> ExprId {
        match self.deeper(|this| this.member_inside(member)) {
            Some(id) => id,
            None => self.cannot(span(member)),
        }
    }

    fn member_inside(&mut self, member: &MemberExpression<'_>) -> ExprId {
        let kind = match member {
            MemberExpression::StaticMemberExpression(member) => {
                let base = self.expr(&member.object);
                self.attribute(base, span(&member.property), member.optional)
            }
            MemberExpression::PrivateFieldExpression(member) => {
                let base = self.expr(&member.object);
                self.attribute(base, span(&member.field), member.optional)
            }
            MemberExpression::ComputedMemberExpression(member) => {
                let base = self.expr(&member.object);
                let index = Some(self.expr(&member.expression));
                ExprKind::Subscript { base, index }
            }
        };
        self.to.add(kind, span(member))
    }

    pub(super) fn attribute(&self, base: ExprId, name_span: Span, optional: bool) -> ExprKind<'a> {
        ExprKind::Attribute { base, name: name_span.text(self.source), name_span, optional }
    }

    fn call(&mut self, call: &CallExpression<'_>) -> ExprKind<'a> {
        let callee = self.expr(&call.callee);
        let arguments = self.arguments(&call.arguments);
        ExprKind::Call { callee, arguments, kind: CallKind::Call }
    }

    fn arguments(&mut self, list: &[ast::Argument<'_>]) -> Vec<Argument<'a>> {
        let mut arguments = Vec::with_capacity(list.len());
        for one in list {
            let value = match one {
                ast::Argument::SpreadElement(inner) => self.spread(inner),
                _ => match one.as_expression() {
                    Some(value) => self.expr(value),
                    None => self.cannot(span(one)),
                },
            };
            arguments.push(Argument { name: None, value });
        }
        arguments
    }

    /// Long chains `a + b + c + …` nest to the left; they are walked, not recursed into.
    fn binary(&mut self, node: &Expression<'_>) -> ExprId {
        let mut chain: Vec<(Operator, &Expression<'_>, Span)> = Vec::new();
        let mut at = node;
        let mut left = loop {
            let place = span(at);
            match at {
                Expression::BinaryExpression(two) => {
                    chain.push((operator_of(two.operator.as_str()), &two.right, place));
                    at = &two.left;
                }
                Expression::LogicalExpression(two) => {
                    chain.push((operator_of(two.operator.as_str()), &two.right, place));
                    at = &two.left;
                }
                Expression::PrivateInExpression(two) => {
                    chain.push((Operator::In, &two.right, place));
                    break self.name(span(&two.left));
                }
                first => break self.expr(first),
            }
        };
        for (operator, right, place) in chain.into_iter().rev() {
            let right = self.expr(right);
            let kind = if operator.is_logical() {
                ExprKind::Logical { operator, left, right }
            } else if operator.compares() {
                ExprKind::Compare { left, rest: vec![(operator, right)] }
            } else {
                ExprKind::Binary { operator, left, right }
            };
            left = self.to.add(kind, place);
        }
        left
    }

    fn assign(&mut self, assign: &AssignmentExpression<'_>) -> ExprKind<'a> {
        let operator = self.assignment_operator(assign);
        let value = self.expr(&assign.right);
        let target = self.target(&assign.left);
        self.to.name_lambda(value, target);
        ExprKind::Assign { target, operator, value }
    }

    pub(super) fn cast(&mut self, value: &Expression<'_>, to: &TSType<'_>, place: Span) -> ExprId {
        match self.deeper(|this| this.cast_inside(value, to, place)) {
            Some(id) => id,
            None => self.cannot(place),
        }
    }

    fn cast_inside(&mut self, value: &Expression<'_>, to: &TSType<'_>, place: Span) -> ExprId {
        let written = self.text(to);
        // Of `a as const` the grammar sees `a` alone.
        let to = if written == "const" { self.text(value) } else { written };
        let value = self.expr(value);
        self.to.add(ExprKind::Cast { value, to }, place)
    }

    /// What an item is filed under.
    pub(super) fn item_key(&mut self, key: &PropertyKey<'_>, computed: bool) -> ItemKey<'a> {
        match key {
            PropertyKey::StaticIdentifier(_) | PropertyKey::PrivateIdentifier(_) => {
                ItemKey::Name(self.text(key))
            }
            _ => ItemKey::Value(self.key(key, computed)),
        }
    }

    /// The name of a property as an expression.
    pub(super) fn key(&mut self, key: &PropertyKey<'_>, computed: bool) -> ExprId {
        let place = span(key);
        let Some(inner) = key.as_expression() else { return self.name(place) };
        if !computed {
            return self.expr(inner);
        }
        match self.bracketed(place) {
            Some(around) => self.other(around, |this| vec![this.expr(inner)]),
            None => self.cannot(place),
        }
    }

    fn object(&mut self, object: &ObjectExpression<'_>) -> ExprKind<'a> {
        let mut items = Vec::with_capacity(object.properties.len());
        for property in &object.properties {
            let property = match property {
                ObjectPropertyKind::SpreadProperty(inner) => {
                    items.push(Item { key: None, value: self.spread(inner) });
                    continue;
                }
                ObjectPropertyKind::ObjectProperty(property) => property,
            };
            let place = span_of(property.span);
            if property.method || property.kind != PropertyKind::Init {
                let Expression::FunctionExpression(function) = &property.value else {
                    self.cannot(place);
                    continue;
                };
                let accessor = property.kind != PropertyKind::Init;
                let name = self.key_place(&property.key, property.computed);
                let id = self.method_value(function, name, place, accessor);
                let value = self.to.add(ExprKind::Lambda(id), place);
                items.push(Item { key: Some(ItemKey::Name(name.text(self.source))), value });
            } else if property.shorthand {
                items.push(self.shorthand(span(&property.key)));
            } else {
                let key = self.item_key(&property.key, property.computed);
                let value = self.expr(&property.value);
                if let (ItemKey::Name(name), ExprKind::Lambda(function)) = (&key, self.to.unit.kind(value)) {
                    let (name, function) = (*name, *function);
                    self.to.call_lambda(function, name, place);
                }
                items.push(Item { key: Some(key), value });
            }
        }
        ExprKind::Collection { kind: CollectionKind::Object, items }
    }

    /// Where the name of a property stands, with the brackets of a computed one.
    pub(super) fn key_place(&mut self, key: &PropertyKey<'_>, computed: bool) -> Span {
        let place = span(key);
        if !computed {
            return place;
        }
        self.bracketed(place).unwrap_or_else(|| {
            self.fails = true;
            place
        })
    }
}
