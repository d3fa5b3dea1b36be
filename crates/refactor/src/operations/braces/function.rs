//! Statements become a function.

use super::flow::{Flow, Passed};
use super::{File, Grammar, Typed, ancestors, grown, named_well, names};
use crate::operations::free::unused;
use crate::operations::lines::{alone_on_its_lines, indent_of, line_end, line_start, trimmed};
use crate::operations::{Refactored, Refused, changed, unsure};
use formicary_search::Source;
use formicary_search::rewrite::edit::Edit;
use std::ops::Range;
use tree_sitter::Node;

/// Makes a function of statements that stand in a row.
pub(in crate::operations) fn extract_function(
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
    unused(source, &found, name)?;
    if let Some(taken) = found.members.iter().find(|member| member.name == name) {
        return Err(unsure(source, taken.range.start, format!("{name} is taken already")));
    }
    let statements = file.row(&range)?;
    let Some(function) = found.function_of(found.scope_at(&range)) else {
        return Err(unsure(source, range.start, "only statements of a function can be made a function"));
    };
    if let Some((_, at, why)) = found.dynamic.iter().find(|(inner, ..)| found.is_within(*inner, function)) {
        return Err(unsure(source, *at, *why));
    }
    for statement in &statements {
        file.stays_inside(*statement)?;
        file.can_be_indented(*statement)?;
    }
    let flow = file.flow(&range, function, &statements)?;
    let edits = match grammar.typed {
        Typed::Always => file.method(&range, &flow, name)?,
        _ => file.top_level_function(&range, &flow, name)?,
    };
    let what = format!("{} statements are the function {name}", statements.len());
    Ok(Refactored { what, changes: vec![changed(source, edits)?] })
}

impl File<'_> {
    /// The statements that the selection covers, no more and no less.
    fn row(&self, range: &Range<usize>) -> Result<Vec<Node<'_>>, Refused> {
        let wrong = || unsure(self.source, range.start, "the selection is not a row of whole statements");
        let mut node =
            self.tree.root_node().descendant_for_byte_range(range.start, range.end).ok_or_else(wrong)?;
        while !self.grammar.blocks.contains(&node.kind())
            || node.start_byte() == range.start && node.end_byte() == range.end
        {
            node = node.parent().ok_or_else(wrong)?;
        }
        let mut cursor = node.walk();
        let inside = |child: &Node<'_>| child.start_byte() >= range.start && child.end_byte() <= range.end;
        let statements: Vec<Node<'_>> = node.named_children(&mut cursor).filter(inside).collect();
        let fits = statements.first().is_some_and(|first| first.start_byte() == range.start)
            && statements.last().is_some_and(|last| last.end_byte() == range.end)
            && statements.iter().any(|one| !one.kind().contains("comment"));
        if !fits {
            return Err(wrong());
        }
        if let Some(first) = statements.first() {
            alone_on_its_lines(self.source, *first)?;
        }
        let behind = self.source.text().get(range.end..).unwrap_or("").split('\n').next().unwrap_or("");
        if !behind.trim().is_empty() && !behind.trim_start().starts_with("//") {
            return Err(unsure(self.source, range.end, "other code stands behind it on its line"));
        }
        Ok(statements)
    }

    /// Control must not leave the statements, and nothing in them may need the function around.
    fn stays_inside(&self, statement: Node<'_>) -> Result<(), Refused> {
        let java = self.grammar.typed == Typed::Always;
        // Inside of: a function (an arrow keeps `this`), a loop, a switch.
        let mut pending = vec![(statement, false, false, false, false)];
        while let Some((node, own, arrow, in_loop, in_switch)) = pending.pop() {
            let function = own || arrow;
            let why = match node.kind() {
                "return_statement" if !function => "it returns from the function around",
                "yield_expression" | "yield_statement" if !function && !in_switch => {
                    "it yields from the function around"
                }
                "await_expression" if !function => "it waits in the function around",
                "for_in_statement" if !function && self.text(node).starts_with("for await") => {
                    "it waits in the function around"
                }
                "break_statement"
                    if !function && (node.named_child_count() > 0 || !in_loop && !in_switch) =>
                {
                    "it leaves the loop around"
                }
                "continue_statement" if !function && (node.named_child_count() > 0 || !in_loop) => {
                    "it leaves the loop around"
                }
                "this" | "super" | "meta_property" if !own && !java => "it looks at the function around",
                "identifier" if !own && !java && self.text(node) == "arguments" => {
                    "it looks at the function around"
                }
                "class_declaration" | "record_declaration" if java => "it defines a class",
                "explicit_constructor_invocation" => "it calls another constructor",
                _ => "",
            };
            if !why.is_empty() {
                return Err(self.unsure(node, why));
            }
            let kind = node.kind();
            let is_arrow = kind == "arrow_function" || kind == "lambda_expression";
            let is_own = !is_arrow && self.grammar.functions.contains(&kind);
            let loops = in_loop || self.grammar.loops.contains(&kind);
            let switches = in_switch || kind == "switch_statement" || kind == "switch_expression";
            let mut cursor = node.walk();
            pending.extend(
                node.named_children(&mut cursor)
                    .map(|child| (child, own || is_own, arrow || is_arrow, loops, switches)),
            );
        }
        Ok(())
    }

    fn can_be_indented(&self, statement: Node<'_>) -> Result<(), Refused> {
        let many = |node: &Node<'_>| {
            matches!(node.kind(), "template_string" | "string_literal" | "jsx_text" | "string")
                && node.start_position().row != node.end_position().row
        };
        let mut pending = vec![statement];
        while let Some(node) = pending.pop() {
            if many(&node) {
                return Err(self.unsure(node, "a string of several lines cannot be indented anew"));
            }
            let mut cursor = node.walk();
            pending.extend(node.named_children(&mut cursor));
        }
        Ok(())
    }

    /// The statements with another indentation; the first line has none.
    fn moved(&self, range: &Range<usize>, indent: &str) -> Result<String, Refused> {
        let old = indent_of(self.source, range.start);
        let mut out = String::new();
        for (number, line) in self.source.text().get(range.clone()).unwrap_or("").split('\n').enumerate() {
            if number == 0 {
                out.push_str(line);
                continue;
            }
            out.push('\n');
            match line.strip_prefix(old) {
                Some(rest) if !rest.trim().is_empty() => {
                    out.push_str(indent);
                    out.push_str(rest);
                }
                _ if line.trim().is_empty() => out.push_str(line.trim_start_matches([' ', '\t'])),
                _ => return Err(unsure(self.source, range.start, "its lines are not indented alike")),
            }
        }
        Ok(out)
    }

    fn top_level_function(
        &self,
        range: &Range<usize>,
        flow: &Flow,
        name: &str,
    ) -> Result<Vec<Edit>, Refused> {
        let end = line_end(self.source);
        let unit = self.unit();
        let mut parameters = Vec::new();
        for input in &flow.inputs {
            parameters.push(match self.grammar.typed {
                Typed::Never => input.name.clone(),
                _ => format!("{}: {}", input.name, self.annotated(input, range.start)?),
            });
        }
        let arguments: Vec<&str> = flow.inputs.iter().map(|input| input.name.as_str()).collect();
        let call = format!("{name}({})", arguments.join(", "));
        let outputs: Vec<&str> = flow.outputs.iter().map(|output| output.name.as_str()).collect();
        let mixed = flow.outputs.iter().any(|one| one.declared != flow.outputs[0].declared);
        let (returned, call) = match (flow.outputs.as_slice(), outputs.as_slice()) {
            ([], _) => (None, format!("{call};")),
            ([one], [word]) if !one.declared => (Some((*word).to_owned()), format!("{word} = {call};")),
            _ if mixed || !flow.outputs[0].declared => {
                return Err(unsure(
                    self.source,
                    range.start,
                    format!("{} come out of it", outputs.join(", ")),
                ));
            }
            (all, [word]) => (Some((*word).to_owned()), format!("{} {word} = {call};", keyword(all))),
            (all, words) => {
                let list = format!("{{ {} }}", words.join(", "));
                (Some(list.clone()), format!("{} {list} = {call};", keyword(all)))
            }
        };
        let body = self.moved(range, &unit)?;
        let returned = returned.map(|value| format!("{unit}return {value};{end}")).unwrap_or_default();
        let parameters = parameters.join(", ");
        let function =
            format!("function {name}({parameters}) {{{end}{unit}{body}{end}{returned}}}{end}{end}");
        let top = self.top(range.start);
        Ok(vec![Edit { range: top..top, text: function }, Edit { range: range.clone(), text: call }])
    }

    /// Where the top-level statement around begins, with the comments that belong to it.
    fn top(&self, offset: usize) -> usize {
        let root = self.tree.root_node();
        let mut cursor = root.walk();
        let holds = |node: &Node<'_>| node.start_byte() <= offset && offset < node.end_byte();
        let Some(mut node) = root.named_children(&mut cursor).find(holds) else { return 0 };
        while let Some(before) = node.prev_named_sibling().filter(|before| {
            before.kind() == "comment"
                && before.end_position().row + 1 == node.start_position().row
                && self
                    .source
                    .text()
                    .get(line_start(self.source, before.start_byte())..before.start_byte())
                    .is_some_and(|lead| lead.trim().is_empty())
        }) {
            node = before;
        }
        node.start_byte()
    }

    /// One step of indentation, as the file writes it.
    fn unit(&self) -> String {
        let indents =
            self.source.text().lines().filter(|line| !line.trim_start().starts_with('*')).map(|line| {
                let rest = line.trim_start_matches([' ', '\t']);
                (&line[..line.len() - rest.len()], rest)
            });
        let shortest = indents.filter(|(indent, rest)| !indent.is_empty() && !rest.is_empty());
        shortest.map(|(indent, _)| indent).min_by_key(|indent| indent.len()).unwrap_or("    ").to_owned()
    }

    /// A method beside the one that holds the statements.
    fn method(&self, range: &Range<usize>, flow: &Flow, name: &str) -> Result<Vec<Edit>, Refused> {
        let node = self.tree.root_node().descendant_for_byte_range(range.start, range.end);
        let node = node.ok_or_else(|| unsure(self.source, range.start, "nothing stands here"))?;
        let around = std::iter::once(node).chain(ancestors(node)).find(|above| {
            matches!(
                above.kind(),
                "method_declaration" | "lambda_expression" | "constructor_declaration" | "class_body"
            )
        });
        let method = around.filter(|around| around.kind() == "method_declaration").ok_or_else(|| {
            unsure(
                self.source,
                range.start,
                "only statements of a method, outside of lambdas, can be made a method",
            )
        })?;
        if method.parent().is_some_and(|parent| parent.kind() == "interface_body") {
            return Err(self.unsure(method, "an interface's methods are seen by all who implement it"));
        }
        if method.child_by_field_name("type_parameters").is_some() {
            return Err(self.unsure(method, "the method has types of its own"));
        }
        let end = line_end(self.source);
        let mut parameters = Vec::new();
        for input in &flow.inputs {
            parameters.push(format!("{} {}", self.declared_of(input, range.start)?, input.name));
        }
        let arguments: Vec<&str> = flow.inputs.iter().map(|input| input.name.as_str()).collect();
        let call = format!("{name}({})", arguments.join(", "));
        let (result, returned, call) = match flow.outputs.as_slice() {
            [] => ("void".to_owned(), None, format!("{call};")),
            [one] => {
                let typed = self.declared_of(one, range.start)?;
                let lead = if one.declared { format!("{typed} ") } else { String::new() };
                (typed, Some(one.name.clone()), format!("{lead}{} = {call};", one.name))
            }
            many => {
                let words: Vec<&str> = many.iter().map(|one| one.name.as_str()).collect();
                return Err(unsure(self.source, range.start, format!("{} come out of it", words.join(", "))));
            }
        };
        let indent = indent_of(self.source, method.start_byte());
        let first = method.child_by_field_name("body").and_then(|body| body.named_child(0));
        let inner = first.map_or(indent, |first| indent_of(self.source, first.start_byte()));
        if !indent.trim().is_empty() || !inner.trim().is_empty() {
            return Err(self.unsure(method, "other code stands before it on its line"));
        }
        let fixed = if self.is_static(method) { "static " } else { "" };
        let body = self.moved(range, inner)?;
        let returned = returned.map(|value| format!("{inner}return {value};{end}")).unwrap_or_default();
        let text = format!(
            "{end}{end}{indent}private {fixed}{result} {name}({}){} {{{end}{inner}{body}{end}{returned}{indent}}}",
            parameters.join(", "),
            self.thrown(node, method),
        );
        let at = method.end_byte();
        Ok(vec![Edit { range: range.clone(), text: call }, Edit { range: at..at, text }])
    }

    fn is_static(&self, method: Node<'_>) -> bool {
        let mut cursor = method.walk();
        let modifiers = method.named_children(&mut cursor).find(|child| child.kind() == "modifiers");
        modifiers
            .is_some_and(|modifiers| self.text(modifiers).split_whitespace().any(|word| word == "static"))
    }

    /// What the statements may throw: what the method says, and what is caught around them.
    fn thrown(&self, node: Node<'_>, method: Node<'_>) -> String {
        let mut types: Vec<String> = Vec::new();
        let mut add = |list: &str| {
            for one in list.split([',', '|']).map(str::trim).filter(|one| !one.is_empty()) {
                if !types.iter().any(|known| known == one) {
                    types.push(one.to_owned());
                }
            }
        };
        let mut cursor = method.walk();
        for clause in method.named_children(&mut cursor).filter(|child| child.kind() == "throws") {
            add(self.text(clause).trim_start_matches("throws"));
        }
        for above in std::iter::once(node).chain(ancestors(node)).take_while(|above| *above != method) {
            if !above.kind().starts_with("try_") {
                continue;
            }
            let mut cursor = above.walk();
            for clause in above.named_children(&mut cursor).filter(|child| child.kind() == "catch_clause") {
                let parameter = clause.named_child(0);
                let mut inner = clause.walk();
                let caught = parameter.and_then(|parameter| {
                    parameter.named_children(&mut inner).find(|child| child.kind() == "catch_type")
                });
                if let Some(caught) = caught {
                    add(self.text(caught));
                }
            }
        }
        if types.is_empty() { String::new() } else { format!(" throws {}", types.join(", ")) }
    }
}

fn keyword(outputs: &[Passed]) -> &'static str {
    if outputs.iter().any(|one| one.hoisted) {
        "var"
    } else if outputs.iter().any(|one| one.changes) {
        "let"
    } else {
        "const"
    }
}
