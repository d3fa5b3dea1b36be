//! Going through statements and expressions without recursion.

use crate::expression::{ExprId, ExprKind, ItemKey, Part};
use crate::statement::{Block, StmtId, StmtKind};
use crate::unit::{FunctionId, Unit};

/// What a walk comes across.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// An expression, before what is in it.
    Expr(ExprId),
    /// A statement, before what is in it.
    Stmt(StmtId),
}

/// Whether a walk goes into functions and classes that are defined on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nested {
    /// Into them too.
    Enter,
    /// Past them.
    Skip,
}

impl<'a> Unit<'a> {
    /// The expressions directly inside of an expression, in the order of evaluation.
    pub fn parts_of(&self, id: ExprId, out: &mut Vec<Step>) {
        let mut expr = |id: &ExprId| out.push(Step::Expr(*id));
        match self.kind(id) {
            ExprKind::Name(_) | ExprKind::Literal(_) | ExprKind::Lambda(_) | ExprKind::Type(_) => {}
            ExprKind::Template(parts) => {
                for part in parts {
                    if let Part::Value(value) = part {
                        expr(value);
                    }
                }
            }
            ExprKind::Attribute { base, .. } => expr(base),
            ExprKind::Subscript { base, index } => {
                expr(base);
                index.iter().for_each(expr);
            }
            ExprKind::Slice(parts) | ExprKind::Other(parts) => parts.iter().for_each(expr),
            ExprKind::Call { callee, arguments, .. } => {
                expr(callee);
                arguments.iter().for_each(|argument| expr(&argument.value));
            }
            ExprKind::Binary { left, right, .. } | ExprKind::Logical { left, right, .. } => {
                expr(left);
                expr(right);
            }
            ExprKind::Compare { left, rest } => {
                expr(left);
                rest.iter().for_each(|(_, operand)| expr(operand));
            }
            ExprKind::Unary { operand: inner, .. }
            | ExprKind::Update { target: inner, .. }
            | ExprKind::Await(inner)
            | ExprKind::Spread(inner)
            | ExprKind::Cast { value: inner, .. } => expr(inner),
            ExprKind::Yield(inner) => inner.iter().for_each(expr),
            ExprKind::Conditional { test, then, otherwise } => {
                expr(test);
                expr(then);
                expr(otherwise);
            }
            ExprKind::Collection { items, .. } => {
                for item in items {
                    if let Some(ItemKey::Value(key)) = &item.key {
                        expr(key);
                    }
                    expr(&item.value);
                }
            }
            ExprKind::Comprehension { elements, clauses, .. } => {
                for clause in clauses {
                    expr(&clause.iterable);
                    expr(&clause.target);
                    clause.conditions.iter().for_each(&mut expr);
                }
                elements.iter().for_each(expr);
            }
            ExprKind::Assign { target, value, .. } => {
                expr(value);
                expr(target);
            }
            ExprKind::Block(block) => out.extend(block.iter().map(|stmt| Step::Stmt(*stmt))),
            ExprKind::Statement(stmt) => out.push(Step::Stmt(*stmt)),
        }
    }

    /// The expressions and statements directly inside of a statement, in the order of the text.
    pub fn parts_of_statement(&self, id: StmtId, out: &mut Vec<Step>) {
        let statements =
            |block: &Block, out: &mut Vec<Step>| out.extend(block.iter().map(|stmt| Step::Stmt(*stmt)));
        let exprs =
            |list: &[ExprId], out: &mut Vec<Step>| out.extend(list.iter().map(|expr| Step::Expr(*expr)));
        match &self.stmt(id).kind {
            StmtKind::Expression(value) => out.push(Step::Expr(*value)),
            StmtKind::Assign { targets, value, .. } => {
                exprs(value.as_slice(), out);
                exprs(targets, out);
            }
            StmtKind::Return(value) => exprs(value.as_slice(), out),
            StmtKind::Raise(values) | StmtKind::Delete(values) => exprs(values, out),
            StmtKind::Label { body, .. } | StmtKind::Block(body) => statements(body, out),
            StmtKind::If { test, then, otherwise, .. } => {
                out.push(Step::Expr(*test));
                statements(then, out);
                statements(otherwise, out);
            }
            StmtKind::Loop { init, test, target, iterable, update, body, otherwise, .. } => {
                statements(init, out);
                exprs(iterable.as_slice(), out);
                exprs(target.as_slice(), out);
                exprs(test.as_slice(), out);
                statements(body, out);
                exprs(update, out);
                statements(otherwise, out);
            }
            StmtKind::Switch { subject, arms, .. } => {
                exprs(subject.as_slice(), out);
                for arm in arms {
                    exprs(&arm.patterns, out);
                    exprs(arm.guard.as_slice(), out);
                    statements(&arm.body, out);
                }
            }
            StmtKind::Try { body, handlers, otherwise, finally } => {
                statements(body, out);
                for handler in handlers {
                    exprs(&handler.types, out);
                    statements(&handler.body, out);
                }
                statements(otherwise, out);
                statements(finally, out);
            }
            StmtKind::With { items, body, .. } => {
                for (held, name) in items {
                    out.push(Step::Expr(*held));
                    exprs(name.as_slice(), out);
                }
                statements(body, out);
            }
            StmtKind::Assert { test, message } => {
                out.push(Step::Expr(*test));
                exprs(message.as_slice(), out);
            }
            StmtKind::Deferred { call, .. } => out.push(Step::Expr(*call)),
            StmtKind::Preprocessor(branches) => branches.iter().for_each(|block| statements(block, out)),
            StmtKind::Other { expressions, body } => {
                exprs(expressions, out);
                statements(body, out);
            }
            StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Goto(_)
            | StmtKind::Function(_)
            | StmtKind::Class(_)
            | StmtKind::Import(_)
            | StmtKind::Global(_)
            | StmtKind::Pass => {}
        }
    }

    /// Everything in these statements, outer before inner, earlier before later.
    pub fn walk(&self, block: &[StmtId], nested: Nested, visit: &mut dyn FnMut(Step)) {
        let steps = block.iter().rev().map(|stmt| Step::Stmt(*stmt)).collect();
        self.walk_steps(steps, nested, visit);
    }

    /// Everything in an expression, itself first.
    pub fn walk_expr(&self, id: ExprId, nested: Nested, visit: &mut dyn FnMut(Step)) {
        self.walk_steps(vec![Step::Expr(id)], nested, visit);
    }

    fn walk_steps(&self, mut stack: Vec<Step>, nested: Nested, visit: &mut dyn FnMut(Step)) {
        let mut parts = Vec::new();
        while let Some(step) = stack.pop() {
            visit(step);
            parts.clear();
            match step {
                Step::Expr(id) => {
                    self.parts_of(id, &mut parts);
                    if let (ExprKind::Lambda(function), Nested::Enter) = (self.kind(id), nested) {
                        self.function_parts(*function, &mut parts);
                    }
                }
                Step::Stmt(id) => {
                    self.parts_of_statement(id, &mut parts);
                    match self.stmt(id).kind {
                        StmtKind::Function(function) => {
                            let function_ = self.function(function);
                            parts.extend(function_.decorators.iter().map(|expr| Step::Expr(*expr)));
                            let defaults =
                                function_.parameters.iter().filter_map(|parameter| parameter.default);
                            parts.extend(defaults.map(Step::Expr));
                            if nested == Nested::Enter {
                                parts.extend(function_.body.iter().map(|stmt| Step::Stmt(*stmt)));
                            }
                        }
                        StmtKind::Class(class) => {
                            let class = self.class(class);
                            parts.extend(
                                class.decorators.iter().chain(&class.bases).map(|expr| Step::Expr(*expr)),
                            );
                            parts.extend(class.keywords.iter().map(|(_, expr)| Step::Expr(*expr)));
                            if nested == Nested::Enter {
                                parts.extend(class.body.iter().map(|stmt| Step::Stmt(*stmt)));
                            }
                        }
                        _ => {}
                    }
                }
            }
            stack.extend(parts.iter().rev());
        }
    }

    fn function_parts(&self, id: FunctionId, parts: &mut Vec<Step>) {
        let function = self.function(id);
        parts.extend(function.parameters.iter().filter_map(|parameter| parameter.default).map(Step::Expr));
        parts.extend(function.body.iter().map(|stmt| Step::Stmt(*stmt)));
    }
}
