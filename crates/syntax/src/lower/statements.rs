//! Statements that are not loops, choices or declarations.

use super::{Lowering, span_of};
use crate::dialect::Dialect;
use crate::expression::{CollectionKind, ExprId, ExprKind, Item};
use crate::lang::Role;
use crate::statement::{Block, Declares, Handler, StmtKind, WithKind};
use tree_sitter::Node;

impl<'a> Lowering<'a> {
    /// Lowers one statement into `out`.
    pub(super) fn statement(&mut self, node: Node<'_>, out: &mut Block) {
        self.deeper(node, |this| this.statement_inside(node, out));
    }

    fn statement_inside(&mut self, node: Node<'_>, out: &mut Block) {
        let span = span_of(node);
        let role = self.role(node);
        if !matches!(role, Role::If) {
            self.elif = false;
        }
        if self.cfg && !matches!(role, Role::Attribute | Role::Comment) {
            self.cfg = false;
            let item = matches!(role, Role::Function | Role::Class(_) | Role::Import | Role::MacroText);
            if !item {
                // `#[cfg(…)]` before a statement: it may not be there.
                self.decorators.clear();
                self.outer_start = None;
                let mut inside = Vec::new();
                self.statement_inside(node, &mut inside);
                self.push(StmtKind::Preprocessor(vec![inside]), span, out);
                return;
            }
        }
        match role {
            Role::Comment | Role::Skip => {}
            Role::ExpressionStatement => self.expression_statement(node, out),
            Role::Block => {
                let body = self.block(node);
                self.push(StmtKind::Block(body), span, out);
            }
            Role::Wrapper => self.wrapper(node, out),
            Role::If => self.if_statement(node, out),
            Role::While | Role::DoWhile | Role::For | Role::ForEach | Role::Endless => {
                self.loop_(node, role, out)
            }
            Role::Switch => self.switch(node, out),
            Role::Try => self.try_(node, out),
            Role::With => self.with(node, out),
            Role::Return => {
                let value = self.children(node).first().copied().map(|child| self.expr(child));
                self.push(StmtKind::Return(value), span, out);
            }
            Role::Raise => {
                let values = self.children(node);
                let values = self.exprs(values);
                self.push(StmtKind::Raise(values), span, out);
            }
            Role::Break => self.break_(node, out),
            Role::Continue => {
                let label = self.label(node);
                self.push(StmtKind::Continue(label), span, out);
            }
            Role::Goto => {
                let label = self.label(node).unwrap_or("");
                self.push(StmtKind::Goto(label), span, out);
            }
            Role::Label => self.labelled(node, out),
            Role::Assert => self.assert(node, out),
            Role::Delete => {
                let targets = self.children(node);
                let targets = self.exprs(targets);
                self.push(StmtKind::Delete(targets), span, out);
            }
            Role::Global => {
                let names = self.children(node).into_iter().map(|child| self.text(child)).collect();
                self.push(StmtKind::Global(names), span, out);
            }
            Role::Pass => {
                self.push(StmtKind::Pass, span, out);
            }
            Role::Declaration => self.declaration(node, out),
            Role::Function => self.function_statement(node, out),
            Role::Class(kind) => self.class_statement(node, kind, out),
            Role::Import => self.import(node, out),
            Role::Defer | Role::Concurrent => {
                if let Some(call) = self.children(node).first().copied() {
                    let call = self.expr(call);
                    self.push(StmtKind::Deferred { call, concurrent: role == Role::Concurrent }, span, out);
                }
            }
            Role::Preprocessor => self.preprocessor(node, out),
            Role::MacroText => self.unit.macros.push(span),
            Role::Package => self.unit.package = self.children(node).last().map(|child| self.text(*child)),
            Role::Decorated => self.decorated(node, out),
            Role::Attribute => {
                let attribute = self.attribute(node);
                self.decorators.push(attribute);
                self.cfg |= self.text(node).starts_with("#[cfg");
                self.outer_start.get_or_insert(span.start);
            }
            Role::Shell => self.shell(node, out),
            Role::Assign => self.assignment_statement(node, span, out),
            Role::Unknown => self.unknown(node, out),
            _ => {
                let value = self.expr(node);
                self.push(StmtKind::Expression(value), span, out);
            }
        }
    }

    /// `a;`: an assignment is a statement of its own, anything else an expression.
    fn expression_statement(&mut self, node: Node<'_>, out: &mut Block) {
        let span = span_of(node);
        let children = self.children(node);
        match children.as_slice() {
            [] => {
                self.push(StmtKind::Pass, span, out);
            }
            [only] => match self.role(*only) {
                Role::Assign => self.assignment_statement(*only, span, out),
                // Rust's `if a { … }` and `return;` are expressions to the grammar.
                role if role.is_statement() && role != Role::Shell => self.statement_inside(*only, out),
                _ => {
                    let value = self.expr(*only);
                    self.push(StmtKind::Expression(value), span, out);
                }
            },
            _ => {
                // Python's `a, b` without parentheses, Go's `channel <- value`.
                let items = children.into_iter().map(|child| self.expr(child));
                let items: Vec<_> = items.map(|value| Item { key: None, value }).collect();
                let value = self.add(ExprKind::Collection { kind: CollectionKind::Tuple, items }, span);
                self.push(StmtKind::Expression(value), span, out);
            }
        }
    }

    /// `a = b = c` and `a += b`.
    pub(super) fn assignment_statement(&mut self, node: Node<'_>, span: crate::Span, out: &mut Block) {
        if node.kind() == "let_condition" {
            let value = self.expr(node);
            self.push(StmtKind::Expression(value), span, out);
            return;
        }
        let operator = self.assignment_operator(node);
        let mut targets = Vec::new();
        let mut annotation = None;
        let mut at = node;
        let value = loop {
            if let Some(left) = self.any_field(at, &["left", "name"]) {
                targets.push(self.expr(left));
            }
            annotation = annotation.or(self.type_text(self.field(at, "type")));
            match self.any_field(at, &["right", "value"]) {
                Some(right)
                    if operator.is_none()
                        && self.role(right) == Role::Assign
                        && right.kind() == node.kind()
                        && right.kind() != "augmented_assignment"
                        && self.assignment_operator(right).is_none() =>
                {
                    at = right;
                }
                Some(right) => break Some(self.expr(right)),
                None => break None,
            }
        };
        if let (Some(value), Some(target)) = (value, targets.first()) {
            self.name_lambda(value, *target);
        }
        if let Some(value) = value {
            self.required(value, targets.first().copied(), span);
        }
        let declares = Declares::Nothing;
        self.push(StmtKind::Assign { targets, operator, value, declares, annotation }, span, out);
    }

    /// A node that only wraps statements: their list goes where it stands.
    fn wrapper(&mut self, node: Node<'_>, out: &mut Block) {
        let declares =
            matches!(node.kind(), "template_declaration" | "ambient_declaration" | "type_declaration");
        if declares {
            self.outer_start.get_or_insert(span_of(node).start);
        }
        for child in self.children(node) {
            self.statement(child, out);
        }
        if declares {
            self.outer_start = None;
        }
    }

    /// Nothing is known about the node: keep what is inside.
    fn unknown(&mut self, node: Node<'_>, out: &mut Block) {
        let mut expressions = Vec::new();
        let mut body = Vec::new();
        for child in self.children(node) {
            if self.role(child).is_statement() || self.role(child) == Role::Unknown {
                self.statement(child, &mut body);
            } else {
                expressions.push(self.expr(child));
            }
        }
        if !expressions.is_empty() || !body.is_empty() {
            self.push(StmtKind::Other { expressions, body }, span_of(node), out);
        }
    }

    fn decorated(&mut self, node: Node<'_>, out: &mut Block) {
        self.outer_start = Some(span_of(node).start);
        let mut decorators = Vec::new();
        for child in self.children(node) {
            if child.kind() == "decorator" {
                if let Some(inner) = self.children(child).first().copied() {
                    decorators.push(self.expr(inner));
                }
            } else {
                self.decorators = std::mem::take(&mut decorators);
                self.statement(child, out);
            }
        }
    }

    fn label(&self, node: Node<'_>) -> Option<&'a str> {
        let label = self.field(node, "label").or_else(|| self.children_raw(node));
        label.map(|label| self.text(label))
    }

    fn children_raw<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        let mut cursor = node.walk();
        node.named_children(&mut cursor).find(|child| {
            matches!(child.kind(), "label" | "label_name" | "identifier" | "statement_identifier")
        })
    }

    fn break_(&mut self, node: Node<'_>, out: &mut Block) {
        let span = span_of(node);
        let mut label = self.label(node);
        if self.dialect() == Dialect::Rust {
            label = self.child_of_kind(node, "label").map(|label| self.text(label));
            // `break value`: the value is evaluated first.
            for child in self.children(node) {
                if self.role(child) != Role::Skip {
                    let value = self.expr(child);
                    self.push(StmtKind::Expression(value), span_of(child), out);
                }
            }
        }
        self.push(StmtKind::Break(label), span, out);
    }

    fn labelled(&mut self, node: Node<'_>, out: &mut Block) {
        let children = self.children(node);
        let label = self.field(node, "label").or(children.first().copied());
        let name = label.map_or("", |label| self.text(label));
        let mut body = Vec::new();
        for child in children.into_iter().filter(|child| Some(child.id()) != label.map(|label| label.id())) {
            self.statement(child, &mut body);
        }
        self.push(StmtKind::Label { name, body }, span_of(node), out);
    }

    fn assert(&mut self, node: Node<'_>, out: &mut Block) {
        let children = self.children(node);
        let Some(test) = self.field(node, "condition").or(children.first().copied()) else { return };
        let message = self.field(node, "message").or(children.get(1).copied());
        let test = self.expr(test);
        let message = self.optional_expr(message);
        self.push(StmtKind::Assert { test, message }, span_of(node), out);
    }

    /// The branches of `#if`: everything is read, nothing is known to hold.
    fn preprocessor(&mut self, node: Node<'_>, out: &mut Block) {
        let mut branches = Vec::new();
        let mut at = Some(node);
        while let Some(branch) = at.take() {
            let mut body = Vec::new();
            let named = self.any_field(branch, &["name", "condition"]).map(|node| node.id());
            let next = self.field(branch, "alternative");
            if let Some(condition) = self.any_field(branch, &["name", "condition"]) {
                self.unit.macros.push(span_of(condition));
            }
            for child in self.children(branch) {
                if Some(child.id()) != named && Some(child.id()) != next.map(|node| node.id()) {
                    self.statement(child, &mut body);
                }
            }
            branches.push(body);
            at = next;
        }
        self.push(StmtKind::Preprocessor(branches), span_of(node), out);
    }

    fn try_(&mut self, node: Node<'_>, out: &mut Block) {
        self.conditional += 1;
        let mut resources = Vec::new();
        let mut declared = Vec::new();
        if let Some(list) = self.field(node, "resources") {
            for resource in self.children(list) {
                self.resource(resource, &mut resources, &mut declared);
            }
        }
        let body = self.optional_block(self.field(node, "body"));
        let (mut handlers, mut otherwise, mut finally) = (Vec::new(), Vec::new(), Vec::new());
        for child in self.children(node) {
            match child.kind() {
                "except_clause" | "except_group_clause" | "catch_clause" => {
                    let handler = self.handler(child);
                    handlers.push(handler);
                }
                "else_clause" => otherwise = self.clause_body(child),
                "finally_clause" => finally = self.clause_body(child),
                _ => {}
            }
        }
        self.conditional -= 1;
        let span = span_of(node);
        let body = if resources.is_empty() {
            body
        } else {
            let mut inner = Vec::new();
            self.push(StmtKind::With { kind: WithKind::Resource, items: resources, body }, span, &mut inner);
            inner
        };
        self.push(StmtKind::Try { body, handlers, otherwise, finally }, span, out);
    }

    fn resource(
        &mut self,
        node: Node<'_>,
        resources: &mut Vec<(ExprId, Option<ExprId>)>,
        declared: &mut Vec<&'a str>,
    ) {
        let name = self.field(node, "name");
        if let Some(value) = self.field(node, "value") {
            let value = self.expr(value);
            let name = name.map(|name| {
                declared.push(self.text(name));
                self.expr(name)
            });
            resources.push((value, name));
        } else if let Some(only) = self.children(node).first().copied() {
            let only = self.expr(only);
            resources.push((only, None));
        }
    }

    /// The body of an `else`, `finally` or `case`: a field, a block, or everything that is inside.
    pub(super) fn clause_body(&mut self, node: Node<'_>) -> Block {
        if let Some(body) = self.any_field(node, &["body", "consequence"]) {
            return self.block(body);
        }
        let mut out = Vec::new();
        for child in self.children(node) {
            if self.role(child) == Role::Block {
                out.extend(self.block(child));
            } else {
                self.statement(child, &mut out);
            }
        }
        out
    }

    fn handler(&mut self, node: Node<'_>) -> Handler<'a> {
        let mut types = Vec::new();
        let mut name = None;
        let mut body = None;
        for child in self.children(node) {
            match child.kind() {
                "catch_formal_parameter" => {
                    name = self.field(child, "name").map(|name| self.text(name));
                    if let Some(list) = self.child_of_kind(child, "catch_type") {
                        let list = self.children(list);
                        types = self.exprs(list);
                    }
                }
                "parameter_list" => {
                    for parameter in self.children(child) {
                        if let Some(kind) = self.field(parameter, "type") {
                            types.push(self.expr(kind));
                        }
                        name = self.field(parameter, "declarator").map(|node| self.declared_name(node).0);
                    }
                }
                "as_pattern" => {
                    if let Some(kind) = self.children(child).first().copied() {
                        types.push(self.expr(kind));
                    }
                    name = self.field(child, "alias").map(|alias| self.text(alias));
                }
                _ if self.role(child) == Role::Block => body = Some(child),
                _ if self.dialect() == Dialect::Python => {
                    if self.field(node, "alias").is_some_and(|alias| alias.id() == child.id()) {
                        name = Some(self.text(child));
                    } else {
                        types.push(self.expr(child));
                    }
                }
                _ if matches!(self.dialect(), Dialect::JavaScript | Dialect::TypeScript | Dialect::Tsx) => {
                    if self.role(child) == Role::Name {
                        name = Some(self.text(child));
                    } else if self.role(child) != Role::Type {
                        self.expr(child);
                    }
                }
                _ => {}
            }
        }
        if let [only] = types.as_slice()
            && let ExprKind::Collection { kind: CollectionKind::Tuple, items } = self.unit.kind(*only)
        {
            types = items.iter().map(|item| item.value).collect();
        }
        let body = self.optional_block(body);
        Handler { types, name, body, span: span_of(node) }
    }

    fn with(&mut self, node: Node<'_>, out: &mut Block) {
        let mut items = Vec::new();
        let kind = match self.dialect() {
            Dialect::Java => WithKind::Lock,
            Dialect::Rust => WithKind::Unsafe,
            _ => WithKind::Resource,
        };
        let mut body = Vec::new();
        for child in self.children(node) {
            if child.kind() == "with_clause" {
                for item in self.children(child) {
                    if let Some(value) = self.field(item, "value") {
                        items.push(self.with_item(value));
                    }
                }
            } else if self.role(child) == Role::Block {
                body = self.block(child);
            } else if self.role(child).is_statement() {
                self.statement(child, &mut body);
            } else {
                items.push((self.expr(child), None));
            }
        }
        self.push(StmtKind::With { kind, items, body }, span_of(node), out);
    }

    fn with_item(&mut self, value: Node<'_>) -> (ExprId, Option<ExprId>) {
        if value.kind() != "as_pattern" {
            return (self.expr(value), None);
        }
        let inner = self.children(value).first().copied();
        let held = match inner {
            Some(inner) => self.expr(inner),
            None => self.add(ExprKind::Other(Vec::new()), span_of(value)),
        };
        let alias = self.field(value, "alias").and_then(|alias| self.children(alias).first().copied());
        (held, self.optional_expr(alias))
    }
}
