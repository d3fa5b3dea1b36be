//! What functions take.

use super::{Lowering, span_of};
use crate::dialect::Dialect;
use crate::expression::ExprKind;
use crate::lang::Role;
use crate::unit::{Parameter, ParameterKind};
use tree_sitter::Node;

impl<'a> Lowering<'a> {
    pub(super) fn parameters(&mut self, node: Node<'_>, in_class: bool) -> Vec<Parameter<'a>> {
        if let Some(one) = self.field(node, "parameter") {
            return vec![self.parameter(one)];
        }
        if let Some(declarator) = self.field(node, "declarator") {
            return self.c_parameters(declarator);
        }
        match self.field(node, "parameters") {
            Some(list) if self.role(list) == Role::Name => vec![self.parameter(list)],
            Some(list) => self.parameter_list(list, in_class),
            None => Vec::new(),
        }
    }

    /// The parameters inside of C's declarators.
    pub(super) fn c_parameters(&mut self, declarator: Node<'_>) -> Vec<Parameter<'a>> {
        let mut at = declarator;
        for _ in 0..20 {
            if let Some(list) = self.field(at, "parameters") {
                let mut found = self.parameter_list(list, false);
                if let [only] = found.as_slice()
                    && only.annotation == Some("void")
                    && only.name.is_empty()
                {
                    found.clear();
                }
                return found;
            }
            let inner = self.field(at, "declarator").or_else(|| self.children(at).last().copied());
            match inner {
                Some(inner) => at = inner,
                None => break,
            }
        }
        Vec::new()
    }

    pub(super) fn parameter_list(&mut self, list: Node<'_>, in_class: bool) -> Vec<Parameter<'a>> {
        let mut found = Vec::new();
        let mut keyword_only = false;
        for child in self.children(list) {
            match child.kind() {
                "keyword_separator" => keyword_only = true,
                "positional_separator" | "attribute_item" | "comment" => {}
                "parameter_declaration" if self.dialect() == Dialect::Go => {
                    self.go_parameters(child, &mut found)
                }
                _ => {
                    let mut parameter = self.parameter(child);
                    if keyword_only && parameter.kind == ParameterKind::Normal {
                        parameter.kind = ParameterKind::KeywordOnly;
                    }
                    keyword_only |=
                        parameter.kind == ParameterKind::Rest && self.dialect() == Dialect::Python;
                    found.push(parameter);
                }
            }
        }
        if in_class
            && self.dialect() == Dialect::Python
            && let Some(first) = found.first_mut()
            && matches!(first.name, "self" | "cls" | "mcs" | "mcls" | "metacls")
        {
            first.kind = ParameterKind::Receiver;
        }
        found
    }

    fn go_parameters(&mut self, node: Node<'_>, found: &mut Vec<Parameter<'a>>) {
        let annotation = self.type_text(self.field(node, "type"));
        let names = self.fields(node, "name");
        if names.is_empty() {
            found.push(Parameter { annotation, ..blank(node) });
        }
        for name in names {
            found.push(Parameter { name: self.text(name), annotation, ..blank(name) });
        }
    }

    fn parameter(&mut self, node: Node<'_>) -> Parameter<'a> {
        let mut parameter = blank(node);
        parameter.annotation = self.type_text(self.field(node, "type"));
        let default = self.any_field(node, &["value", "default_value", "right"]);
        parameter.default = default.map(|default| self.expr(default));
        parameter.decorators = self.annotations(node);
        if matches!(node.kind(), "self_parameter" | "receiver_parameter") {
            parameter.name = if node.kind() == "self_parameter" { "self" } else { "this" };
            parameter.kind = ParameterKind::Receiver;
            return parameter;
        }
        if matches!(node.kind(), "variadic_parameter" | "spread_parameter")
            || node.kind().starts_with("variadic_parameter")
        {
            parameter.kind = ParameterKind::Rest;
        }
        let mut at = self
            .any_field(node, &["pattern", "name", "left", "declarator"])
            .or_else(|| self.inner_parameter(node))
            .unwrap_or(node);
        if self.role(at) == Role::Spread || at.kind() == "rest_pattern" {
            let double = at.kind().starts_with("dictionary") || self.text(at).starts_with("**");
            parameter.kind = if double { ParameterKind::KeywordRest } else { ParameterKind::Rest };
            if let Some(inner) = self.children(at).first().copied() {
                at = inner;
            }
        }
        if at.kind().ends_with("declarator") {
            (parameter.name, parameter.span) = self.declared_name(at);
        } else if self.role(at) == Role::Name {
            (parameter.name, parameter.span) = (self.text(at), span_of(at));
        } else if !matches!(self.role(at), Role::Type | Role::Skip)
            && !at.kind().ends_with("parameter_declaration")
        {
            let pattern = self.expr(at);
            // `mut x` and `&x` are names after all.
            if let ExprKind::Name(name) = self.unit.kind(pattern) {
                (parameter.name, parameter.span) = (*name, self.unit.expr(pattern).span);
            } else {
                parameter.pattern = Some(pattern);
            }
        }
        if parameter.name == "this" && self.dialect() != Dialect::Java {
            parameter.kind = ParameterKind::Receiver;
        }
        parameter
    }

    /// What a typed parameter wraps without naming it by a field.
    fn inner_parameter<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        match node.kind() {
            "typed_parameter" | "spread_parameter" => {
                let kind = self.field(node, "type").map(|kind| kind.id());
                self.children(node).into_iter().find(|child| {
                    Some(child.id()) != kind
                        && (matches!(self.role(*child), Role::Name | Role::Spread)
                            && child.kind() != "type_identifier"
                            || child.kind() == "variable_declarator")
                })
            }
            _ => None,
        }
    }
}

fn blank<'a>(node: Node<'_>) -> Parameter<'a> {
    Parameter {
        name: "",
        span: span_of(node),
        kind: ParameterKind::Normal,
        annotation: None,
        default: None,
        pattern: None,
        decorators: Vec::new(),
    }
}
