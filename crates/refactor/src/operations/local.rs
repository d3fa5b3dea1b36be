//! Another name for a variable or parameter of a Go, Rust or C function.
//!
//! These languages have no table of names here, so only what the tree alone proves is done: the name is declared once in
//! its function, every place of it stands where that declaration holds, and the new name stands nowhere in the function.

use super::lines::find;
use super::words::is_name;
use super::{Refactored, Refused, changed, text, unsure};
use formicary_search::Source;
use formicary_search::rewrite::edit::Edit;
use formicary_syntax::tree::tree;
use formicary_syntax::{Bounds, Dialect};
use std::ops::Range;
use tree_sitter::Node;

const FUNCTIONS: &[&str] =
    &["function_declaration", "method_declaration", "function_item", "function_definition"];

/// Macros of Rust's standard library that take plain expressions.
const MACROS: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "eprint",
    "eprintln",
    "format",
    "panic",
    "print",
    "println",
    "vec",
    "write",
    "writeln",
];

/// Gives a local name another one.
pub(super) fn rename(
    sources: &[Source],
    source: &Source,
    offset: usize,
    new: &str,
) -> Result<Refactored, Refused> {
    if !is_name(source.dialect(), new) {
        return Err(Refused::Wrong(format!("{new} cannot be a name")));
    }
    let grown = tree(source.dialect(), source.text(), Bounds::default())
        .map_err(|kind| Refused::Wrong(format!("{}: {}", source.path(), kind.message())))?;
    let root = grown.root_node();
    if root.has_error() {
        return Err(Refused::Wrong(format!(
            "{}: it does not parse; nothing in it is certain",
            source.path()
        )));
    }
    let node = root
        .descendant_for_byte_range(offset, offset)
        .filter(|node| node.kind() == "identifier")
        .ok_or_else(|| {
            Refused::Wrong(format!("{}: no variable stands there", super::place(source, offset)))
        })?;
    let around = std::iter::successors(node.parent(), |node| node.parent());
    let Some(function) = around.into_iter().find(|node| FUNCTIONS.contains(&node.kind())) else {
        return Err(unsure(
            source,
            offset,
            "only variables and parameters of a function can be renamed here",
        ));
    };
    let old = text(source, &node.byte_range());
    if old == new {
        return Err(Refused::Wrong(format!("it is called {new} already")));
    }
    let look = Look { source, function, old, new };
    let places = look.places()?;
    if source.dialect() == Dialect::C {
        macros(sources, source, offset, &[old, new])?;
    }
    let edits: Vec<Edit> = places.into_iter().map(|range| Edit { range, text: new.to_owned() }).collect();
    let what = format!("{old} is called {new} in {} places", edits.len());
    Ok(Refactored { what, changes: vec![changed(source, edits)?] })
}

struct Look<'l, 't> {
    source: &'l Source,
    function: Node<'t>,
    old: &'l str,
    new: &'l str,
}

/// A declaration: its name, where it ends, where its name holds.
struct Declared {
    name: Range<usize>,
    ends: usize,
    holds: Range<usize>,
}

impl<'t> Look<'_, 't> {
    fn refuse<T>(&self, node: Node<'t>, why: impl Into<String>) -> Result<T, Refused> {
        Err(unsure(self.source, node.start_byte(), why))
    }

    // Every place of the old name.
    fn places(&self) -> Result<Vec<Range<usize>>, Refused> {
        let (mut found, mut declared): (Vec<Node<'t>>, Vec<Declared>) = (Vec::new(), Vec::new());
        let mut pending = vec![self.function];
        while let Some(node) = pending.pop() {
            let kind = node.kind();
            if kind.contains("comment") {
                continue;
            }
            if kind.contains("string") || kind.contains("char_literal") {
                self.quoted(node)?;
                continue;
            }
            if node.child_count() > 0 {
                let mut cursor = node.walk();
                pending.extend(node.children(&mut cursor));
                continue;
            }
            let word = text(self.source, &node.byte_range());
            if word == self.new {
                return self.refuse(node, format!("{} stands here already", self.new));
            }
            if word != self.old || self.is_member(node) {
                continue;
            }
            if kind != "identifier" {
                return self.refuse(node, format!("{word} may be something else than the variable here"));
            }
            declared.extend(self.declaration(node)?);
            found.push(node);
        }
        let [one] = declared.as_slice() else {
            let why = match declared.len() {
                0 => format!(
                    "{} is no variable or parameter of this function; only those are renamed here",
                    self.old
                ),
                times => format!("{} is declared {times} times in this function", self.old),
            };
            return self.refuse(self.function, why);
        };
        for node in &found {
            let range = node.byte_range();
            let holds = range == one.name
                || range.start >= one.ends && one.holds.start <= range.start && range.end <= one.holds.end;
            if !holds {
                return self.refuse(*node, format!("{} may be another one here", self.old));
            }
            self.plain(*node)?;
        }
        Ok(found.into_iter().map(|node| node.byte_range()).collect())
    }

    // A field or a label: it has a space of its own.
    fn is_member(&self, node: Node<'t>) -> bool {
        let dotted = node.prev_sibling().is_some_and(|before| {
            text(self.source, &before.byte_range()) == "." && self.in_macro(node).is_some()
        });
        dotted || matches!(node.kind(), "field_identifier" | "label_name" | "statement_identifier" | "label")
    }

    // Rust's format strings may name variables.
    fn quoted(&self, node: Node<'t>) -> Result<(), Refused> {
        let inside = text(self.source, &node.byte_range());
        let names = |name: &str| inside.match_indices('{').any(|(at, _)| inside[at + 1..].starts_with(name));
        if self.source.dialect() == Dialect::Rust && (names(self.old) || names(self.new)) {
            return self.refuse(node, "the text may name a variable");
        }
        Ok(())
    }

    // The macro whose words hold a node.
    fn in_macro(&self, node: Node<'t>) -> Option<Node<'t>> {
        let mut around = std::iter::successors(node.parent(), |node| node.parent());
        around.find(|node| node.kind() == "macro_invocation" || node.kind() == "macro_definition")
    }

    // Places where the same word could be something else.
    fn plain(&self, node: Node<'t>) -> Result<(), Refused> {
        let Some(parent) = node.parent() else { return Ok(()) };
        if let Some(held) = self.in_macro(node) {
            let name = held.child_by_field_name("macro").map(|name| text(self.source, &name.byte_range()));
            if !name.is_some_and(|name| MACROS.contains(&name)) {
                return self.refuse(node, "a macro may do anything with it");
            }
            let next = node.next_sibling().map(|next| text(self.source, &next.byte_range()));
            if matches!(next, Some(":" | "!")) {
                return self.refuse(node, "it may be a field's name here");
            }
        }
        match parent.kind() {
            "shorthand_field_initializer" | "field_pattern" | "scoped_identifier" => {
                self.refuse(node, format!("{} names something else here too", self.old))
            }
            "literal_element" if parent.parent().is_some_and(|pair| pair.kind() == "keyed_element") => {
                let key = parent.parent().and_then(|pair| pair.named_child(0)) == Some(parent);
                if key { self.refuse(node, "it may be a field's name here") } else { Ok(()) }
            }
            _ => {
                // A function within the function sees none of its variables.
                let inner = std::iter::successors(Some(parent), |node| node.parent())
                    .take_while(|node| *node != self.function)
                    .find(|node| FUNCTIONS.contains(&node.kind()));
                match inner {
                    Some(_) => self.refuse(node, "a function within the function has the name too"),
                    None => Ok(()),
                }
            }
        }
    }

    // What this place declares, if it declares something.
    fn declaration(&self, node: Node<'t>) -> Result<Option<Declared>, Refused> {
        let (mut child, mut at) = (node, node.parent());
        while let Some(parent) = at.filter(|parent| *parent != self.function) {
            let of = |field: &str| parent.child_by_field_name(field) == Some(child);
            let kind = parent.kind();
            let by = match kind {
                // Go
                "short_var_declaration" | "receive_statement" if of("left") => Some(parent),
                "range_clause" if of("left") => Some(parent),
                "var_spec" | "const_spec" => names_of(parent).contains(&child).then_some(parent),
                "type_switch_statement" if of("alias") => {
                    return self.refuse(node, "it has another type in every case of the switch");
                }
                // Rust
                "let_declaration" | "for_expression" if of("pattern") => Some(parent),
                "parameter" if of("pattern") => return Ok(Some(self.parameter(node))),
                "closure_parameters" => {
                    let closure = parent.parent().unwrap_or(self.function);
                    return Ok(Some(Declared { ends: parent.end_byte(), ..held(node, closure) }));
                }
                "match_pattern" | "let_condition" if kind == "match_pattern" || of("pattern") => {
                    return self.refuse(node, "in a pattern it may be a constant");
                }
                // C
                "init_declarator" | "declaration" if of("declarator") || declares(parent, child) => {
                    if kind == "declaration" || parent.parent().is_some_and(|d| d.kind() == "declaration") {
                        // Its value sees it already.
                        let ends = child.end_byte();
                        return Ok(Some(Declared { ends, ..held(node, self.block(parent)) }));
                    }
                    None
                }
                // Go and C; a function literal has its own.
                "parameter_declaration" | "variadic_parameter_declaration"
                    if of("declarator") || names_of(parent).contains(&child) =>
                {
                    return Ok(Some(self.parameter(node)));
                }
                "pointer_declarator" | "array_declarator" | "parenthesized_declarator" if !of("size") => {
                    (child, at) = (parent, parent.parent());
                    continue;
                }
                "expression_list" | "mut_pattern" | "tuple_pattern" | "ref_pattern" | "reference_pattern" => {
                    (child, at) = (parent, parent.parent());
                    continue;
                }
                _ => return Ok(None),
            };
            let Some(by) = by else { return Ok(None) };
            // `x = <-c` gives, `x := <-c` declares; so with `range`.
            if matches!(kind, "receive_statement" | "range_clause") && !self.has_mark(by, ":=") {
                return Ok(None);
            }
            let ends = by.child_by_field_name("value").map_or(by.end_byte(), |value| value.end_byte());
            let ends = if kind == "for_expression" { ends } else { by.end_byte() };
            let home = if kind == "for_expression" { by } else { self.block(by) };
            return Ok(Some(Declared { ends, ..held(node, home) }));
        }
        Ok(None)
    }

    fn has_mark(&self, node: Node<'t>, mark: &str) -> bool {
        let mut cursor = node.walk();
        node.children(&mut cursor).any(|child| text(self.source, &child.byte_range()) == mark)
    }

    // A parameter holds in the function, or in the function literal, whose list it stands in.
    fn parameter(&self, node: Node<'t>) -> Declared {
        let mut around = std::iter::successors(node.parent(), |node| node.parent());
        let home = around.find(|node| {
            FUNCTIONS.contains(&node.kind()) || matches!(node.kind(), "func_literal" | "closure_expression")
        });
        let home = home.unwrap_or(self.function);
        let body = home.child_by_field_name("body").unwrap_or(home);
        Declared { ends: body.start_byte(), ..held(node, home) }
    }

    // The block in which something that is declared there holds.
    fn block(&self, node: Node<'t>) -> Node<'t> {
        let mut around = std::iter::successors(node.parent(), |node| node.parent());
        let blocks = [
            "block",
            "compound_statement",
            "if_statement",
            "for_statement",
            "expression_switch_statement",
            "type_switch_statement",
            "expression_case",
            "type_case",
            "default_case",
            "communication_case",
            "case_statement",
        ];
        around.find(|node| blocks.contains(&node.kind())).unwrap_or(self.function)
    }
}

fn names_of<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.children_by_field_name("name", &mut cursor).collect()
}

// C's `int a, b`: every declarator declares.
fn declares<'t>(parent: Node<'t>, child: Node<'t>) -> bool {
    let mut cursor = parent.walk();
    parent.children_by_field_name("declarator", &mut cursor).any(|one| one == child)
}

fn held(name: Node<'_>, home: Node<'_>) -> Declared {
    Declared { name: name.byte_range(), ends: name.end_byte(), holds: home.byte_range() }
}

// C's macros see the names where they are used: none of the project may have one of these.
fn macros(sources: &[Source], home: &Source, offset: usize, names: &[&str]) -> Result<(), Refused> {
    for source in sources.iter().filter(|source| matches!(source.dialect(), Dialect::C | Dialect::Cpp)) {
        let Ok(grown) = tree(source.dialect(), source.text(), Bounds::default()) else { continue };
        let named = |node: Node<'_>| {
            let words = text(source, &node.byte_range());
            node.kind().starts_with("preproc_")
                && matches!(node.kind(), "preproc_def" | "preproc_function_def" | "preproc_undef")
                && words.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| names.contains(&word))
        };
        if find(grown.root_node(), &named).is_some() {
            let why = format!("a macro in {} has one of the names", source.path());
            return Err(unsure(home, offset, why));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn renamed(path: &str, code: &str, at: &str, new: &str) -> Result<String, String> {
        let source = Source::new(path, Dialect::of_file(path, code).unwrap(), code);
        let offset = code.find(at).unwrap();
        match rename(std::slice::from_ref(&source), &source, offset, new) {
            Ok(done) => Ok(done.changes[0].after.clone()),
            Err(refused) => Err(refused.to_string()),
        }
    }

    #[test]
    fn locals_and_parameters() {
        for (path, code, at, old) in [
            (
                "a.go",
                "package a\n\nfunc Sum(values []int) int {\n\ttotal := 0\n\tfor _, item := range values {\n\t\ttotal += item.total\n\t}\n\treturn total\n}\n",
                "total",
                "total",
            ),
            (
                "a.go",
                "package a\n\nfunc Sum(values []int) int {\n\tf := func(x int) int { return x + 1 }\n\treturn f(len(values))\n}\n",
                "values",
                "values",
            ),
            (
                "a.go",
                "package a\n\nfunc f(n int) int {\n\tif size := n * 2; size > 3 {\n\t\treturn size\n\t}\n\treturn 0\n}\n",
                "size",
                "size",
            ),
            (
                "a.rs",
                "fn sum(values: &[i32]) -> i32 {\n    let mut total = 0;\n    for value in values.iter() {\n        total += value;\n    }\n    println!(\"{}\", total);\n    total\n}\n",
                "total",
                "total",
            ),
            (
                "a.rs",
                "fn f(items: Vec<i32>) -> Vec<i32> {\n    items.into_iter().map(|one| one + 1).collect()\n}\n",
                "one|",
                "one",
            ),
            (
                "a.c",
                "int sum(int *values, int n) {\n    int total = 0, i;\n    for (i = 0; i < n; i++) {\n        total += values[i];\n    }\n    return total;\n}\n",
                "total",
                "total",
            ),
            ("a.c", "int f(struct s *p) {\n    return p->p + p->q;\n}\n", "p)", "p"),
        ] {
            let after = renamed(path, code, at, "fresh").unwrap();
            let words = |text: &str| -> Vec<String> {
                text.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned).collect()
            };
            let (before, now) = (words(code), words(&after));
            assert_eq!(before.len(), now.len(), "{after}");
            assert!(now.contains(&"fresh".to_owned()), "{after}");
            let kept = now.iter().filter(|word| *word == old).count();
            assert_eq!(
                kept,
                usize::from(code.contains(&format!(".{old}")) || code.contains(&format!(">{old}"))),
                "{after}"
            );
        }
    }

    #[test]
    fn what_is_not_certain_is_refused() {
        for (path, code, at, new, why) in [
            (
                "a.go",
                "package a\n\nfunc f() int {\n\tx := 1\n\t{\n\t\tx := 2\n\t\t_ = x\n\t}\n\treturn x\n}\n",
                "x",
                "y",
                "declared 2 times",
            ),
            (
                "a.go",
                "package a\n\nfunc f() int {\n\tx := 1\n\ty := 2\n\treturn x + y\n}\n",
                "x",
                "y",
                "stands here already",
            ),
            ("a.go", "package a\n\nfunc f() P {\n\tx := 1\n\treturn P{x: x}\n}\n", "x", "y", "field's name"),
            (
                "a.go",
                "package a\n\nfunc f() int {\n\tif true {\n\t\tx := 1\n\t\t_ = x\n\t}\n\treturn x\n}\n",
                "x",
                "y",
                "another one",
            ),
            ("a.go", "package a\n\nvar x = 1\n", "x", "y", "of a function"),
            ("a.rs", "fn f() -> P {\n    let x = 1;\n    P { x }\n}\n", "x", "y", "names something else"),
            (
                "a.rs",
                "fn f() {\n    let x = 1;\n    println!(\"{x}\");\n}\n",
                "x",
                "y",
                "may name a variable",
            ),
            ("a.rs", "fn f() {\n    let x = 1;\n    odd!(x);\n}\n", "x", "y", "a macro may do anything"),
            ("a.rs", "fn f(x: i32) {\n    let x = x + 1;\n    g(x);\n}\n", "x", "y", "declared 2 times"),
            ("a.rs", "fn f(x: i32) {\n    g(x);\n}\n", "x", "fn", "cannot be a name"),
            (
                "a.c",
                "#define ADD(a) (a + x)\nint f(int x) {\n    return ADD(x);\n}\n",
                "x) {",
                "y",
                "a macro in a.c",
            ),
            ("a.c", "int f(void) {\n    return g;\n}\n", "g;", "y", "no variable or parameter"),
        ] {
            let refused = renamed(path, code, at, new).unwrap_err();
            assert!(refused.contains(why), "{refused} for {code}");
        }
    }
}
