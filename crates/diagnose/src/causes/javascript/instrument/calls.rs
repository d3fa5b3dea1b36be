//! Calls and what they are given.

use super::Walk;
use super::expressions::Record;
use super::table::NodeId;
use oxc_ast::ast::{Argument, CallExpression, Expression, NewExpression};

impl Walk<'_> {
    pub(super) fn call(&mut self, node: NodeId, call: &CallExpression<'_>) {
        let callee = self.callee(&call.callee);
        self.set(node, "o", callee);
        self.arguments(node, &call.arguments);
    }

    pub(super) fn new_object(&mut self, node: NodeId, new: &NewExpression<'_>) {
        // A call in it would be what `new` is applied to.
        let callee = self.quietly(|walk| walk.expression(&new.callee, Record::No));
        self.set(node, "o", callee);
        self.arguments(node, &new.arguments);
    }

    pub(super) fn arguments(&mut self, node: NodeId, arguments: &[Argument<'_>]) {
        let arguments: Vec<NodeId> = arguments
            .iter()
            .filter_map(|argument| match argument {
                Argument::SpreadElement(spread) => Some(self.spread(spread.span, &spread.argument)),
                argument => argument.as_expression().map(|inner| self.value(inner)),
            })
            .collect();
        self.set(node, "a", arguments);
    }

    /// What is called: the object of a method is recorded, the method is not, so that `this` stays.
    pub(super) fn callee(&mut self, callee: &Expression<'_>) -> NodeId {
        match callee {
            Expression::ParenthesizedExpression(inner) => self.callee(&inner.expression),
            Expression::CallExpression(_) | Expression::LogicalExpression(_) => self.value(callee),
            _ => self.expression(callee, Record::No),
        }
    }
}
