//! Members and optional chains.

use super::Walk;
use super::expressions::Record;
use super::table::NodeId;
use oxc_ast::ast::{CallExpression, ChainElement, ChainExpression, Expression, MemberExpression};
use oxc_span::GetSpan;
use serde_json::json;

impl Walk<'_> {
    /// `o.k`, `o[k]`, `o.#k`: the object and the key are recorded.
    pub(super) fn member(&mut self, node: NodeId, member: &MemberExpression<'_>) {
        let object = self.expression(member.object(), Record::Varying);
        self.key(node, object, member);
    }

    fn key(&mut self, node: NodeId, object: NodeId, member: &MemberExpression<'_>) {
        self.set(node, "o", object);
        let place = self.table.nodes[object].end;
        match member {
            MemberExpression::StaticMemberExpression(member) => {
                self.set(node, "n", member.property.name.as_str());
                self.set(node, "q", member.property.span.start);
                self.set(node, "opt", member.optional);
            }
            MemberExpression::PrivateFieldExpression(member) => {
                self.set(node, "n", format!("#{}", member.field.name));
                self.set(node, "q", member.field.span.start);
            }
            MemberExpression::ComputedMemberExpression(member) => {
                self.set(node, "q", place);
                self.set(node, "opt", member.optional);
                let key = self.value(&member.expression);
                self.set(node, "c", key);
            }
        }
    }

    /// A chain is recorded as a whole, and what stands before its first `?.`: a link in between would not be left out.
    pub(super) fn chain(&mut self, node: NodeId, chain: &ChainExpression<'_>) {
        let span = chain.expression.span();
        let inner = match &chain.expression {
            ChainElement::CallExpression(call) => {
                let inner = self.add("call", span, json!({}));
                self.within(inner, |walk| walk.link_call(inner, call));
                inner
            }
            ChainElement::TSNonNullExpression(_) => self.add("other", span, json!({})),
            element => {
                let inner = self.add("mem", span, json!({}));
                if let Some(member) = element.as_member_expression() {
                    self.within(inner, |walk| walk.link_member(inner, member));
                }
                inner
            }
        };
        self.set(node, "a", inner);
    }

    fn link(&mut self, expression: &Expression<'_>) -> NodeId {
        if !is_linked(expression) {
            return self.value(expression);
        }
        match expression {
            Expression::CallExpression(call) => {
                let node = self.add("call", call.span, json!({}));
                self.within(node, |walk| walk.link_call(node, call));
                node
            }
            expression => match expression.as_member_expression() {
                Some(member) => {
                    let node = self.add("mem", expression.span(), json!({}));
                    self.within(node, |walk| walk.link_member(node, member));
                    node
                }
                None => self.quietly(|walk| walk.expression(expression, Record::No)),
            },
        }
    }

    fn link_member(&mut self, node: NodeId, member: &MemberExpression<'_>) {
        let object = self.link(member.object());
        self.key(node, object, member);
    }

    fn link_call(&mut self, node: NodeId, call: &CallExpression<'_>) {
        let callee = match &call.callee {
            // Of `a.b?.()` the object alone is recorded, so that `this` stays.
            callee if !is_linked(callee) => self.callee(callee),
            callee => self.link(callee),
        };
        self.set(node, "o", callee);
        self.arguments(node, &call.arguments);
    }
}

/// Whether there is a `?.` in the links of an expression.
fn is_linked(expression: &Expression<'_>) -> bool {
    match expression {
        Expression::CallExpression(call) => call.optional || is_linked(&call.callee),
        Expression::TSNonNullExpression(inner) => is_linked(&inner.expression),
        expression => match expression.as_member_expression() {
            Some(member) => member.optional() || is_linked(member.object()),
            None => false,
        },
    }
}
