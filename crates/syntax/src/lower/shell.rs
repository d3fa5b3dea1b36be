//! Bash: commands, lists and its own shapes of `if`, `while`, `for` and `case`.

use super::{Lowering, span_of};
use crate::expression::{Argument, CallKind, ExprId, ExprKind, Operator};
use crate::lang::Role;
use crate::statement::{Arm, Block, Declares, LoopKind, StmtKind, SwitchKind, WithKind};
use tree_sitter::Node;

impl<'a> Lowering<'a> {
    pub(super) fn shell(&mut self, node: Node<'_>, out: &mut Block) {
        let span = span_of(node);
        match node.kind() {
            "if_statement" => self.shell_if(node, out),
            "while_statement" => self.shell_while(node, out),
            "for_statement" => self.shell_for(node, out),
            "case_statement" => self.shell_case(node, out),
            "variable_assignment" => self.shell_assignment(node, Declares::Nothing, out),
            "declaration_command" => self.shell_declaration(node, out),
            "unset_command" => {
                let names = self.children(node);
                let names = self.exprs(names);
                self.push(StmtKind::Delete(names), span, out);
            }
            "subshell" => {
                let mut body = Vec::new();
                for child in self.children(node) {
                    self.statement(child, &mut body);
                }
                self.push(StmtKind::With { kind: WithKind::Group, items: Vec::new(), body }, span, out);
            }
            "redirected_statement" => self.redirected(node, out),
            "pipeline" => {
                let mut body = Vec::new();
                for child in self.children(node) {
                    self.statement(child, &mut body);
                }
                self.push(StmtKind::Other { expressions: Vec::new(), body }, span, out);
            }
            "command" if self.field(node, "name").is_none() => {
                for child in self.children(node) {
                    self.statement(child, out);
                }
            }
            _ => {
                let value = self.shell_value(node);
                let expects_exit = matches!(self.unit.kind(value), ExprKind::Call { callee, .. }
                    if self.unit.name_of(*callee) == Some("return"));
                if expects_exit {
                    self.push(StmtKind::Return(Some(value)), span, out);
                } else if let Some(kind) = self.shell_jump(value) {
                    self.push(kind, span, out);
                } else {
                    self.push(StmtKind::Expression(value), span, out);
                }
            }
        }
    }

    /// `break` and `continue` are commands to the grammar.
    fn shell_jump(&self, value: ExprId) -> Option<StmtKind<'a>> {
        let ExprKind::Call { callee, .. } = self.unit.kind(value) else { return None };
        match self.unit.name_of(*callee)? {
            "break" => Some(StmtKind::Break(None)),
            "continue" => Some(StmtKind::Continue(None)),
            _ => None,
        }
    }

    /// A command as a value: its success.
    fn shell_value(&mut self, node: Node<'_>) -> ExprId {
        let span = span_of(node);
        match node.kind() {
            "command" => self.command(node),
            "list" => {
                let children = self.children(node);
                let operator = if self.has_word(node, "||") { Operator::Or } else { Operator::And };
                let mut sides = children.into_iter().map(|child| self.shell_side(child)).collect::<Vec<_>>();
                match (sides.pop(), sides.pop()) {
                    (Some(right), Some(left)) => self.add(ExprKind::Logical { operator, left, right }, span),
                    (Some(only), None) => only,
                    _ => self.add(ExprKind::Other(Vec::new()), span),
                }
            }
            "negated_command" => {
                let inner = self.children(node).first().copied();
                let operand = match inner {
                    Some(inner) => self.shell_side(inner),
                    None => self.add(ExprKind::Other(Vec::new()), span),
                };
                self.add(ExprKind::Unary { operator: Operator::Not, operand }, span)
            }
            "test_command" => {
                let name = if self.text(node).starts_with("[[") {
                    "[["
                } else if self.text(node).starts_with("((") {
                    "(("
                } else {
                    "["
                };
                let callee = self.add(ExprKind::Name(name), span);
                let parts = self.children(node);
                let arguments =
                    self.exprs(parts).into_iter().map(|value| Argument { name: None, value }).collect();
                self.add(ExprKind::Call { callee, arguments, kind: CallKind::Command }, span)
            }
            _ => self.expr(node),
        }
    }

    fn shell_side(&mut self, node: Node<'_>) -> ExprId {
        if matches!(node.kind(), "command" | "list" | "negated_command" | "test_command")
            && let Some(value) = self.deeper(node, |this| this.shell_value(node))
        {
            return value;
        }
        let mut out = Vec::new();
        self.statement(node, &mut out);
        self.add(ExprKind::Block(out), span_of(node))
    }

    fn command(&mut self, node: Node<'_>) -> ExprId {
        let span = span_of(node);
        let mut callee = None;
        let mut arguments = Vec::new();
        for child in self.children(node) {
            match child.kind() {
                "command_name" => {
                    let inner = self.children(child).first().copied();
                    callee = Some(match inner {
                        Some(word) if word.kind() == "word" => {
                            self.add(ExprKind::Name(self.text(word)), span_of(word))
                        }
                        Some(other) => self.expr(other),
                        None => self.add(ExprKind::Name(self.text(child)), span_of(child)),
                    });
                }
                "variable_assignment" => {
                    // `A=b command`: the value is read; the name lives for the command only.
                    if let Some(value) = self.field(child, "value") {
                        let value = self.expr(value);
                        let name = self.field(child, "name").map(|name| self.text(name));
                        arguments.push(Argument { name, value });
                    }
                }
                _ => arguments.push(Argument { name: None, value: self.expr(child) }),
            }
        }
        let callee = match callee {
            Some(callee) => callee,
            None => self.add(ExprKind::Other(Vec::new()), span),
        };
        self.shell_source(callee, &arguments, span);
        self.add(ExprKind::Call { callee, arguments, kind: CallKind::Command }, span)
    }

    /// `source x` and `. x`.
    fn shell_source(&mut self, callee: ExprId, arguments: &[Argument<'a>], span: crate::Span) {
        if !matches!(self.unit.name_of(callee), Some("source" | ".")) {
            return;
        }
        let Some(first) = arguments.first() else { return };
        let module = self.unit.expr(first.value).span.text(self.unit.source).trim_matches(['"', '\'']);
        self.unit.imports.push(crate::Import {
            module,
            path: Vec::new(),
            level: 0,
            names: Vec::new(),
            star: true,
            types_only: false,
            kind: crate::unit::ImportKind::Normal,
            span,
            statement: crate::StmtId(self.unit.statements.len() as u32),
            function: self.function,
            conditional: self.conditional > 0,
        });
    }

    fn redirected(&mut self, node: Node<'_>, out: &mut Block) {
        let body = self.optional_body(self.field(node, "body"));
        let redirects = self.fields(node, "redirect");
        let expressions = self.exprs(redirects);
        self.push(StmtKind::Other { expressions, body }, span_of(node), out);
    }

    fn optional_body(&mut self, node: Option<Node<'_>>) -> Block {
        let mut body = Vec::new();
        if let Some(node) = node {
            self.statement(node, &mut body);
        }
        body
    }

    fn shell_assignment(&mut self, node: Node<'_>, declares: Declares, out: &mut Block) {
        let target = self.field(node, "name");
        let value = self.field(node, "value");
        let value = self.optional_expr(value);
        let targets: Vec<ExprId> = target.map(|target| self.expr(target)).into_iter().collect();
        let operator = self.has_word(node, "+=").then_some(Operator::Add);
        self.push(
            StmtKind::Assign { targets, operator, value, declares, annotation: None },
            span_of(node),
            out,
        );
    }

    fn shell_declaration(&mut self, node: Node<'_>, out: &mut Block) {
        let word = node.child(0).map_or("", |first| self.text(first));
        let declares = match word {
            "export" => Declares::Nothing,
            "readonly" => Declares::Constant,
            _ if self.function.is_some() => Declares::Variable,
            _ => Declares::Nothing,
        };
        for child in self.children(node) {
            match child.kind() {
                "variable_assignment" => {
                    self.shell_assignment(child, declares, out);
                    if word == "export" {
                        self.exported_variable(self.field(child, "name"), out);
                    }
                }
                "variable_name" if word == "export" => self.exported_variable(Some(child), out),
                "variable_name" => {
                    let target = self.expr(child);
                    let kind = StmtKind::Assign {
                        targets: vec![target],
                        operator: None,
                        value: None,
                        declares,
                        annotation: None,
                    };
                    self.push(kind, span_of(child), out);
                }
                _ => {
                    let value = self.expr(child);
                    self.push(StmtKind::Expression(value), span_of(child), out);
                }
            }
        }
    }

    /// What is exported is read by other programs.
    fn exported_variable(&mut self, name: Option<Node<'_>>, out: &mut Block) {
        if let Some(name) = name {
            let value = self.expr(name);
            self.push(StmtKind::Other { expressions: vec![value], body: Vec::new() }, span_of(name), out);
        }
    }

    /// A list of commands as a question.
    fn shell_test(&mut self, nodes: &[Node<'_>], around: Node<'_>) -> ExprId {
        match nodes {
            [only] => self.shell_side(*only),
            _ => {
                let mut out = Vec::new();
                for node in nodes {
                    self.statement(*node, &mut out);
                }
                self.add(ExprKind::Block(out), span_of(around))
            }
        }
    }

    fn shell_if(&mut self, node: Node<'_>, out: &mut Block) {
        let tests = self.fields(node, "condition");
        let head: Vec<usize> = tests.iter().map(|test| test.id()).collect();
        let test = self.shell_test(&tests, node);
        let mut then = Vec::new();
        let mut branches = Vec::new();
        let mut otherwise = Vec::new();
        for child in self.children(node).into_iter().filter(|child| !head.contains(&child.id())) {
            match child.kind() {
                "elif_clause" => {
                    let parts = self.split_at_then(child);
                    let test = self.shell_test(&parts.0, child);
                    let mut body = Vec::new();
                    for part in parts.1 {
                        self.statement(part, &mut body);
                    }
                    branches.push((test, body, span_of(child)));
                }
                "else_clause" => {
                    for part in self.children(child) {
                        self.statement(part, &mut otherwise);
                    }
                }
                _ => self.statement(child, &mut then),
            }
        }
        for (test, then, span) in branches.into_iter().rev() {
            let mut one = Vec::new();
            self.push(StmtKind::If { test, then, otherwise, elif: true }, span, &mut one);
            otherwise = one;
        }
        self.push(StmtKind::If { test, then, otherwise, elif: false }, span_of(node), out);
    }

    /// What stands before and after the word `then`.
    fn split_at_then<'t>(&self, node: Node<'t>) -> (Vec<Node<'t>>, Vec<Node<'t>>) {
        let mut cursor = node.walk();
        let (mut before, mut after, mut seen) = (Vec::new(), Vec::new(), false);
        for child in node.children(&mut cursor) {
            if !child.is_named() {
                seen |= child.kind() == "then";
            } else if self.role(child) != Role::Comment {
                if seen { after.push(child) } else { before.push(child) }
            }
        }
        (before, after)
    }

    fn shell_while(&mut self, node: Node<'_>, out: &mut Block) {
        let kind = if self.has_word(node, "until") { LoopKind::Until } else { LoopKind::While };
        let tests = self.fields(node, "condition");
        let test = self.shell_test(&tests, node);
        let body = self.optional_block(self.field(node, "body"));
        self.shell_loop(kind, Some(test), None, None, body, node, out);
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of a loop")]
    fn shell_loop(
        &mut self,
        kind: LoopKind,
        test: Option<ExprId>,
        target: Option<ExprId>,
        iterable: Option<ExprId>,
        body: Block,
        node: Node<'_>,
        out: &mut Block,
    ) {
        let (init, update, otherwise) = (Vec::new(), Vec::new(), Vec::new());
        let kind =
            StmtKind::Loop { kind, init, test, target, iterable, update, body, otherwise, label: None };
        self.push(kind, span_of(node), out);
    }

    fn shell_for(&mut self, node: Node<'_>, out: &mut Block) {
        let target = self.field(node, "variable");
        let target = self.optional_expr(target);
        let values = self.fields(node, "value");
        let values = self.exprs(values);
        let iterable = self.add(ExprKind::Other(values), span_of(node));
        let body = self.optional_block(self.field(node, "body"));
        self.shell_loop(LoopKind::ForEach, None, target, Some(iterable), body, node, out);
    }

    fn shell_case(&mut self, node: Node<'_>, out: &mut Block) {
        let subject = self.field(node, "value");
        let subject = self.optional_expr(subject);
        let mut arms = Vec::new();
        for item in self.children(node).into_iter().filter(|child| child.kind() == "case_item") {
            let values = self.fields(item, "value");
            let heads: Vec<usize> = values.iter().map(|value| value.id()).collect();
            // Patterns come in pieces; what stands before the bracket is what counts.
            let head = self.text(item).trim_start_matches('(').split(')').next().unwrap_or("").trim();
            let default = head == "*";
            let start = span_of(item).start;
            let span = crate::Span { start, end: start + super::offset(head.len()) };
            let parts: Vec<&'a str> =
                if head.contains(['"', '\'', '\\', '[']) { vec![head] } else { head.split('|').collect() };
            let patterns = parts
                .into_iter()
                .map(|part| {
                    let text = std::borrow::Cow::Borrowed(part.trim());
                    self.add(ExprKind::Literal(crate::Literal::Text(text)), span)
                })
                .collect();
            let mut body = Vec::new();
            // Values in the patterns are read.
            for value in values {
                if matches!(self.role(value), Role::Text) {
                    continue;
                }
                let value = self.expr(value);
                self.push(
                    StmtKind::Other { expressions: vec![value], body: Vec::new() },
                    span_of(item),
                    &mut body,
                );
            }
            for child in self.children(item).into_iter().filter(|child| !heads.contains(&child.id())) {
                self.statement(child, &mut body);
            }
            arms.push(Arm { patterns, guard: None, body, default, span: span_of(item) });
        }
        self.push(StmtKind::Switch { kind: SwitchKind::Separate, subject, arms }, span_of(node), out);
    }
}
