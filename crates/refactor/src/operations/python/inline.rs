//! A variable becomes what it stands for.

use super::extract::is_literal;
use super::names::{Names, Occurrence, Role, ScopeKind};
use crate::operations::lines::{alone_on_its_lines, find, line_start};
use crate::operations::{Refactored, Refused, changed, text, unsure};
use formicary_search::Source;
use formicary_search::rewrite::edit::Edit;
use formicary_syntax::Bounds;
use formicary_syntax::tree::tree;
use tree_sitter::Node;

/// Expressions that need no brackets wherever they stand.
const WHOLE: &[&str] = &[
    "identifier",
    "string",
    "integer",
    "float",
    "true",
    "false",
    "none",
    "call",
    "attribute",
    "subscript",
    "list",
    "dictionary",
    "set",
    "tuple",
    "parenthesized_expression",
    "list_comprehension",
    "dictionary_comprehension",
];
/// Places where an expression needs no brackets.
const OPEN: &[&str] =
    &["argument_list", "return_statement", "expression_statement", "parenthesized_expression"];

/// Puts what a local variable stands for in place of it, and removes the variable.
pub(in crate::operations) fn inline(source: &Source, offset: usize) -> Result<Refactored, Refused> {
    let tree = tree(source.dialect(), source.text(), Bounds::default())
        .map_err(|kind| Refused::Wrong(format!("{}: {}", source.path(), kind.message())))?;
    let names = Names::new(&tree, source.text());
    let chosen = names.at(offset).ok_or_else(|| unsure(source, offset, "no name stands here"))?;
    let name = chosen.name;
    let scope =
        names.resolve(chosen.scope, name).filter(|scope| names.scopes[*scope].kind == ScopeKind::Function);
    let Some(scope) = scope.filter(|_| !matches!(chosen.role, Role::Attribute(_) | Role::Keyword(_))) else {
        return Err(unsure(source, offset, format!("{name} is not a variable of a function")));
    };
    if let Some((_, at)) = names.dynamic.iter().find(|(inner, _)| names.is_within(*inner, scope)) {
        return Err(unsure(source, *at, "names may be looked up by their text here"));
    }
    let all: Vec<_> = names.of(scope, name).collect();
    let (bound, reads): (Vec<&Occurrence<'_>>, Vec<&Occurrence<'_>>) =
        all.iter().partition(|one| one.role.binds());
    let [definition] = bound.as_slice() else {
        return Err(unsure(source, offset, format!("{name} is written {} times", bound.len())));
    };
    if reads.is_empty() {
        return Err(unsure(source, offset, format!("{name} is never read")));
    }
    let target = tree.root_node().descendant_for_byte_range(definition.range.start, definition.range.end);
    let assignment = target.and_then(|target| target.parent()).filter(|parent| {
        parent.kind() == "assignment"
            && parent.child_by_field_name("left") == target
            && parent.child_by_field_name("type").is_none()
    });
    let statement = assignment
        .and_then(|assignment| assignment.parent())
        .filter(|parent| parent.kind() == "expression_statement");
    let value = assignment.and_then(|assignment| assignment.child_by_field_name("right"));
    let (Some(statement), Some(value)) = (statement, value.filter(|value| value.kind() != "assignment"))
    else {
        return Err(unsure(
            source,
            definition.range.start,
            format!("{name} is not set by a plain assignment"),
        ));
    };
    alone_on_its_lines(source, statement)?;
    let stable = is_stable(source, &names, scope, value);
    let mut edits = vec![removal(source, statement)?];
    for read in &reads {
        let node = tree.root_node().descendant_for_byte_range(read.range.start, read.range.end);
        let node = node.ok_or_else(|| unsure(source, read.range.start, "it cannot be found"))?;
        keeps_meaning(source, &names, value, read.scope, scope)?;
        if ancestors(node).any(|above| above.kind() == "interpolation") {
            return Err(unsure(source, read.range.start, "it stands inside of a formatted string"));
        }
        if !stable {
            only_next(source, statement, value, node, reads.len())?;
        }
        let written = text(source, &value.byte_range());
        let open = node.parent().is_some_and(|parent| OPEN.contains(&parent.kind()));
        let bare = WHOLE.contains(&value.kind())
            || open && value.kind() != "expression_list" && !written.contains('\n');
        let replacement = if bare { written.to_owned() } else { format!("({written})") };
        edits.push(Edit { range: read.range.clone(), text: replacement });
    }
    let what = format!("{name} is what it stood for in {} places", reads.len());
    Ok(Refactored { what, changes: vec![changed(source, edits)?] })
}

fn ancestors(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    std::iter::successors(node.parent(), Node::parent)
}

/// Whether the value is the same whenever it is evaluated: literals, and names that are set once.
fn is_stable(source: &Source, names: &Names<'_>, scope: usize, value: Node<'_>) -> bool {
    if is_literal(value) {
        return true;
    }
    let acts = |node: Node<'_>| {
        let kinds = [
            "call",
            "attribute",
            "subscript",
            "await",
            "yield",
            "list",
            "dictionary",
            "set",
            "lambda",
            "named_expression",
        ];
        kinds.contains(&node.kind())
            || node.kind().ends_with("comprehension")
            || node.kind() == "generator_expression"
    };
    if find(value, &|node| acts(node)).is_some() {
        return false;
    }
    let changing = |node: Node<'_>| {
        node.kind() == "identifier" && {
            let name = text(source, &node.byte_range());
            match names.resolve(scope, name) {
                Some(home) => {
                    names.scopes[home].kind != ScopeKind::Function
                        || names.of(home, name).filter(|one| one.role.binds()).count() != 1
                }
                None => true,
            }
        }
    };
    find(value, &|node| changing(node)).is_none()
}

/// The names in the value must mean the same where it goes.
fn keeps_meaning(
    source: &Source,
    names: &Names<'_>,
    value: Node<'_>,
    to: usize,
    from: usize,
) -> Result<(), Refused> {
    let differs = |node: Node<'_>| {
        node.kind() == "identifier" && {
            let name = text(source, &node.byte_range());
            names.resolve(to, name) != names.resolve(from, name)
        }
    };
    match find(value, &|node| differs(node)) {
        Some(node) => Err(unsure(
            source,
            node.start_byte(),
            format!("{} means something else where it would go", text(source, &node.byte_range())),
        )),
        None => Ok(()),
    }
}

/// A value that may change must go into the very next statement, once, before anything else happens there.
fn only_next(
    source: &Source,
    statement: Node<'_>,
    value: Node<'_>,
    read: Node<'_>,
    count: usize,
) -> Result<(), Refused> {
    let at = read.start_byte();
    if count > 1 {
        return Err(unsure(
            source,
            at,
            format!("`{}` may not give the same every time", text(source, &value.byte_range())),
        ));
    }
    let next = statement.next_named_sibling();
    let simple = next.filter(|next| {
        matches!(
            next.kind(),
            "expression_statement"
                | "return_statement"
                | "if_statement"
                | "for_statement"
                | "raise_statement"
        )
    });
    let Some(next) = simple.filter(|next| next.byte_range().contains(&at)) else {
        return Err(unsure(source, at, "something may happen between the variable and its use"));
    };
    let guard = ancestors(read).take_while(|above| *above != next).find(|above| {
        let first = above.named_child(0).is_some_and(|child| child.byte_range().contains(&at));
        match above.kind() {
            "boolean_operator" | "comparison_operator" => !first,
            "block" | "lambda" | "conditional_expression" | "elif_clause" | "else_clause" => true,
            kind => kind.ends_with("comprehension") || kind == "generator_expression",
        }
    });
    if let Some(guard) = guard {
        return Err(unsure(
            source,
            at,
            format!("it stands in a {}: it may run never, or more than once", guard.kind().replace('_', " ")),
        ));
    }
    let acts_before = |node: Node<'_>| {
        matches!(node.kind(), "call" | "await" | "yield" | "named_expression") && node.end_byte() <= at
    };
    match find(next, &|node| acts_before(node)) {
        Some(action) => Err(unsure(source, action.start_byte(), "this would run before it")),
        None => Ok(()),
    }
}

fn removal(source: &Source, statement: Node<'_>) -> Result<Edit, Refused> {
    let siblings = statement.parent().map_or(0, |parent| parent.named_child_count());
    if siblings < 2 {
        return Err(unsure(source, statement.start_byte(), "nothing would be left of its block"));
    }
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
