//! What is evaluated always, once, and before what.

use super::{File, ancestors};
use crate::operations::Refused;
use crate::operations::scoped::{Binding, Role, ScopeKind, Space};
use tree_sitter::Node;

impl File<'_> {
    /// The statement whose evaluation an expression is always and once a part of.
    pub(super) fn statement_of<'t>(&self, node: Node<'t>) -> Result<Node<'t>, Refused> {
        let mut below = node;
        while let Some(above) = below.parent() {
            if self.grammar.blocks.contains(&above.kind()) {
                return Ok(below);
            }
            if !self.is_sure(above, below) {
                let kind = above.kind().replace('_', " ");
                let why = format!("it stands in a {kind}: it may run never, or more than once");
                return Err(self.unsure(node, why));
            }
            below = above;
        }
        Err(self.unsure(node, "it stands in no statement"))
    }

    /// Whether a part is evaluated once whenever the whole is.
    fn is_sure(&self, whole: Node<'_>, part: Node<'_>) -> bool {
        let is = |field: &str| whole.child_by_field_name(field) == Some(part);
        let optional = |field: &str| {
            whole.child_by_field_name(field).is_some_and(|before| self.text(before).contains("?."))
                || whole.child_by_field_name("optional_chain").is_some()
        };
        match whole.kind() {
            "binary_expression" => {
                let operator = whole.child_by_field_name("operator").map(|operator| self.text(operator));
                !matches!(operator, Some("&&" | "||" | "??")) || is("left")
            }
            "ternary_expression" | "if_statement" => is("condition"),
            "call_expression" => is("function") || !optional("function"),
            "new_expression" | "method_invocation" | "object_creation_expression" => true,
            "member_expression" | "field_access" => is("object"),
            "subscript_expression" => is("object") || !optional("object"),
            "array_access" => true,
            "assignment_expression" => {
                let operator = whole.child_by_field_name("operator").map(|operator| self.text(operator));
                is("right") && operator.is_none_or(|operator| operator == "=")
            }
            "variable_declarator" => is("value"),
            "pair" => is("value"),
            "switch_statement" => is("value"),
            "switch_expression" => {
                is("condition")
                    && whole.parent().is_some_and(|above| {
                        above.kind() == "expression_statement" || self.grammar.blocks.contains(&above.kind())
                    })
            }
            "for_in_statement" => is("right"),
            "enhanced_for_statement" => is("value"),
            "instanceof_expression" => is("left"),
            "cast_expression" => is("value"),
            "unary_expression" => {
                let word = self.text(whole);
                !word.starts_with("delete") && !word.starts_with("typeof")
            }
            "arguments"
            | "argument_list"
            | "array"
            | "object"
            | "spread_element"
            | "parenthesized_expression"
            | "template_string"
            | "template_substitution"
            | "await_expression"
            | "as_expression"
            | "satisfies_expression"
            | "non_null_expression"
            | "lexical_declaration"
            | "variable_declaration"
            | "local_variable_declaration"
            | "expression_statement"
            | "return_statement"
            | "throw_statement"
            | "export_statement"
            | "jsx_expression"
            | "jsx_element"
            | "jsx_self_closing_element"
            | "jsx_opening_element"
            | "jsx_attribute"
            | "jsx_fragment" => true,
            _ => false,
        }
    }

    /// Nothing that acts may run before the expression in its statement, and nothing that it may change may be read.
    pub(super) fn may_run_first(&self, statement: Node<'_>, node: Node<'_>) -> Result<(), Refused> {
        if self.is_literal(node) {
            return Ok(());
        }
        let before: Vec<Node<'_>> =
            self.running(statement).into_iter().filter(|one| one.end_byte() <= node.start_byte()).collect();
        if let Some(action) = before.iter().find(|one| self.grammar.actions.contains(&one.kind())) {
            let why = format!("`{}` runs before it now and would run after it", self.text(*action));
            return Err(self.unsure(*action, why));
        }
        if !self.acts(node) {
            return Ok(());
        }
        let onward: Vec<Node<'_>> = ancestors(node).take_while(|above| *above != statement).collect();
        for one in before {
            let field = |name: &str| onward.iter().any(|above| above.child_by_field_name(name) == Some(one));
            let reads = match one.kind() {
                // What is called, and where the result goes, is looked up before and rarely changes meanwhile.
                "member_expression" | "field_access" | "subscript_expression" | "array_access" => {
                    let looked_up = ["function", "left", "object", "constructor"].into_iter().any(field);
                    !looked_up && !within(one, &onward)
                }
                "identifier" => !self.is_fixed(one),
                _ => false,
            };
            if reads {
                let why = format!("`{}` is read before it now and would be read after it", self.text(one));
                return Err(self.unsure(one, why));
            }
        }
        Ok(())
    }

    /// Whether a name is surely the same later: bound once, or nothing of the program at all.
    pub(super) fn is_fixed(&self, node: Node<'_>) -> bool {
        let Some(one) = self.names.at(node.start_byte()).filter(|one| one.range == node.byte_range()) else {
            return true;
        };
        if one.role != Role::Read {
            return true;
        }
        match self.names.resolve_one(one) {
            Some(scope) => {
                let field = self
                    .names
                    .of(scope, one.name)
                    .any(|other| matches!(other.role, Role::Bind(Binding::Field)));
                !field && self.names.is_constant(scope, one.name) && !self.is_aliased(scope)
            }
            // A name of the language or of a library; in Java it may be an inherited field.
            None => self.grammar.typed != super::Typed::Always || one.space == Space::Type,
        }
    }

    /// In JavaScript a parameter may be written through `arguments`.
    fn is_aliased(&self, scope: usize) -> bool {
        self.names.scopes[scope].kind == ScopeKind::Function
            && self
                .names
                .occurrences
                .iter()
                .any(|one| one.name == "arguments" && self.names.function_of(one.scope) == Some(scope))
    }

    /// No name that the statement itself binds may be needed before it.
    pub(super) fn needs_nothing_of(&self, statement: Node<'_>, node: Node<'_>) -> Result<(), Refused> {
        let inside = |range: &std::ops::Range<usize>, node: Node<'_>| {
            node.start_byte() <= range.start && range.end <= node.end_byte()
        };
        for read in self.names.occurrences.iter().filter(|one| inside(&one.range, node)) {
            let Some(home) = self.names.resolve_one(read) else { continue };
            let own = self.names.of(home, read.name).any(|one| {
                matches!(one.role, Role::Bind(_))
                    && inside(&one.range, statement)
                    && !inside(&one.range, node)
            });
            let outer = self.names.scopes[home].kind != ScopeKind::File || own;
            if own && outer {
                return Err(self.unsure(node, format!("{} is defined by the statement itself", read.name)));
            }
        }
        Ok(())
    }
}

/// A part of what is called further out: `a.b` of `a.b.c(node)`.
fn within(one: Node<'_>, onward: &[Node<'_>]) -> bool {
    onward.iter().any(|above| {
        ["function", "left", "object", "constructor"].iter().any(|field| {
            above.child_by_field_name(field).is_some_and(|called| {
                called.start_byte() <= one.start_byte() && one.end_byte() <= called.end_byte()
            })
        })
    })
}
