//! An expression becomes a variable.

use super::{File, Grammar, Typed, ancestors, grown, named_well, names};
use crate::operations::free::unused;
use crate::operations::lines::{alone_on_its_lines, indent_of, line_end, short, trimmed};
use crate::operations::{Refactored, Refused, changed, unsure};
use formicary_search::Source;
use formicary_search::rewrite::edit::Edit;
use std::ops::Range;
use tree_sitter::Node;

/// Gives an expression a name before the statement that holds it.
pub(in crate::operations) fn extract_variable(
    grammar: &'static Grammar,
    source: &Source,
    range: Range<usize>,
    name: &str,
) -> Result<Refactored, Refused> {
    named_well(source, name)?;
    let tree = grown(source)?;
    let found = names(source, &tree);
    let file = File { grammar, source, tree: &tree, names: &found };
    let range = trimmed(source, range);
    let node = tree.root_node().named_descendant_for_byte_range(range.start, range.end);
    let node = node.filter(|node| node.byte_range() == range && grammar.expressions.contains(&node.kind()));
    let Some(node) = node else {
        return Err(unsure(source, range.start, "the selection is not one whole expression"));
    };
    file.is_value(node)?;
    let statement = file.statement_of(node)?;
    alone_on_its_lines(source, statement)?;
    file.may_run_first(statement, node)?;
    file.needs_nothing_of(statement, node)?;
    unused(source, &found, name)?;
    let indent = indent_of(source, statement.start_byte());
    let declared = match grammar.typed {
        Typed::Never | Typed::Parameters => "const".to_owned(),
        Typed::Always => file.type_of_extracted(node)?,
    };
    let written = file.text(node);
    let end = line_end(source);
    let edits = vec![
        Edit {
            range: statement.start_byte()..statement.start_byte(),
            text: format!("{declared} {name} = {written};{end}{indent}"),
        },
        Edit { range, text: name.to_owned() },
    ];
    Ok(Refactored {
        what: format!("`{}` is called {name}", short(written)),
        changes: vec![changed(source, edits)?],
    })
}

impl File<'_> {
    /// A place where a value is read, not one where it is written, named or called with its owner.
    fn is_value(&self, node: Node<'_>) -> Result<(), Refused> {
        let Some(parent) = node.parent() else { return Ok(()) };
        let is = |field: &str| parent.child_by_field_name(field) == Some(node);
        let dotted = matches!(node.kind(), "member_expression" | "subscript_expression");
        let why = match parent.kind() {
            "expression_statement" => "it is a whole statement",
            "assignment_expression" | "augmented_assignment_expression" | "for_in_statement"
                if is("left") =>
            {
                "a value is put there"
            }
            "update_expression" => "a value is put there",
            "unary_expression" if self.text(parent).starts_with("delete") => "it is deleted",
            "call_expression" if is("function") && dotted => "it is called with what stands before its dot",
            "call_expression" if is("function") && self.text(node) == "eval" => "eval sees every name around",
            "method_invocation" if is("name") => "it is a method's name",
            "field_access" if is("field") => "it is a field's name",
            "method_reference"
            | "explicit_constructor_invocation"
            | "switch_label"
            | "annotation_argument_list"
            | "element_value_pair"
            | "variable_declarator"
                if !is("value") =>
            {
                "it is no value"
            }
            _ if is("name") || is("pattern") || is("label") => "it is a name",
            _ => "",
        };
        if !why.is_empty() {
            return Err(self.unsure(node, why));
        }
        // `a?.b` in `a?.b.c` decides over the rest, too.
        let chain = |above: &Node<'_>| {
            matches!(above.kind(), "member_expression" | "subscript_expression" | "call_expression")
        };
        let inside = ancestors(node).take_while(chain).last();
        if inside.is_some_and(|_| self.text(node).contains("?.")) {
            return Err(self.unsure(node, "it decides whether the rest of its chain is evaluated"));
        }
        let named_function = |one: &&Node<'_>| matches!(one.kind(), "super" | "yield_expression");
        match self.running(node).iter().find(|one| named_function(one)) {
            Some(one) => Err(self.unsure(*one, "it belongs to where it stands")),
            None => Ok(()),
        }
    }
}
