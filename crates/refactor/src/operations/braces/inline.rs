//! A variable becomes what it stands for.

use super::{File, Grammar, Typed, ancestors, grown, names};
use crate::operations::lines::{alone_on_its_lines, line_start};
use crate::operations::scoped::{Binding, Form, Occurrence, Role, Space};
use crate::operations::{Refactored, Refused, changed, unsure};
use formicary_search::Source;
use formicary_search::rewrite::edit::Edit;
use tree_sitter::Node;

/// Puts what a local variable stands for in place of it, and removes the variable.
pub(in crate::operations) fn inline(
    grammar: &'static Grammar,
    source: &Source,
    offset: usize,
) -> Result<Refactored, Refused> {
    let tree = grown(source)?;
    let found = names(source, &tree);
    let file = File { grammar, source, tree: &tree, names: &found };
    let chosen =
        found.at(offset).ok_or_else(|| unsure(source, offset, "no name of a variable stands here"))?;
    let name = chosen.name;
    let scope = found.resolve_one(chosen).filter(|scope| found.function_of(*scope).is_some());
    let Some(scope) = scope else {
        return Err(unsure(source, offset, format!("{name} is not a variable of a function")));
    };
    if let Some((_, at, why)) = found.dynamic.iter().find(|(inner, ..)| found.is_within(*inner, scope)) {
        return Err(unsure(source, *at, *why));
    }
    let all: Vec<&Occurrence<'_>> = found.of(scope, name).collect();
    if let Some(written) = all.iter().find(|one| one.role.writes()) {
        return Err(unsure(source, written.range.start, format!("{name} is written again here")));
    }
    let (bound, reads): (Vec<&Occurrence<'_>>, Vec<&Occurrence<'_>>) =
        all.iter().copied().partition(|one| matches!(one.role, Role::Bind(_)));
    let [definition] = bound.as_slice() else {
        return Err(unsure(source, offset, format!("{name} is written {} times", bound.len())));
    };
    if reads.is_empty() {
        return Err(unsure(source, offset, format!("{name} is never read")));
    }
    let (statement, value) = file.definition(definition)?;
    alone_on_its_lines(source, statement)?;
    if grammar.typed == Typed::Always {
        file.keeps_type(statement, value, &reads)?;
    }
    let stable = file.is_stable(value);
    let mut edits = vec![removal(source, statement)?];
    for read in &reads {
        let node = tree.root_node().descendant_for_byte_range(read.range.start, read.range.end);
        let node = node.ok_or_else(|| unsure(source, read.range.start, "it cannot be found"))?;
        if read.range.start < statement.end_byte() {
            return Err(file.unsure(node, "it is read before it is set"));
        }
        file.keeps_meaning(value, read)?;
        if !stable {
            file.only_next(statement, value, node, reads.len())?;
        }
        edits.push(Edit { range: read.range.clone(), text: file.written_at(value, read, node)? });
    }
    let what = format!("{name} is what it stood for in {} places", reads.len());
    Ok(Refactored { what, changes: vec![changed(source, edits)?] })
}

impl File<'_> {
    /// The statement that sets the variable, alone, and the value.
    fn definition(&self, definition: &Occurrence<'_>) -> Result<(Node<'_>, Node<'_>), Refused> {
        let target =
            self.tree.root_node().descendant_for_byte_range(definition.range.start, definition.range.end);
        let refused = || {
            let why = format!("{} is not set by a plain declaration of its own", definition.name);
            unsure(self.source, definition.range.start, why)
        };
        if !matches!(definition.role, Role::Bind(Binding::Variable | Binding::Hoisted)) {
            return Err(refused());
        }
        let declarator = target
            .and_then(|target| target.parent())
            .filter(|parent| {
                parent.kind() == "variable_declarator" && parent.child_by_field_name("name") == target
            })
            .ok_or_else(refused)?;
        let value = declarator.child_by_field_name("value").ok_or_else(refused)?;
        let statement = declarator.parent().ok_or_else(refused)?;
        let mut cursor = statement.walk();
        let declarators = statement
            .named_children(&mut cursor)
            .filter(|child| child.kind() == "variable_declarator")
            .count();
        let in_block = statement.parent().is_some_and(|parent| self.grammar.blocks.contains(&parent.kind()));
        let annotated = declarator.child_by_field_name("type").is_some();
        if declarators != 1 || !in_block || annotated || value.kind() == "array_initializer" {
            return Err(refused());
        }
        Ok((statement, value))
    }

    /// Whether the value is the same whenever it is evaluated: literals, and names that are set once, with operators.
    fn is_stable(&self, value: Node<'_>) -> bool {
        self.running(value).iter().all(|node| match node.kind() {
            "identifier" => {
                let one = self.names.at(node.start_byte());
                let home = one.and_then(|one| self.names.resolve_one(one));
                home.is_some_and(|home| self.names.function_of(home).is_some()) && self.is_fixed(*node)
            }
            "binary_expression" | "unary_expression" | "parenthesized_expression" => {
                !self.text(*node).starts_with("delete")
            }
            _ => self.is_literal(*node),
        })
    }

    /// The names in the value must mean the same where it goes.
    fn keeps_meaning(&self, value: Node<'_>, read: &Occurrence<'_>) -> Result<(), Refused> {
        let inside = |one: &&Occurrence<'_>| {
            value.start_byte() <= one.range.start && one.range.end <= value.end_byte()
        };
        for one in self.names.occurrences.iter().filter(inside) {
            let here = self.names.resolve_one(one);
            let own = here.is_some_and(|here| {
                let range = &self.names.scopes[here].range;
                value.start_byte() <= range.start && range.end <= value.end_byte()
            });
            if !own && self.names.resolve(read.scope, one.name, Space::Both) != here {
                let why = format!("{} means something else where it would go", one.name);
                return Err(unsure(self.source, one.range.start, why));
            }
        }
        let function = self.names.function_of(read.scope);
        let value_scope = self.names.scope_at(&value.byte_range());
        let tied = |node: &&Node<'_>| {
            matches!(
                node.kind(),
                "this" | "super" | "await_expression" | "yield_expression" | "meta_property"
            ) || self.text(**node) == "arguments"
        };
        if function != self.names.function_of(value_scope)
            && let Some(tied) = self.running(value).iter().find(|node| tied(node))
        {
            return Err(self.unsure(*tied, "it means something else in another function"));
        }
        Ok(())
    }

    /// A value that may change must go into the very next statement, once, before anything else happens there.
    fn only_next(
        &self,
        statement: Node<'_>,
        value: Node<'_>,
        read: Node<'_>,
        count: usize,
    ) -> Result<(), Refused> {
        if count > 1 {
            let why = format!("`{}` may not give the same every time", self.text(value));
            return Err(self.unsure(read, why));
        }
        let mut next = statement.next_named_sibling();
        while let Some(comment) = next.filter(|next| next.kind().contains("comment")) {
            next = comment.next_named_sibling();
        }
        let Some(next) = next.filter(|next| next.byte_range().contains(&read.start_byte())) else {
            return Err(self.unsure(read, "something may happen between the variable and its use"));
        };
        if self.statement_of(read)? != next {
            return Err(
                self.unsure(read, "it stands in a block of its own: it may run never, or more than once")
            );
        }
        // A stand-in that acts, so that what is read before it counts.
        let before = self.running(next).into_iter().filter(|one| one.end_byte() <= read.start_byte());
        for one in before {
            let acts = self.grammar.actions.contains(&one.kind());
            if acts || self.acts(value) && one.kind() == "identifier" && !self.is_fixed(one) {
                return Err(self.unsure(one, "this would be evaluated before it"));
            }
        }
        Ok(())
    }

    /// The value as it must be written at a place.
    fn written_at(&self, value: Node<'_>, read: &Occurrence<'_>, node: Node<'_>) -> Result<String, Refused> {
        let written = self.text(value);
        let parent = node.parent();
        let is = |field: &str| parent.is_some_and(|parent| parent.child_by_field_name(field) == Some(node));
        if is("function") && matches!(value.kind(), "member_expression" | "subscript_expression") {
            return Err(self.unsure(node, "called there, it would be called with what stands before its dot"));
        }
        if parent.is_some_and(|parent| self.text(parent).starts_with("typeof")) {
            return Err(self.unsure(node, "its type is asked for"));
        }
        if read.form == Form::Exported
            || parent.is_some_and(|parent| parent.kind().starts_with("jsx"))
                && value.kind() != "identifier"
                && !is_braced(node)
        {
            return Err(self.unsure(node, "it is needed as a name there"));
        }
        let key = if read.form == Form::Shorthand { format!("{}: ", read.name) } else { String::new() };
        let kind = value.kind();
        let dotted = matches!(kind, "member_expression" | "call_expression")
            && !written.contains("?.")
            && !is("constructor");
        let open = is_braced(node)
            || parent.is_some_and(|parent| {
                self.grammar.open.contains(&parent.kind()) && !is("function") && kind != "sequence_expression"
            });
        let bare = self.grammar.whole.contains(&kind) || dotted || open || !key.is_empty();
        let many_lines =
            written.contains('\n') && parent.is_some_and(|parent| parent.kind() == "return_statement");
        let starts_block = parent.is_some_and(|parent| parent.kind() == "expression_statement");
        let leads = ancestors(node).find(|above| above.kind().ends_with("_statement"));
        let leads = leads.is_some_and(|statement| statement.start_byte() == node.start_byte());
        if leads
            && self.grammar.typed != Typed::Always
            && !matches!(kind, "identifier" | "call_expression" | "member_expression")
        {
            return Err(self.unsure(node, "at the beginning of a statement it may be read as something else"));
        }
        let text =
            if bare && !many_lines && !starts_block { written.to_owned() } else { format!("({written})") };
        Ok(format!("{key}{text}"))
    }
}

fn is_braced(node: Node<'_>) -> bool {
    ancestors(node).next().is_some_and(|parent| parent.kind() == "jsx_expression")
}

fn removal(source: &Source, statement: Node<'_>) -> Result<Edit, Refused> {
    let start = line_start(source, statement.start_byte());
    let rest = source.text().get(statement.end_byte()..).unwrap_or("");
    let line = rest.split('\n').next().unwrap_or("");
    if !line.trim().is_empty() {
        return Err(unsure(
            source,
            statement.end_byte(),
            "other code or a comment stands behind it on its line",
        ));
    }
    let end = (statement.end_byte() + line.len() + 1).min(source.text().len());
    Ok(Edit { range: start..end, text: String::new() })
}
