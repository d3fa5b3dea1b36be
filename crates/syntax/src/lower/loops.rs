//! `if` and all loops.

use super::{Lowering, span_of};
use crate::expression::{ExprId, ExprKind, Literal};
use crate::lang::Role;
use crate::statement::{Block, Declares, LoopKind, StmtKind};
use tree_sitter::Node;

impl<'a> Lowering<'a> {
    pub(super) fn if_statement(&mut self, node: Node<'_>, out: &mut Block) {
        let elif = std::mem::take(&mut self.elif);
        let span = span_of(node);
        self.conditional += 1;
        let initializer = self.field(node, "initializer");
        let mut before = self.optional_block(initializer);
        let test = self.test(self.field(node, "condition"), node);
        let then = self.optional_block(self.field(node, "consequence"));
        // `else if` chains are followed here, not by recursion: generated code has thousands of them.
        let mut branches = Vec::new();
        let mut otherwise = Vec::new();
        let mut pending = self.fields(node, "alternative");
        pending.reverse();
        while let Some(branch) = pending.pop() {
            let (kind, inner) = self.alternative(branch);
            match (kind, inner) {
                (Alternative::If, Some(inner)) if self.field(inner, "initializer").is_none() => {
                    let test = self.test(self.field(inner, "condition"), inner);
                    let then = self.optional_block(self.field(inner, "consequence"));
                    branches.push((test, then, span_of(inner)));
                    let mut further = self.fields(inner, "alternative");
                    further.reverse();
                    if inner.kind() != "elif_clause" {
                        pending.extend(further);
                    }
                }
                (_, Some(inner)) => otherwise = self.block(inner),
                (_, None) => otherwise = self.clause_body(branch),
            }
        }
        for (test, then, span) in branches.into_iter().rev() {
            let mut one = Vec::new();
            self.push(StmtKind::If { test, then, otherwise, elif: true }, span, &mut one);
            otherwise = one;
        }
        self.conditional -= 1;
        let kind = StmtKind::If { test, then, otherwise, elif };
        if before.is_empty() {
            self.push(kind, span, out);
        } else {
            self.push(kind, span, &mut before);
            self.push(StmtKind::Block(before), span, out);
        }
    }

    /// What an `alternative` is: another `if`, or the rest.
    fn alternative<'t>(&self, node: Node<'t>) -> (Alternative, Option<Node<'t>>) {
        match node.kind() {
            "elif_clause" => (Alternative::If, Some(node)),
            "else_clause" => {
                let inner = self.field(node, "body").or_else(|| self.children(node).last().copied());
                match inner {
                    Some(inner) if self.role(inner) == Role::If => (Alternative::If, Some(inner)),
                    Some(inner) if self.role(inner) == Role::ExpressionStatement => (Alternative::Rest, None),
                    other => (Alternative::Rest, other),
                }
            }
            _ if self.role(node) == Role::If => (Alternative::If, Some(node)),
            _ => (Alternative::Rest, Some(node)),
        }
    }

    /// The question of an `if` or loop; an empty one is always true.
    fn test(&mut self, node: Option<Node<'_>>, around: Node<'_>) -> ExprId {
        match node {
            Some(node) => self.expr(node),
            None => self.add(ExprKind::Other(Vec::new()), span_of(around)),
        }
    }

    pub(super) fn loop_(&mut self, node: Node<'_>, role: Role, out: &mut Block) {
        let span = span_of(node);
        let label = self.child_of_kind(node, "label").map(|label| self.text(label));
        let mut parts = Parts::default();
        let kind = match role {
            Role::While => {
                let test = self.test(self.field(node, "condition"), node);
                parts.test = Some(test);
                LoopKind::While
            }
            Role::DoWhile => LoopKind::DoWhile,
            Role::Endless => LoopKind::Endless,
            Role::ForEach => self.for_each(node, &mut parts),
            _ => self.for_(node, &mut parts),
        };
        let body = self.optional_block(self.field(node, "body"));
        if role == Role::DoWhile {
            parts.test = Some(self.test(self.field(node, "condition"), node));
        }
        let otherwise = match self.field(node, "alternative") {
            Some(rest) => self.clause_body(rest),
            None => Vec::new(),
        };
        let Parts { init, test, target, iterable, update } = parts;
        let kind = StmtKind::Loop { kind, init, test, target, iterable, update, body, otherwise, label };
        self.push(kind, span, out);
    }

    fn for_each(&mut self, node: Node<'_>, parts: &mut Parts) -> LoopKind {
        let target = self.any_field(node, &["left", "pattern", "name", "declarator"]);
        let iterable = self.any_field(node, &["right", "value"]);
        parts.iterable = self.optional_expr(iterable);
        if let Some(target) = target {
            let expr = match self.field(node, "declarator") {
                Some(declarator) => self.declarator(declarator),
                None => self.expr(target),
            };
            let declares = self.field(node, "kind").is_some()
                || self.field(node, "declarator").is_some()
                || matches!(node.kind(), "enhanced_for_statement" | "for_expression");
            self.loop_variable(expr, declares, node, parts);
        }
        LoopKind::ForEach
    }

    /// The target of a for-each; what it declares is said by a declaration without value before the loop.
    fn loop_variable(&mut self, target: ExprId, declares: bool, node: Node<'_>, parts: &mut Parts) {
        parts.target = Some(target);
        if declares {
            let span = self.unit.expr(target).span;
            let annotation = self.type_text(self.field(node, "type"));
            let declares = Declares::Variable;
            let kind =
                StmtKind::Assign { targets: vec![target], operator: None, value: None, declares, annotation };
            self.push(kind, span, &mut parts.init);
        }
    }

    fn for_(&mut self, node: Node<'_>, parts: &mut Parts) -> LoopKind {
        let clause = self.child_of_kind(node, "for_clause");
        if let Some(range) = self.child_of_kind(node, "range_clause") {
            parts.iterable = self.optional_expr(self.field(range, "right"));
            if let Some(left) = self.field(range, "left") {
                let target = self.expr(left);
                let declares = self.has_word(range, ":=");
                self.loop_variable(target, declares, range, parts);
            }
            return LoopKind::ForEach;
        }
        let holder = clause.unwrap_or(node);
        for name in ["initializer", "init"] {
            for init in self.fields(holder, name) {
                self.statement(init, &mut parts.init);
            }
        }
        if let Some(condition) = self.field(holder, "condition") {
            // JavaScript's grammar wraps the question in a statement, or gives an empty one.
            let condition = match self.role(condition) {
                Role::ExpressionStatement => self.children(condition).first().copied(),
                Role::Pass => None,
                _ => Some(condition),
            };
            parts.test = self.optional_expr(condition);
        }
        for name in ["increment", "update"] {
            for update in self.fields(holder, name) {
                let update = self.expr(update);
                parts.update.push(update);
            }
        }
        if clause.is_none() && node.kind() == "for_statement" && self.dialect() == crate::Dialect::Go {
            let body = self.field(node, "body").map(|body| body.id());
            let test = self.children(node).into_iter().find(|child| Some(child.id()) != body);
            parts.test = self.optional_expr(test);
            return if parts.test.is_some() { LoopKind::While } else { LoopKind::Endless };
        }
        if parts.test.is_none() { LoopKind::Endless } else { LoopKind::For }
    }

    /// A constant `true`, for questions that are not written.
    pub(super) fn always(&mut self, node: Node<'_>) -> ExprId {
        self.add(ExprKind::Literal(Literal::Boolean(true)), span_of(node))
    }
}

enum Alternative {
    If,
    Rest,
}

#[derive(Default)]
struct Parts {
    init: Block,
    test: Option<ExprId>,
    target: Option<ExprId>,
    iterable: Option<ExprId>,
    update: Vec<ExprId>,
}
