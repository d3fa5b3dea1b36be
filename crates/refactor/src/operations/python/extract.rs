//! An expression becomes a variable, statements become a function.

use super::names::{Names, Occurrence, Role, ScopeId, ScopeKind};
use crate::operations::lines::{alone_on_its_lines, find, indent_of, line_end, short, trimmed};
use crate::operations::words::is_name;
use crate::operations::{Refactored, Refused, changed, text, unsure};
use formicary_search::Source;
use formicary_search::rewrite::edit::Edit;
use formicary_syntax::Bounds;
use formicary_syntax::tree::tree;
use std::ops::Range;
use tree_sitter::Node;

/// What decides whether, or how often, an expression is evaluated.
const GUARDS: &[&str] = &[
    "lambda",
    "list_comprehension",
    "set_comprehension",
    "dictionary_comprehension",
    "generator_expression",
    "conditional_expression",
    "boolean_operator",
    "comparison_operator",
    "while_statement",
    "elif_clause",
    "function_definition",
    "class_definition",
    "decorator",
    "case_clause",
    "except_clause",
    "interpolation",
    "type",
    "assert_statement",
    "with_clause",
];

/// What sees or changes the world.
const ACTIONS: &[&str] = &["call", "await", "yield", "named_expression"];

/// Gives an expression a name before the statement that holds it.
pub(in crate::operations) fn extract_variable(
    source: &Source,
    range: Range<usize>,
    name: &str,
) -> Result<Refactored, Refused> {
    let tree = grown(source)?;
    let range = trimmed(source, range);
    let node = tree.root_node().named_descendant_for_byte_range(range.start, range.end);
    let node = node.filter(|node| node.byte_range() == range && is_expression(*node));
    let Some(node) = node else {
        return Err(unsure(source, range.start, "the selection is not one whole expression"));
    };
    let statement = statement_of(source, node)?;
    alone_on_its_lines(source, statement)?;
    let before = |other: &Node<'_>| other.end_byte() <= node.start_byte();
    if let Some(action) = find(statement, &|other| ACTIONS.contains(&other.kind()) && before(&other))
        && !is_literal(node)
    {
        let why =
            format!("`{}` runs before it now and would run after it", text(source, &action.byte_range()));
        return Err(unsure(source, action.start_byte(), why));
    }
    let names = Names::new(&tree, source.text());
    unused(source, &names, name)?;
    let indent = indent_of(source, statement.start_byte());
    let written = text(source, &range);
    let value = if written.contains('\n') && !written.starts_with(['(', '[', '{']) && node.kind() != "call" {
        format!("({written})")
    } else {
        written.to_owned()
    };
    let end = line_end(source);
    let edits = vec![
        Edit {
            range: statement.start_byte()..statement.start_byte(),
            text: format!("{name} = {value}{end}{indent}"),
        },
        Edit { range, text: name.to_owned() },
    ];
    Ok(Refactored {
        what: format!("`{}` is called {name}", short(written)),
        changes: vec![changed(source, edits)?],
    })
}

fn grown(source: &Source) -> Result<tree_sitter::Tree, Refused> {
    tree(source.dialect(), source.text(), Bounds::default())
        .map_err(|kind| Refused::Wrong(format!("{}: {}", source.path(), kind.message())))
}

fn is_expression(node: Node<'_>) -> bool {
    let kind = node.kind();
    let target = node.parent().is_some_and(|parent| {
        parent.child_by_field_name("left") == Some(node) && parent.kind().contains("assignment")
            || matches!(parent.kind(), "keyword_argument" | "attribute")
                && parent.child_by_field_name("value") != Some(node)
                && parent.child_by_field_name("object") != Some(node)
            || matches!(
                parent.kind(),
                "dotted_name"
                    | "parameters"
                    | "for_in_clause"
                    | "as_pattern_target"
                    | "function_definition"
                    | "class_definition"
            )
    });
    !target
        && !kind.ends_with("_statement")
        && !kind.ends_with("_definition")
        && !kind.ends_with("_clause")
        && !kind.ends_with("splat")
        && !kind.ends_with("pattern")
        && !matches!(
            kind,
            "block"
                | "module"
                | "argument_list"
                | "parameters"
                | "keyword_argument"
                | "pair"
                | "assignment"
                | "string_content"
                | "expression_list"
                | "slice"
                | "type"
                | "dotted_name"
                | "comment"
        )
}

/// The statement whose evaluation an expression is always and once a part of.
fn statement_of<'t>(source: &Source, node: Node<'t>) -> Result<Node<'t>, Refused> {
    let mut below = node;
    while let Some(above) = below.parent() {
        let kind = above.kind();
        if matches!(kind, "block" | "module") {
            return Ok(below);
        }
        let first = above.named_child(0) == Some(below);
        let guarded = match kind {
            "boolean_operator" | "comparison_operator" => !first,
            "if_statement" => above.child_by_field_name("condition") != Some(below),
            "for_statement" => above.child_by_field_name("right") != Some(below),
            _ => GUARDS.contains(&kind),
        };
        if guarded {
            let why =
                format!("it stands in a {}: it may run never, or more than once", kind.replace('_', " "));
            return Err(unsure(source, node.start_byte(), why));
        }
        below = above;
    }
    Err(unsure(source, node.start_byte(), "it stands in no statement"))
}

pub(super) fn is_literal(node: Node<'_>) -> bool {
    let acts = |node: Node<'_>| {
        matches!(
            node.kind(),
            "identifier"
                | "call"
                | "attribute"
                | "subscript"
                | "await"
                | "yield"
                | "list"
                | "dictionary"
                | "set"
                | "lambda"
        )
    };
    find(node, &|node| acts(node)).is_none()
}

/// A new name must not occur in the file at all: it could be meant there.
fn unused(source: &Source, names: &Names<'_>, name: &str) -> Result<(), Refused> {
    if !is_name(source.dialect(), name) {
        return Err(Refused::Wrong(format!("{name} is not a name in Python")));
    }
    let plain = |one: &&Occurrence<'_>| {
        one.name == name && !matches!(one.role, Role::Attribute(_) | Role::Keyword(_))
    };
    match names.occurrences.iter().find(plain) {
        Some(taken) => Err(unsure(source, taken.range.start, format!("{name} is taken already"))),
        None => Ok(()),
    }
}

/// Makes a function of statements that stand in a row.
pub(in crate::operations) fn extract_function(
    source: &Source,
    range: Range<usize>,
    name: &str,
) -> Result<Refactored, Refused> {
    let tree = grown(source)?;
    let range = trimmed(source, range);
    let names = Names::new(&tree, source.text());
    unused(source, &names, name)?;
    let statements = row(source, tree.root_node(), &range)?;
    let scope = names.scope_at(&range);
    if names.scopes[scope].kind != ScopeKind::Function {
        return Err(unsure(source, range.start, "only statements of a function can be made a function"));
    }
    statements.iter().try_for_each(|statement| stays_inside(source, *statement))?;
    let flow = Flow { source, names: &names, scope, range: range.clone(), statements: &statements };
    let (inputs, outputs) = flow.inputs_and_outputs()?;
    let top = top_statement(tree.root_node(), range.start);
    let end = line_end(source);
    let body = moved(source, &range, statements.as_slice())?;
    let returned =
        if outputs.is_empty() { String::new() } else { format!("    return {}{end}", outputs.join(", ")) };
    let function = format!("def {name}({}):{end}{body}{end}{returned}{end}{end}", inputs.join(", "));
    let call = format!("{name}({})", inputs.join(", "));
    let call = if outputs.is_empty() { call } else { format!("{} = {call}", outputs.join(", ")) };
    let edits = vec![Edit { range: top..top, text: function }, Edit { range: range.clone(), text: call }];
    let what = format!("{} statements are the function {name}", statements.len());
    Ok(Refactored { what, changes: vec![changed(source, edits)?] })
}

/// The statements that the selection covers, no more and no less.
fn row<'t>(source: &Source, root: Node<'t>, range: &Range<usize>) -> Result<Vec<Node<'t>>, Refused> {
    let wrong = || unsure(source, range.start, "the selection is not a row of whole statements");
    let mut node = root.descendant_for_byte_range(range.start, range.end).ok_or_else(wrong)?;
    while !matches!(node.kind(), "block" | "module") {
        node = node.parent().ok_or_else(wrong)?;
    }
    let mut cursor = node.walk();
    let inside = |child: &Node<'_>| child.start_byte() >= range.start && child.end_byte() <= range.end;
    let statements: Vec<Node<'t>> = node.named_children(&mut cursor).filter(inside).collect();
    let fits = statements.first().is_some_and(|first| first.start_byte() == range.start)
        && statements.last().is_some_and(|last| last.end_byte() == range.end);
    if !fits {
        return Err(wrong());
    }
    if let Some(first) = statements.first() {
        alone_on_its_lines(source, *first)?;
    }
    Ok(statements)
}

/// Control must not leave the statements, and nothing in them may need the function around.
fn stays_inside(source: &Source, statement: Node<'_>) -> Result<(), Refused> {
    let mut pending = vec![(statement, false)];
    while let Some((node, in_loop)) = pending.pop() {
        let why = match node.kind() {
            "return_statement" => "it returns from the function around",
            "yield" => "it yields from the function around",
            "await" | "async" => "it waits in the function around",
            "break_statement" | "continue_statement" if !in_loop => "it leaves the loop around",
            "global_statement" | "nonlocal_statement" => "it says which names are from outside",
            "delete_statement" => "it deletes names",
            "function_definition" | "class_definition" => {
                "it defines a function or class that keeps its surroundings"
            }
            "identifier"
                if matches!(
                    text(source, &node.byte_range()),
                    "super" | "locals" | "eval" | "exec" | "vars"
                ) =>
            {
                "it looks at the function around"
            }
            "identifier" => {
                let name = text(source, &node.byte_range());
                if name.starts_with("__") && !name.ends_with("__") {
                    "a private name is tied to its class"
                } else {
                    ""
                }
            }
            _ => "",
        };
        if !why.is_empty() {
            return Err(unsure(source, node.start_byte(), why));
        }
        let inner = in_loop || matches!(node.kind(), "for_statement" | "while_statement");
        let mut cursor = node.walk();
        pending.extend(node.children(&mut cursor).map(|child| (child, inner)));
    }
    Ok(())
}

struct Flow<'f> {
    source: &'f Source,
    names: &'f Names<'f>,
    scope: ScopeId,
    range: Range<usize>,
    statements: &'f [Node<'f>],
}

impl Flow<'_> {
    fn is_inside(&self, one: &Occurrence<'_>) -> bool {
        self.range.start <= one.range.start && one.range.end <= self.range.end
    }

    fn in_loop(&self) -> bool {
        let mut at = self.statements.first().and_then(Node::parent);
        while let Some(node) = at {
            if matches!(node.kind(), "for_statement" | "while_statement") {
                return true;
            }
            if node.kind() == "function_definition" {
                return false;
            }
            at = node.parent();
        }
        false
    }

    /// Whether one of the statements assigns the name whatever happens.
    fn surely_assigns(&self, name: &str) -> bool {
        self.statements.iter().any(|statement| {
            let assignment = statement.named_child(0).filter(|child| child.kind() == "assignment");
            let left = assignment.and_then(|assignment| assignment.child_by_field_name("left"));
            left.is_some_and(|left| {
                find(left, &|node| {
                    node.kind() == "identifier" && text(self.source, &node.byte_range()) == name
                })
                .is_some()
            })
        })
    }

    fn inputs_and_outputs(&self) -> Result<(Vec<String>, Vec<String>), Refused> {
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        let in_loop = self.in_loop();
        let mut seen: Vec<&str> = Vec::new();
        for one in self.names.occurrences.iter().filter(|one| self.is_inside(one)) {
            if matches!(one.role, Role::Attribute(_) | Role::Keyword(_)) || seen.contains(&one.name) {
                continue;
            }
            let Some(home) = self.names.resolve(one.scope, one.name) else { continue };
            let local =
                self.names.scopes[home].kind == ScopeKind::Function && self.names.is_within(self.scope, home);
            if !local {
                continue;
            }
            seen.push(one.name);
            let all: Vec<&Occurrence<'_>> = self.names.of(home, one.name).collect();
            let closure = |other: &&&Occurrence<'_>| {
                self.names.scopes[other.scope].kind == ScopeKind::Function
                    && other.scope != self.scope
                    && self.is_inside(other)
            };
            if let Some(inner) = all.iter().find(closure) {
                return Err(unsure(
                    self.source,
                    inner.range.start,
                    format!("a function inside keeps {}", one.name),
                ));
            }
            let bound_inside = all.iter().any(|other| self.is_inside(other) && other.role.binds());
            let read_inside = all.iter().any(|other| self.is_inside(other) && !other.role.binds())
                || self.is_changed(one.name);
            let bound_before =
                all.iter().any(|other| other.role.binds() && other.range.end <= self.range.start);
            let read_outside = all.iter().any(|other| {
                !self.is_inside(other)
                    && (!other.role.binds() || self.is_augmented(other))
                    && (in_loop || other.range.start > self.range.start)
            });
            if bound_inside && home != self.scope {
                return Err(unsure(
                    self.source,
                    one.range.start,
                    format!("{} belongs to a function further out", one.name),
                ));
            }
            let sure = self.surely_assigns(one.name);
            let output = bound_inside && read_outside;
            if output && !sure && !bound_before {
                return Err(unsure(
                    self.source,
                    one.range.start,
                    format!("{} may not be defined at the end", one.name),
                ));
            }
            if (read_inside || output && !sure) && bound_before {
                inputs.push(one.name.to_owned());
            } else if read_inside && !bound_inside {
                return Err(unsure(
                    self.source,
                    one.range.start,
                    format!("{} is defined only later", one.name),
                ));
            }
            if output {
                outputs.push(one.name.to_owned());
            }
        }
        Ok((inputs, outputs))
    }

    /// `x += 1` reads what it writes.
    fn is_changed(&self, name: &str) -> bool {
        self.statements.iter().any(|statement| {
            find(*statement, &|node| {
                let left = node.child_by_field_name("left").filter(|_| node.kind() == "augmented_assignment");
                left.is_some_and(|left| text(self.source, &left.byte_range()) == name)
            })
            .is_some()
        })
    }

    fn is_augmented(&self, one: &Occurrence<'_>) -> bool {
        let rest = self.source.text().get(one.range.end..).unwrap_or("").trim_start();
        let operator: String = rest.chars().take_while(|c| "+-*/%&|^<>@=".contains(*c)).collect();
        operator.len() > 1 && operator.ends_with('=') && operator != "=="
    }
}

fn top_statement(root: Node<'_>, offset: usize) -> usize {
    let mut cursor = root.walk();
    let holds = |node: &Node<'_>| node.start_byte() <= offset && offset < node.end_byte();
    root.named_children(&mut cursor).find(holds).map_or(0, |node| node.start_byte())
}

/// The statements as the body of a function at the top of the file.
fn moved(source: &Source, range: &Range<usize>, statements: &[Node<'_>]) -> Result<String, Refused> {
    let many_lines =
        |node: Node<'_>| node.kind() == "string" && node.start_position().row != node.end_position().row;
    for statement in statements {
        if let Some(string) = find(*statement, &|node| many_lines(node)) {
            return Err(unsure(
                source,
                string.start_byte(),
                "a string of several lines cannot be indented anew",
            ));
        }
    }
    let indent = indent_of(source, range.start);
    let mut out = String::from("    ");
    for (number, line) in text(source, range).split('\n').enumerate() {
        if number > 0 {
            out.push('\n');
            match line.strip_prefix(indent) {
                Some(rest) if !rest.trim().is_empty() => {
                    out.push_str("    ");
                    out.push_str(rest);
                }
                _ if line.trim().is_empty() => out.push_str(line.trim_start_matches([' ', '\t'])),
                _ => return Err(unsure(source, range.start, "its lines are not indented alike")),
            }
        } else {
            out.push_str(line);
        }
    }
    Ok(out)
}
