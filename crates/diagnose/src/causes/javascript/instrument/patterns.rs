//! Names that are bound by declarations, parameters and loops.

use super::Walk;
use super::expressions::Record;
use super::literals::key_name;
use super::table::NodeId;
use oxc_ast::ast::{BindingIdentifier, BindingPattern};
use serde_json::{Value, json};

/// A name of a pattern: its symbol, the keys that lead to it, and its default.
pub(super) struct Bound {
    pub symbol: usize,
    pub name: String,
    /// `null` stands for the rest.
    pub path: Vec<Value>,
    pub default: Option<NodeId>,
}

impl Walk<'_> {
    /// All names of a pattern; defaults in it are walked.
    pub(super) fn bound(&mut self, pattern: &BindingPattern<'_>) -> Vec<Bound> {
        let mut found = Vec::new();
        self.collect(pattern, &mut Vec::new(), None, &mut found);
        found
    }

    fn collect(
        &mut self,
        pattern: &BindingPattern<'_>,
        path: &mut Vec<Value>,
        default: Option<NodeId>,
        found: &mut Vec<Bound>,
    ) {
        match pattern {
            BindingPattern::BindingIdentifier(name) => {
                if let Some(symbol) = self.declared(name) {
                    found.push(Bound { symbol, name: name.name.to_string(), path: path.clone(), default });
                }
            }
            BindingPattern::AssignmentPattern(assigned) => {
                let default = self.expression(&assigned.right, Record::Varying);
                self.collect(&assigned.left, path, Some(default), found);
            }
            BindingPattern::ObjectPattern(object) => {
                for property in &object.properties {
                    let key = match property.computed {
                        true => None,
                        false => key_name(&property.key),
                    };
                    path.push(key.map(Value::from).unwrap_or_default());
                    self.collect(&property.value, path, default, found);
                    path.pop();
                }
                if let Some(rest) = &object.rest {
                    path.push(Value::Null);
                    self.collect(&rest.argument, path, default, found);
                    path.pop();
                }
            }
            BindingPattern::ArrayPattern(array) => {
                for (index, element) in array.elements.iter().enumerate() {
                    let Some(element) = element else { continue };
                    path.push(index.into());
                    self.collect(element, path, default, found);
                    path.pop();
                }
                if let Some(rest) = &array.rest {
                    path.push(Value::Null);
                    self.collect(&rest.argument, path, default, found);
                    path.pop();
                }
            }
        }
    }

    /// The symbol of a declaration, which belongs to the function around.
    pub(super) fn declared(&mut self, name: &BindingIdentifier<'_>) -> Option<usize> {
        let symbol = self.symbol(name.symbol_id.get()?);
        let function = self.function;
        self.table.symbols[symbol]["f"] = function.into();
        Some(symbol)
    }

    /// Every name of a pattern gets its value from an expression.
    pub(super) fn bind_from(&mut self, pattern: &BindingPattern<'_>, from: NodeId) {
        for bound in self.bound(pattern) {
            let write = json!({"k": "assigned", "n": from, "path": bound.path, "d": bound.default});
            self.write(bound.symbol, write);
        }
    }
}
