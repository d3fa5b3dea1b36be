//! What is written to: variables, members, and patterns of both.

use super::Walk;
use super::expressions::Record;
use super::literals::key_name;
use super::table::NodeId;
use oxc_ast::ast::{
    AssignmentExpression, AssignmentTarget, AssignmentTargetMaybeDefault, AssignmentTargetProperty,
    IdentifierReference, MemberExpression, SimpleAssignmentTarget, UpdateExpression,
};
use oxc_span::GetSpan;
use oxc_syntax::operator::AssignmentOperator;
use serde_json::{Value, json};

impl Walk<'_> {
    pub(super) fn assignment(&mut self, node: NodeId, assignment: &AssignmentExpression<'_>) {
        self.set(node, "op", assignment.operator.as_str());
        let plain = assignment.operator == AssignmentOperator::Assign;
        let target = match &assignment.left {
            AssignmentTarget::AssignmentTargetIdentifier(name) => self.target_name(name),
            AssignmentTarget::ArrayAssignmentTarget(_) | AssignmentTarget::ObjectAssignmentTarget(_) => {
                self.add("pattern", assignment.left.span(), json!({}))
            }
            other => self.target_member(other.as_member_expression(), assignment.left.span()),
        };
        self.set(node, "l", target);
        let place = self.table.nodes[target].end;
        self.set(node, "q", place);
        let right = self.expression(&assignment.right, Record::Always);
        self.set(node, "r", right);
        match &assignment.left {
            AssignmentTarget::AssignmentTargetIdentifier(name) => {
                let (kind, from) = if plain { ("assigned", right) } else { ("changed", node) };
                if let Some(symbol) = self.referred(name) {
                    self.write(symbol, json!({"k": kind, "n": from, "path": []}));
                }
            }
            pattern => self.target_pattern(pattern, right, &mut Vec::new()),
        }
    }

    pub(super) fn update(&mut self, node: NodeId, update: &UpdateExpression<'_>) {
        self.set(node, "op", update.operator.as_str());
        self.set(node, "prefix", update.prefix);
        match &update.argument {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(name) => {
                let target = self.target_name(name);
                self.set(node, "a", target);
                if let Some(symbol) = self.referred(name) {
                    self.write(symbol, json!({"k": "changed", "n": node, "path": []}));
                }
            }
            other => {
                let target = self.target_member(other.as_member_expression(), other.span());
                self.set(node, "a", target);
            }
        }
    }

    fn target_name(&mut self, name: &IdentifierReference<'_>) -> NodeId {
        let symbol = self.referred(name);
        self.add("id", name.span, json!({"n": name.name.as_str(), "y": symbol, "target": true}))
    }

    fn target_member(&mut self, member: Option<&MemberExpression<'_>>, span: oxc_span::Span) -> NodeId {
        let node = self.add("mem", span, json!({"target": true}));
        if let Some(member) = member {
            self.within(node, |walk| walk.member(node, member));
        }
        node
    }

    /// The names in a pattern that an expression is taken apart by.
    fn target_pattern(&mut self, target: &AssignmentTarget<'_>, from: NodeId, path: &mut Vec<Value>) {
        match target {
            AssignmentTarget::AssignmentTargetIdentifier(name) => {
                if let Some(symbol) = self.referred(name) {
                    let path = path.clone();
                    self.write(symbol, json!({"k": "assigned", "n": from, "path": path}));
                }
            }
            AssignmentTarget::ArrayAssignmentTarget(array) => {
                for (index, element) in array.elements.iter().enumerate() {
                    path.push(index.into());
                    match element {
                        Some(AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(element)) => {
                            self.target_pattern(&element.binding, from, path);
                        }
                        Some(element) => {
                            if let Some(target) = element.as_assignment_target() {
                                self.target_pattern(target, from, path);
                            }
                        }
                        None => {}
                    }
                    path.pop();
                }
            }
            AssignmentTarget::ObjectAssignmentTarget(object) => {
                for property in &object.properties {
                    match property {
                        AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(property) => {
                            if let Some(symbol) = self.referred(&property.binding) {
                                path.push(property.binding.name.as_str().into());
                                let whole = path.clone();
                                self.write(symbol, json!({"k": "assigned", "n": from, "path": whole}));
                                path.pop();
                            }
                        }
                        AssignmentTargetProperty::AssignmentTargetPropertyProperty(property) => {
                            let Some(key) = key_name(&property.name) else { continue };
                            path.push(key.into());
                            if let Some(target) = property.binding.as_assignment_target() {
                                self.target_pattern(target, from, path);
                            }
                            path.pop();
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// Notes that a symbol gets its value here.
    pub(super) fn write(&mut self, symbol: usize, write: Value) {
        if let Some(writes) = self.table.symbols[symbol]["writes"].as_array_mut() {
            writes.push(write);
        }
    }
}
