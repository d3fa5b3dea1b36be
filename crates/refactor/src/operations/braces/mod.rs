//! Extract and inline for languages with blocks in braces and expressions that are evaluated from left to right.
//!
//! | module | what it holds |
//! |---|---|
//! | [`variable`] | an expression becomes a variable |
//! | [`function`] | statements become a function |
//! | [`flow`] | what goes into statements, and what comes out of them |
//! | [`inline`] | a variable becomes what it stands for |
//! | [`order`] | what is evaluated always, once, and before what |
//! | [`typed`] | types, where the language wants them written |

mod flow;
pub(super) mod function;
pub(super) mod inline;
mod order;
#[cfg(test)]
mod tests;
mod typed;
pub(super) mod variable;

use super::scoped::Names;
use super::words::is_name;
use super::{Refused, java, script};
use formicary_search::Source;
use formicary_syntax::tree::tree;
use formicary_syntax::{Bounds, Dialect};
use tree_sitter::{Node, Tree};

/// What the operations need to know of a language's grammar.
#[derive(Debug)]
pub(super) struct Grammar {
    /// Nodes whose children are statements.
    pub blocks: &'static [&'static str],
    /// Expressions that may be given a name.
    pub expressions: &'static [&'static str],
    /// Expressions that need no brackets wherever they stand.
    pub whole: &'static [&'static str],
    /// Places where an expression needs no brackets.
    pub open: &'static [&'static str],
    /// What sees or changes the world.
    pub actions: &'static [&'static str],
    /// Code that runs later.
    pub functions: &'static [&'static str],
    pub loops: &'static [&'static str],
    /// Declares a variable that is not given another value.
    pub typed: Typed,
}

/// How a variable is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Typed {
    /// `const x = …`.
    Never,
    /// The same; parameters of functions have their types written.
    Parameters,
    /// `int x = …`.
    Always,
}

const SCRIPT: Grammar = Grammar {
    blocks: &["statement_block", "program"],
    expressions: &[
        "identifier",
        "call_expression",
        "new_expression",
        "member_expression",
        "subscript_expression",
        "binary_expression",
        "unary_expression",
        "parenthesized_expression",
        "array",
        "object",
        "string",
        "template_string",
        "number",
        "true",
        "false",
        "null",
        "ternary_expression",
        "await_expression",
        "as_expression",
        "non_null_expression",
        "regex",
    ],
    whole: &[
        "identifier",
        "string",
        "template_string",
        "true",
        "false",
        "null",
        "array",
        "this",
        "parenthesized_expression",
    ],
    open: &[
        "arguments",
        "return_statement",
        "parenthesized_expression",
        "template_substitution",
        "variable_declarator",
        "array",
        "pair",
        "throw_statement",
    ],
    actions: &[
        "call_expression",
        "new_expression",
        "await_expression",
        "yield_expression",
        "assignment_expression",
        "augmented_assignment_expression",
        "update_expression",
    ],
    functions: &[
        "arrow_function",
        "function_expression",
        "generator_function",
        "function_declaration",
        "generator_function_declaration",
        "method_definition",
        "class",
        "class_declaration",
    ],
    loops: &["for_statement", "for_in_statement", "while_statement", "do_statement"],
    typed: Typed::Never,
};

const TYPED_SCRIPT: Grammar = Grammar { typed: Typed::Parameters, ..SCRIPT };

const JAVA: Grammar = Grammar {
    blocks: &["block", "constructor_body"],
    expressions: &[
        "identifier",
        "method_invocation",
        "object_creation_expression",
        "field_access",
        "array_access",
        "binary_expression",
        "unary_expression",
        "parenthesized_expression",
        "cast_expression",
        "decimal_integer_literal",
        "hex_integer_literal",
        "decimal_floating_point_literal",
        "string_literal",
        "character_literal",
        "true",
        "false",
        "ternary_expression",
        "instanceof_expression",
        "array_creation_expression",
    ],
    whole: &[
        "identifier",
        "string_literal",
        "character_literal",
        "decimal_integer_literal",
        "true",
        "false",
        "null_literal",
        "this",
        "method_invocation",
        "field_access",
        "array_access",
        "parenthesized_expression",
    ],
    open: &[
        "argument_list",
        "return_statement",
        "parenthesized_expression",
        "variable_declarator",
        "throw_statement",
    ],
    actions: &[
        "method_invocation",
        "object_creation_expression",
        "assignment_expression",
        "update_expression",
        "explicit_constructor_invocation",
        "switch_expression",
    ],
    functions: &["lambda_expression", "class_body", "class_declaration", "record_declaration"],
    loops: &["for_statement", "enhanced_for_statement", "while_statement", "do_statement"],
    typed: Typed::Always,
};

/// The grammar of a dialect that is offered.
pub(super) fn grammar(dialect: Dialect) -> Option<&'static Grammar> {
    match dialect {
        Dialect::JavaScript => Some(&SCRIPT),
        Dialect::TypeScript | Dialect::Tsx => Some(&TYPED_SCRIPT),
        Dialect::Java => Some(&JAVA),
        _ => None,
    }
}

/// One file to work on.
struct File<'f> {
    grammar: &'static Grammar,
    source: &'f Source,
    tree: &'f Tree,
    names: &'f Names<'f>,
}

fn grown(source: &Source) -> Result<Tree, Refused> {
    let tree = tree(source.dialect(), source.text(), Bounds::default())
        .map_err(|kind| Refused::Wrong(format!("{}: {}", source.path(), kind.message())))?;
    if tree.root_node().has_error() {
        return Err(Refused::Wrong(format!(
            "{}: it does not parse; nothing in it is certain",
            source.path()
        )));
    }
    Ok(tree)
}

fn names<'s>(source: &'s Source, tree: &Tree) -> Names<'s> {
    match source.dialect() {
        Dialect::Java => java::names::names(tree, source.text()),
        _ => script::names::names(tree, source.text()),
    }
}

fn named_well(source: &Source, name: &str) -> Result<(), Refused> {
    if is_name(source.dialect(), name) {
        return Ok(());
    }
    Err(Refused::Wrong(format!("{name} is not a name in {}", source.dialect().language().name())))
}

fn ancestors(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    std::iter::successors(node.parent(), Node::parent)
}

impl<'f> File<'f> {
    fn text(&self, node: Node<'_>) -> &'f str {
        super::text(self.source, &node.byte_range())
    }

    fn unsure(&self, node: Node<'_>, why: impl Into<String>) -> Refused {
        super::unsure(self.source, node.start_byte(), why)
    }

    /// Everything in a node that runs when it runs: not what functions inside of it will do.
    fn running<'t>(&self, root: Node<'t>) -> Vec<Node<'t>> {
        let mut found = Vec::new();
        let mut pending = vec![root];
        while let Some(node) = pending.pop() {
            found.push(node);
            if node != root && self.grammar.functions.contains(&node.kind()) {
                continue;
            }
            let mut cursor = node.walk();
            pending.extend(node.named_children(&mut cursor));
        }
        found.sort_by_key(|node| (node.start_byte(), node.end_byte()));
        found
    }

    fn acts(&self, node: Node<'_>) -> bool {
        let deletes =
            |one: &Node<'_>| one.kind() == "unary_expression" && self.text(*one).starts_with("delete");
        let actions = self.grammar.actions;
        !self.grammar.functions.contains(&node.kind())
            && self.running(node).iter().any(|one| actions.contains(&one.kind()) || deletes(one))
    }

    /// Whether it is the same and nothing happens whenever it is evaluated: literals and operators between them.
    fn is_literal(&self, node: Node<'_>) -> bool {
        let fixed = |one: &Node<'_>| {
            let kind = one.kind();
            kind.ends_with("literal")
                || matches!(
                    kind,
                    "string"
                        | "string_fragment"
                        | "escape_sequence"
                        | "number"
                        | "true"
                        | "false"
                        | "null"
                        | "binary_expression"
                        | "unary_expression"
                        | "parenthesized_expression"
                )
        };
        self.running(node).iter().all(fixed) && !self.text(node).starts_with("delete")
    }
}
