//! Lists, dictionaries, objects, struct literals and comprehensions.

use super::{Lowering, span_of};
use crate::dialect::Dialect;
use crate::expression::{Clause, CollectionKind, ExprKind, Item, ItemKey};
use crate::lang::Role;
use tree_sitter::Node;

impl<'a> Lowering<'a> {
    pub(super) fn collection(&mut self, node: Node<'_>, kind: CollectionKind) -> ExprKind<'a> {
        let mut items = Vec::new();
        let holder =
            if self.dialect() == Dialect::Cpp { node } else { self.field(node, "body").unwrap_or(node) };
        let named = self.any_field(node, &["type", "name"]).map(|name| name.id());
        let mut kind = kind;
        if self.dialect() == Dialect::Go
            && let Some(written) = self.field(node, "type")
        {
            kind = match written.kind() {
                "slice_type" | "array_type" | "implicit_length_array_type" => CollectionKind::List,
                "map_type" => CollectionKind::Dict,
                _ => CollectionKind::Object,
            };
        }
        if let Some(name) = self.any_field(node, &["type", "name"])
            && !matches!(self.role(name), Role::Type)
            && node.kind() != "array_creation_expression"
        {
            // `Point { x }` reads Point.
            let value = self.expr(name);
            items.push(Item { key: Some(ItemKey::Name("")), value });
        }
        for child in self.children(holder) {
            if Some(child.id()) == named || matches!(self.role(child), Role::Skip) {
                continue;
            }
            self.item(child, &mut items);
        }
        ExprKind::Collection { kind, items }
    }

    fn item(&mut self, node: Node<'_>, items: &mut Vec<Item<'a>>) {
        match node.kind() {
            "pair" | "pair_pattern" | "keyed_element" | "field_initializer" | "field_pattern"
            | "initializer_pair" => {
                let key = self.any_field(node, &["key", "field", "name", "designator"]);
                let value = self.any_field(node, &["value", "pattern"]);
                let key = match key {
                    Some(key)
                        if matches!(self.role(key), Role::Name) && self.dialect() != Dialect::Python =>
                    {
                        Some(ItemKey::Name(self.text(key)))
                    }
                    Some(key) if key.kind() == "literal_element" && self.dialect() == Dialect::Go => {
                        Some(self.go_key(key))
                    }
                    Some(key) => Some(ItemKey::Value(self.expr(key))),
                    None => None,
                };
                let Some(value) = value.or_else(|| self.any_field(node, &["name"])) else { return };
                let value_id = self.expr(value);
                if let (Some(ItemKey::Name(name)), ExprKind::Lambda(function)) =
                    (&key, self.unit.kind(value_id))
                {
                    let (name, function) = (*name, *function);
                    self.call_lambda(function, name, span_of(node));
                }
                items.push(Item { key, value: value_id });
            }
            "shorthand_field_initializer"
            | "shorthand_property_identifier"
            | "shorthand_property_identifier_pattern" => {
                let value = self.add(ExprKind::Name(self.text(node)), span_of(node));
                items.push(Item { key: Some(ItemKey::Name(self.text(node))), value });
            }
            "field_initializer_list" | "array_initializer" => {
                for child in self.children(node) {
                    self.item(child, items);
                }
            }
            "method_definition" => {
                let id = self.function(node, true);
                let name = self.unit.function(id).name;
                let value = self.add(ExprKind::Lambda(id), span_of(node));
                items.push(Item { key: Some(ItemKey::Name(name)), value });
            }
            "remaining_field_pattern" => {}
            _ => {
                let value = self.expr(node);
                items.push(Item { key: None, value });
            }
        }
    }

    fn go_key(&mut self, key: Node<'_>) -> ItemKey<'a> {
        match self.children(key).first().copied() {
            // A field's name or a constant: the grammar cannot tell, so it counts as read.
            Some(inner) => ItemKey::Value(self.expr(inner)),
            None => ItemKey::Name(self.text(key)),
        }
    }

    pub(super) fn comprehension(&mut self, node: Node<'_>, kind: CollectionKind) -> ExprKind<'a> {
        let mut elements = Vec::new();
        if let Some(body) = self.field(node, "body") {
            match (self.field(body, "key"), self.field(body, "value")) {
                (Some(key), Some(value)) if body.kind() == "pair" => {
                    elements.push(self.expr(key));
                    elements.push(self.expr(value));
                }
                _ => elements.push(self.expr(body)),
            }
        }
        let mut clauses: Vec<Clause> = Vec::new();
        for child in self.children(node) {
            match child.kind() {
                "for_in_clause" => {
                    if let (Some(left), Some(right)) = (self.field(child, "left"), self.field(child, "right"))
                    {
                        let target = self.expr(left);
                        let iterable = self.expr(right);
                        clauses.push(Clause { target, iterable, conditions: Vec::new() });
                    }
                }
                "if_clause" => {
                    if let Some(inner) = self.children(child).first().copied() {
                        let condition = self.expr(inner);
                        if let Some(clause) = clauses.last_mut() {
                            clause.conditions.push(condition);
                        }
                    }
                }
                _ => {}
            }
        }
        ExprKind::Comprehension { kind, elements, clauses }
    }
}
