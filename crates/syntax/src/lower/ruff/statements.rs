//! Statements that define nothing.

use super::{Reading, span, span_of};
use crate::expression::{CollectionKind, ExprId, ExprKind, Item};
use crate::lines::Span;
use crate::statement::{Block, Declares, Handler, LoopKind, StmtKind, WithKind};
use ruff_python_ast::{ExceptHandler, Expr, Stmt, StmtFor, StmtIf, StmtTry, StmtWhile, StmtWith};
use ruff_text_size::Ranged;

impl<'a> Reading<'a> {
    /// The statements of a block.
    pub(super) fn block(&mut self, statements: &[Stmt]) -> Block {
        let mut out = Vec::with_capacity(statements.len());
        for statement in statements {
            self.statement(statement, &mut out);
        }
        out
    }

    fn statement(&mut self, statement: &Stmt, out: &mut Block) {
        self.deeper(|this| this.statement_inside(statement, out));
    }

    fn statement_inside(&mut self, statement: &Stmt, out: &mut Block) {
        let place = span(statement);
        let kind = match statement {
            Stmt::FunctionDef(function) => return self.function_statement(function, out),
            Stmt::ClassDef(class) => return self.class_statement(class, out),
            Stmt::Import(import) => return self.import(import, out),
            Stmt::ImportFrom(import) => return self.import_from(import, out),
            Stmt::If(choice) => return self.if_(choice, out),
            Stmt::For(each) => return self.for_(each, out),
            Stmt::While(repeat) => return self.while_(repeat, out),
            Stmt::With(with) => return self.with(with, out),
            Stmt::Try(attempt) => return self.try_(attempt, out),
            Stmt::Return(given) => StmtKind::Return(given.value.as_deref().map(|value| self.listed(value))),
            Stmt::Raise(raise) => {
                let parts = [&raise.exc, &raise.cause].into_iter().flatten();
                StmtKind::Raise(parts.map(|part| self.listed(part)).collect())
            }
            Stmt::Delete(delete) => {
                let mut targets: Vec<ExprId> = Vec::with_capacity(delete.targets.len());
                for target in &delete.targets {
                    targets.push(self.expr(target));
                }
                if targets.len() > 1 {
                    // The grammar sees one tuple.
                    let start = self.skip(place.start + 3);
                    targets = vec![self.tuple(targets, Span { start, end: place.end })];
                }
                StmtKind::Delete(targets)
            }
            Stmt::Assign(assign) => {
                let targets: Vec<ExprId> = assign.targets.iter().map(|target| self.expr(target)).collect();
                let value = self.listed(&assign.value);
                self.assigned(targets, None, Some(value), None)
            }
            Stmt::AugAssign(assign) => {
                let target = self.expr(&assign.target);
                let value = self.listed(&assign.value);
                let operator = super::expressions::operator(assign.op);
                self.assigned(vec![target], Some(operator), Some(value), None)
            }
            Stmt::AnnAssign(assign) => {
                let target = self.expr(&assign.target);
                let annotation = self.annotation(&assign.annotation);
                let value = assign.value.as_deref().map(|value| self.listed(value));
                self.assigned(vec![target], None, value, Some(annotation))
            }
            Stmt::Assert(assert) => {
                let test = self.expr(&assert.test);
                let message = assert.msg.as_deref().map(|message| self.expr(message));
                StmtKind::Assert { test, message }
            }
            Stmt::Global(global) => {
                StmtKind::Global(global.names.iter().map(|name| self.text(name)).collect())
            }
            Stmt::Nonlocal(nonlocal) => {
                StmtKind::Global(nonlocal.names.iter().map(|name| self.text(name)).collect())
            }
            Stmt::Expr(expression) => StmtKind::Expression(self.listed(&expression.value)),
            Stmt::Pass(_) => StmtKind::Pass,
            Stmt::Break(_) => StmtKind::Break(None),
            Stmt::Continue(_) => StmtKind::Continue(None),
            Stmt::Match(_) | Stmt::TypeAlias(_) | Stmt::IpyEscapeCommand(_) => {
                self.cannot(place);
                return;
            }
        };
        self.to.push(kind, place, out);
    }

    /// A value where `a, b` may stand without parentheses. Of `a,` the grammar sees `a` alone.
    pub(super) fn listed(&mut self, value: &Expr) -> ExprId {
        match value {
            Expr::Tuple(tuple) if !tuple.parenthesized && tuple.elts.len() == 1 => self.expr(&tuple.elts[0]),
            _ => self.expr(value),
        }
    }

    pub(super) fn tuple(&mut self, values: Vec<ExprId>, place: Span) -> ExprId {
        let items = values.into_iter().map(|value| Item { key: None, value }).collect();
        self.to.add(ExprKind::Collection { kind: CollectionKind::Tuple, items }, place)
    }

    fn assigned(
        &mut self,
        targets: Vec<ExprId>,
        operator: Option<crate::Operator>,
        value: Option<ExprId>,
        annotation: Option<&'a str>,
    ) -> StmtKind<'a> {
        if let (Some(value), Some(target)) = (value, targets.first()) {
            self.to.name_lambda(value, *target);
        }
        StmtKind::Assign { targets, operator, value, declares: Declares::Nothing, annotation }
    }

    /// Where a block ends; `head` where there is none.
    pub(super) fn end_of(&self, block: &[Stmt], head: u32) -> u32 {
        match (block.first(), block.last()) {
            (Some(first), Some(last)) => self.block_end(span(first).start, self.statement_end(last)),
            _ => head,
        }
    }

    /// Where a statement ends with the comments that belong to its last block.
    fn statement_end(&self, statement: &Stmt) -> u32 {
        let end = span(statement).end;
        match statement {
            Stmt::FunctionDef(function) => self.end_of(&function.body, end),
            Stmt::ClassDef(class) => self.end_of(&class.body, end),
            Stmt::With(with) => self.end_of(&with.body, end),
            Stmt::For(each) if each.orelse.is_empty() => self.end_of(&each.body, end),
            Stmt::For(each) => self.end_of(&each.orelse, end),
            Stmt::While(repeat) if repeat.orelse.is_empty() => self.end_of(&repeat.body, end),
            Stmt::While(repeat) => self.end_of(&repeat.orelse, end),
            Stmt::If(choice) => match choice.elif_else_clauses.last() {
                Some(last) => self.end_of(&last.body, end),
                None => self.end_of(&choice.body, end),
            },
            Stmt::Try(attempt) => self.end_of(last_of(attempt), end),
            _ => end,
        }
    }

    fn loop_(
        &mut self,
        kind: LoopKind,
        test: Option<ExprId>,
        target: Option<ExprId>,
        iterable: Option<ExprId>,
        body: Block,
        otherwise: Block,
    ) -> StmtKind<'a> {
        let (init, update) = (Vec::new(), Vec::new());
        StmtKind::Loop { kind, init, test, target, iterable, update, body, otherwise, label: None }
    }

    fn for_(&mut self, each: &StmtFor, out: &mut Block) {
        let iterable = Some(self.listed(&each.iter));
        let target = Some(self.expr(&each.target));
        let body = self.block(&each.body);
        let otherwise = self.block(&each.orelse);
        let kind = self.loop_(LoopKind::ForEach, None, target, iterable, body, otherwise);
        let last = if each.orelse.is_empty() { &each.body } else { &each.orelse };
        let end = self.end_of(last, span(each).end);
        self.to.push(kind, Span { start: span(each).start, end }, out);
    }

    fn while_(&mut self, repeat: &StmtWhile, out: &mut Block) {
        let test = Some(self.expr(&repeat.test));
        let body = self.block(&repeat.body);
        let otherwise = self.block(&repeat.orelse);
        let kind = self.loop_(LoopKind::While, test, None, None, body, otherwise);
        let last = if repeat.orelse.is_empty() { &repeat.body } else { &repeat.orelse };
        let end = self.end_of(last, span(repeat).end);
        self.to.push(kind, Span { start: span(repeat).start, end }, out);
    }

    fn if_(&mut self, choice: &StmtIf, out: &mut Block) {
        self.to.conditional += 1;
        let test = self.expr(&choice.test);
        let then = self.block(&choice.body);
        let mut branches = Vec::new();
        let mut otherwise = Vec::new();
        let mut end = self.end_of(&choice.body, span(choice).end);
        for clause in &choice.elif_else_clauses {
            let place = span(clause);
            end = self.end_of(&clause.body, place.end);
            match &clause.test {
                Some(test) => {
                    let test = self.expr(test);
                    let then = self.block(&clause.body);
                    branches.push((test, then, Span { start: place.start, end }));
                }
                None => otherwise = self.block(&clause.body),
            }
        }
        for (test, then, place) in branches.into_iter().rev() {
            let mut one = Vec::new();
            self.to.push(StmtKind::If { test, then, otherwise, elif: true }, place, &mut one);
            otherwise = one;
        }
        self.to.conditional -= 1;
        let kind = StmtKind::If { test, then, otherwise, elif: false };
        self.to.push(kind, Span { start: span(choice).start, end }, out);
    }

    fn with(&mut self, with: &StmtWith, out: &mut Block) {
        let mut items = Vec::with_capacity(with.items.len());
        for item in &with.items {
            let held = self.expr(&item.context_expr);
            let bound = item.optional_vars.as_deref().map(|bound| self.expr(bound));
            items.push((held, bound));
        }
        let body = self.block(&with.body);
        let end = self.end_of(&with.body, span(with).end);
        let kind = StmtKind::With { kind: WithKind::Resource, items, body };
        self.to.push(kind, Span { start: span(with).start, end }, out);
    }

    fn try_(&mut self, attempt: &StmtTry, out: &mut Block) {
        self.to.conditional += 1;
        let body = self.block(&attempt.body);
        let mut handlers = Vec::with_capacity(attempt.handlers.len());
        for handler in &attempt.handlers {
            handlers.push(self.handler(handler));
        }
        let otherwise = self.block(&attempt.orelse);
        let finally = self.block(&attempt.finalbody);
        self.to.conditional -= 1;
        let end = self.end_of(last_of(attempt), span(attempt).end);
        let kind = StmtKind::Try { body, handlers, otherwise, finally };
        self.to.push(kind, Span { start: span(attempt).start, end }, out);
    }

    fn handler(&mut self, handler: &ExceptHandler) -> Handler<'a> {
        let ExceptHandler::ExceptHandler(handler) = handler;
        let mut types = Vec::new();
        match handler.type_.as_deref() {
            // `except A, B`: each stands alone.
            Some(Expr::Tuple(tuple)) if !tuple.parenthesized => {
                for one in &tuple.elts {
                    types.push(self.expr(one));
                }
            }
            Some(kind) => {
                let only = self.expr(kind);
                types = match self.to.unit.kind(only) {
                    ExprKind::Collection { kind: CollectionKind::Tuple, items } => {
                        items.iter().map(|item| item.value).collect()
                    }
                    _ => vec![only],
                };
            }
            None => {}
        }
        let name = handler.name.as_ref().map(|name| self.text(name));
        let body = self.block(&handler.body);
        let place = span_of(handler.range());
        Handler {
            types,
            name,
            body,
            span: Span { start: place.start, end: self.end_of(&handler.body, place.end) },
        }
    }
}

/// The last block of a `try`.
fn last_of(attempt: &StmtTry) -> &[Stmt] {
    if !attempt.finalbody.is_empty() {
        return &attempt.finalbody;
    }
    if !attempt.orelse.is_empty() {
        return &attempt.orelse;
    }
    match attempt.handlers.last() {
        Some(ExceptHandler::ExceptHandler(handler)) => &handler.body,
        None => &attempt.body,
    }
}
