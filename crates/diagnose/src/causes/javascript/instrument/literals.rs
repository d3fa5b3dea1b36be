//! Literals of arrays and objects.

use super::Walk;
use super::table::NodeId;
use oxc_ast::ast::{
    ArrayExpressionElement, Expression, ObjectExpression, ObjectPropertyKind, PropertyKey, PropertyKind,
};
use oxc_span::{GetSpan, Span};
use serde_json::{Value, json};

impl Walk<'_> {
    pub(super) fn element(&mut self, element: &ArrayExpressionElement<'_>) -> Option<NodeId> {
        match element {
            ArrayExpressionElement::Elision(_) => None,
            ArrayExpressionElement::SpreadElement(spread) => Some(self.spread(spread.span, &spread.argument)),
            element => element.as_expression().map(|inner| self.value(inner)),
        }
    }

    pub(super) fn spread(&mut self, span: Span, argument: &Expression<'_>) -> NodeId {
        let node = self.add("spread", span, json!({}));
        let inner = self.within(node, |walk| walk.value(argument));
        self.set(node, "a", inner);
        node
    }

    pub(super) fn object(&mut self, node: NodeId, object: &ObjectExpression<'_>) {
        let mut properties = Vec::new();
        for property in &object.properties {
            match property {
                ObjectPropertyKind::SpreadProperty(spread) => {
                    properties.push(json!([null, self.spread(spread.span, &spread.argument)]));
                }
                ObjectPropertyKind::ObjectProperty(property) => {
                    let key = match &property.key {
                        key if property.computed => {
                            key.as_expression().map(|key| json!({"c": self.value(key)})).unwrap_or_default()
                        }
                        key => key_name(key).map(Value::from).unwrap_or_default(),
                    };
                    if property.shorthand && self.quiet == 0 {
                        // `{ __proto__ }` is a property and `{ __proto__: x }` is not.
                        let name = self.text(property.value.span()).to_owned();
                        if name == "__proto__" {
                            continue;
                        }
                        self.insert(property.value.span().start, format!("{name}:"));
                    }
                    let value = match (&property.value, property.kind) {
                        (Expression::FunctionExpression(function), _) => {
                            let inner = self.add("fn", function.span, json!({}));
                            let name = key.as_str().unwrap_or_default().to_owned();
                            self.within(inner, |walk| walk.function(inner, function, &name));
                            inner
                        }
                        (value, _) => self.value(value),
                    };
                    let accessor = property.kind != PropertyKind::Init;
                    properties.push(json!([key, value, accessor]));
                }
            }
        }
        self.set(node, "c", properties);
    }
}

/// The name of a property that is written plainly.
pub(super) fn key_name(key: &PropertyKey<'_>) -> Option<String> {
    match key {
        PropertyKey::StaticIdentifier(name) => Some(name.name.to_string()),
        PropertyKey::PrivateIdentifier(name) => Some(format!("#{}", name.name)),
        PropertyKey::StringLiteral(text) => Some(text.value.to_string()),
        PropertyKey::NumericLiteral(number) => Some(number.value.to_string()),
        _ => None,
    }
}
