//! `switch`, `match`, `case`, `select`.

use super::{Lowering, span_of};
use crate::dialect::Dialect;
use crate::expression::{ExprId, ExprKind};
use crate::lang::Role;
use crate::statement::{Arm, Block, StmtKind, SwitchKind};
use tree_sitter::Node;

impl<'a> Lowering<'a> {
    pub(super) fn switch(&mut self, node: Node<'_>, out: &mut Block) {
        self.conditional += 1;
        let mut before = Vec::new();
        if let Some(initializer) = self.field(node, "initializer") {
            self.statement(initializer, &mut before);
        }
        let value = self.any_field(node, &["value", "subject", "condition"]);
        let subject = self.optional_expr(value);
        if let Some(alias) = self.field(node, "alias") {
            self.expr(alias);
        }
        // Where the arms have no block of their own, they stand beside the head.
        let holder = self.field(node, "body").unwrap_or(node);
        let head: Vec<usize> = [self.field(node, "initializer"), value, self.field(node, "alias")]
            .into_iter()
            .flatten()
            .map(|part| part.id())
            .collect();
        let mut arms = Vec::new();
        let mut kind = match self.dialect() {
            Dialect::JavaScript
            | Dialect::TypeScript
            | Dialect::Tsx
            | Dialect::C
            | Dialect::Cpp
            | Dialect::Java => SwitchKind::Falling,
            _ if node.kind() == "select_statement" => SwitchKind::Select,
            _ => SwitchKind::Separate,
        };
        for child in self.children(holder).into_iter().filter(|child| !head.contains(&child.id())) {
            if child.kind() == "switch_rule" {
                kind = SwitchKind::Separate;
            }
            self.arm(child, &mut arms);
        }
        self.conditional -= 1;
        let kind = StmtKind::Switch { kind, subject, arms };
        if before.is_empty() {
            self.push(kind, span_of(node), out);
        } else {
            self.push(kind, span_of(node), &mut before);
            self.push(StmtKind::Block(before), span_of(node), out);
        }
    }

    fn arm(&mut self, node: Node<'_>, arms: &mut Vec<Arm>) {
        let span = span_of(node);
        match node.kind() {
            "switch_case" | "switch_default" => {
                let pattern = self.optional_expr(self.field(node, "value"));
                let mut body = Vec::new();
                for statement in self.fields(node, "body") {
                    self.statement(statement, &mut body);
                }
                let default = pattern.is_none();
                arms.push(Arm { patterns: pattern.into_iter().collect(), guard: None, body, default, span });
            }
            "switch_block_statement_group" | "switch_rule" => self.java_arm(node, arms),
            "case_statement" => {
                let value = self.field(node, "value");
                let pattern = self.optional_expr(value);
                let mut body = Vec::new();
                for child in self.children(node) {
                    if Some(child.id()) != value.map(|value| value.id()) {
                        self.statement(child, &mut body);
                    }
                }
                let default = pattern.is_none();
                arms.push(Arm { patterns: pattern.into_iter().collect(), guard: None, body, default, span });
            }
            "expression_case" | "type_case" | "default_case" | "communication_case" => {
                self.go_arm(node, arms)
            }
            "match_arm" => self.rust_arm(node, arms),
            "case_clause" => self.python_arm(node, arms),
            // Statements of a C switch outside of any case belong to the case before.
            _ => {
                let mut body = Vec::new();
                self.statement(node, &mut body);
                match arms.last_mut() {
                    Some(arm) => arm.body.append(&mut body),
                    None if body.is_empty() => {}
                    None => arms.push(Arm { patterns: Vec::new(), guard: None, body, default: false, span }),
                }
            }
        }
    }

    fn java_arm(&mut self, node: Node<'_>, arms: &mut Vec<Arm>) {
        let mut patterns = Vec::new();
        let mut guard = None;
        let mut default = false;
        let mut body = Vec::new();
        for child in self.children(node) {
            if child.kind() == "switch_label" {
                default |= self.has_word(child, "default");
                for label in self.children(child) {
                    if label.kind() == "guard" {
                        guard = self.children(label).first().copied().map(|inner| self.expr(inner));
                    } else {
                        patterns.push(self.expr(label));
                    }
                }
            } else if node.kind() == "switch_rule" && self.role(child) == Role::Block {
                body = self.block(child);
            } else {
                self.statement(child, &mut body);
            }
        }
        default |= patterns.is_empty();
        arms.push(Arm { patterns, guard, body, default, span: span_of(node) });
    }

    fn go_arm(&mut self, node: Node<'_>, arms: &mut Vec<Arm>) {
        let mut patterns: Vec<ExprId> = Vec::new();
        let mut body = Vec::new();
        let default = node.kind() == "default_case";
        let heads: Vec<usize> = ["value", "type", "communication"]
            .iter()
            .flat_map(|name| self.fields(node, name))
            .map(|head| head.id())
            .collect();
        for child in self.children(node) {
            if !heads.contains(&child.id()) {
                if self.role(child) == Role::Block {
                    body.extend(self.block(child));
                } else {
                    self.statement(child, &mut body);
                }
            } else if node.kind() == "communication_case" {
                self.statement(child, &mut body);
            } else if child.kind() == "expression_list" {
                let list = self.children(child);
                patterns.extend(self.exprs(list));
            } else {
                patterns.push(self.expr(child));
            }
        }
        arms.push(Arm { patterns, guard: None, body, default, span: span_of(node) });
    }

    fn rust_arm(&mut self, node: Node<'_>, arms: &mut Vec<Arm>) {
        let mut patterns = Vec::new();
        let mut guard = None;
        let mut default = false;
        if let Some(pattern) = self.field(node, "pattern") {
            let condition = self.field(pattern, "condition");
            guard = self.optional_expr(condition);
            for child in self.children(pattern) {
                if Some(child.id()) != condition.map(|condition| condition.id()) {
                    patterns.push(self.expr(child));
                }
            }
            default = guard.is_none() && self.text(pattern) == "_";
        }
        let body = self.optional_block(self.field(node, "value"));
        arms.push(Arm { patterns, guard, body, default, span: span_of(node) });
    }

    fn python_arm(&mut self, node: Node<'_>, arms: &mut Vec<Arm>) {
        let mut patterns = Vec::new();
        let mut default = false;
        for child in self.children(node).into_iter().filter(|child| child.kind() == "case_pattern") {
            let pattern = self.expr(child);
            default |= match self.unit.kind(pattern) {
                ExprKind::Other(inner) => match inner.as_slice() {
                    [] => true,
                    [only] => matches!(self.unit.kind(*only), ExprKind::Name(_)),
                    _ => false,
                },
                _ => false,
            };
            patterns.push(pattern);
        }
        let guard = self.field(node, "guard").and_then(|guard| self.children(guard).first().copied());
        let guard = self.optional_expr(guard);
        let body = self.optional_block(self.field(node, "consequence"));
        arms.push(Arm { patterns, default: default && guard.is_none(), guard, body, span: span_of(node) });
    }
}
