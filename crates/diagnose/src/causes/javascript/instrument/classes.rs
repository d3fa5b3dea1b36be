//! Classes: methods are functions, fields have values; what decides how the class is made stays as it is.

use super::Walk;
use super::expressions::Record;
use super::literals::key_name;
use super::table::NodeId;
use oxc_ast::ast::{Class, ClassElement, MethodDefinitionKind};
use serde_json::json;

impl Walk<'_> {
    pub(super) fn class(&mut self, node: NodeId, class: &Class<'_>) {
        if self.quiet > 0 {
            return;
        }
        if let Some(id) = &class.id {
            self.set(node, "n", id.name.as_str());
            if let Some(symbol) = self.declared(id) {
                self.write(symbol, json!({"k": "defined", "n": node}));
            }
        }
        if let Some(heritage) = &class.heritage {
            let parent = self.quietly(|walk| walk.expression(&heritage.expression, Record::No));
            self.set(node, "heritage", parent);
        }
        let mut fields = Vec::new();
        let mut methods = Vec::new();
        for element in &class.body.body {
            match element {
                ClassElement::MethodDefinition(method) => {
                    let name = key_name(&method.key).filter(|_| !method.computed).unwrap_or_default();
                    let kind = match method.kind {
                        MethodDefinitionKind::Constructor => "ctor",
                        MethodDefinitionKind::Method => "method",
                        MethodDefinitionKind::Get => "get",
                        MethodDefinitionKind::Set => "set",
                    };
                    let inner = self.add("fn", method.span, json!({"cls": node, "kind": kind}));
                    self.within(inner, |walk| walk.function(inner, &method.value, &name));
                    methods.push(json!([name, inner, kind, method.r#static]));
                }
                ClassElement::PropertyDefinition(field) if !field.declare => {
                    let name = key_name(&field.key).filter(|_| !field.computed).unwrap_or_default();
                    let value = match &field.value {
                        Some(value) => self.expression(value, Record::Always),
                        None => self.add("field", field.span, json!({})),
                    };
                    fields.push(json!([name, value, field.r#static]));
                }
                ClassElement::StaticBlock(block) => self.statements(&block.body),
                _ => {}
            }
        }
        self.set(node, "fields", fields);
        self.set(node, "methods", methods);
    }
}
