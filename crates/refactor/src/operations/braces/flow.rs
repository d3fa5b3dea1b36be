//! What goes into statements, and what comes out of them.

use super::{File, Typed};
use crate::operations::scoped::{Binding, Occurrence, Role, ScopeId, ScopeKind};
use crate::operations::{Refused, unsure};
use std::ops::Range;
use tree_sitter::Node;

/// A variable that goes in or comes out.
#[derive(Debug, Clone)]
pub(super) struct Passed {
    pub name: String,
    /// Where it is declared.
    pub home: ScopeId,
    /// Whether the statements declare it; otherwise they give it another value.
    pub declared: bool,
    /// Whether it is JavaScript's `var`.
    pub hoisted: bool,
    /// Whether it is given another value afterwards.
    pub changes: bool,
}

/// What goes in and what comes out.
#[derive(Debug, Default)]
pub(super) struct Flow {
    pub inputs: Vec<Passed>,
    pub outputs: Vec<Passed>,
}

impl File<'_> {
    pub(super) fn flow(
        &self,
        range: &Range<usize>,
        function: ScopeId,
        statements: &[Node<'_>],
    ) -> Result<Flow, Refused> {
        let mut flow = Flow::default();
        let mut seen: Vec<(ScopeId, &str)> = Vec::new();
        let inside = |one: &&Occurrence<'_>| range.start <= one.range.start && one.range.end <= range.end;
        for one in self.names.occurrences.iter().filter(inside) {
            let Some(home) = self.names.resolve_one(one) else { continue };
            let scope = &self.names.scopes[home];
            let within = range.start <= scope.range.start && scope.range.end <= range.end;
            let reachable = match self.grammar.typed {
                Typed::Always => matches!(scope.kind, ScopeKind::File | ScopeKind::Class),
                _ => scope.kind == ScopeKind::File,
            };
            if within || reachable || seen.contains(&(home, one.name)) {
                continue;
            }
            seen.push((home, one.name));
            self.variable(range, function, home, one, statements, &mut flow)?;
        }
        Ok(flow)
    }

    fn variable(
        &self,
        range: &Range<usize>,
        function: ScopeId,
        home: ScopeId,
        first: &Occurrence<'_>,
        statements: &[Node<'_>],
        flow: &mut Flow,
    ) -> Result<(), Refused> {
        let name = first.name;
        let refuse = |at: usize, why: String| Err(unsure(self.source, at, why));
        let all: Vec<&Occurrence<'_>> = self.names.of(home, name).collect();
        let (inside, outside): (Vec<&Occurrence<'_>>, Vec<&Occurrence<'_>>) =
            all.iter().partition(|one| range.start <= one.range.start && one.range.end <= range.end);
        let binds = |one: &&Occurrence<'_>| matches!(one.role, Role::Bind(_));
        let bound = inside.iter().find(|one| binds(one));
        let elsewhere = |one: &&&Occurrence<'_>| self.names.function_of(one.scope) != Some(function);
        let written_inside = inside.iter().any(|one| one.role.writes());
        let constant = self.names.is_constant(home, name);
        let mut passed = Passed {
            name: name.to_owned(),
            home,
            declared: bound.is_some(),
            hoisted: all.iter().any(|one| one.role == Role::Bind(Binding::Hoisted)),
            changes: outside.iter().any(|one| one.role.writes()),
        };
        if let Some(bound) = bound {
            if matches!(bound.role, Role::Bind(Binding::Function | Binding::Class | Binding::Type))
                && !outside.is_empty()
            {
                return refuse(bound.range.start, format!("{name} is used outside, too"));
            }
            if let Some(early) = outside.iter().find(|one| one.range.start < range.start) {
                return refuse(early.range.start, format!("{name} is used before it, too"));
            }
            if outside.is_empty() {
                return Ok(());
            }
            if !constant && let Some(kept) = inside.iter().find(elsewhere) {
                return refuse(kept.range.start, format!("a function inside keeps {name}"));
            }
            let definite = self.grammar.typed != Typed::Always || self.surely_sets(statements, name);
            if !definite {
                return refuse(bound.range.start, format!("{name} may not be set at the end"));
            }
            flow.outputs.push(passed);
            return Ok(());
        }
        if first.role == Role::Bind(Binding::Import)
            || all.iter().any(|one| one.role == Role::Bind(Binding::Type))
        {
            return refuse(first.range.start, format!("{name} is known only here"));
        }
        if !constant && let Some(kept) = inside.iter().find(elsewhere) {
            return refuse(kept.range.start, format!("a function inside keeps {name}"));
        }
        if !constant
            && let Some(other) =
                outside.iter().find(|one| elsewhere(one) && (written_inside || one.role.writes()))
        {
            return refuse(other.range.start, format!("another function sees {name} while this runs"));
        }
        let function_name = all.iter().any(|one| one.role == Role::Bind(Binding::Function));
        if function_name && written_inside {
            return refuse(first.range.start, format!("{name} is a function and is written"));
        }
        let sure = self.surely_sets(statements, name);
        let needs = inside.iter().any(|one| one.role.reads());
        if written_inside {
            passed.changes = true;
            flow.outputs.push(passed.clone());
        }
        if needs || !sure {
            if self.grammar.typed == Typed::Always && !self.is_set_before(home, name, range) {
                return refuse(first.range.start, format!("{name} may have no value here"));
            }
            flow.inputs.push(passed);
        }
        Ok(())
    }

    /// Whether one of the statements sets the name whatever happens.
    fn surely_sets(&self, statements: &[Node<'_>], name: &str) -> bool {
        let target = |node: Option<Node<'_>>| node.is_some_and(|node| self.text(node) == name);
        statements.iter().any(|statement| match statement.kind() {
            "expression_statement" => {
                let first = statement.named_child(0).filter(|child| child.kind() == "assignment_expression");
                first.is_some_and(|first| {
                    let operator = first.child_by_field_name("operator").map(|operator| self.text(operator));
                    target(first.child_by_field_name("left"))
                        && operator.is_none_or(|operator| operator == "=")
                })
            }
            "local_variable_declaration" | "lexical_declaration" | "variable_declaration" => {
                let mut cursor = statement.walk();
                statement.named_children(&mut cursor).any(|declarator| {
                    target(declarator.child_by_field_name("name"))
                        && declarator.child_by_field_name("value").is_some()
                })
            }
            _ => false,
        })
    }

    /// Java: a parameter, or a variable that its declaration gives a value.
    fn is_set_before(&self, home: ScopeId, name: &str, range: &Range<usize>) -> bool {
        let bound = self.names.of(home, name).find(|one| matches!(one.role, Role::Bind(_)));
        bound.is_some_and(|bound| {
            let node = self.tree.root_node().descendant_for_byte_range(bound.range.start, bound.range.end);
            let parent = node.and_then(|node| node.parent());
            bound.range.end <= range.start
                && parent.is_some_and(|parent| {
                    parent.kind() != "variable_declarator"
                        || parent.child_by_field_name("value").is_some()
                        || parent.parent().is_some_and(|above| above.kind() == "spread_parameter")
                })
        })
    }
}
