//! Statements that define nothing.

use super::{Reading, span};
use crate::expression::{ExprId, Operator};
use crate::lines::Span;
use crate::statement::{Arm, Block, Declares, Handler, LoopKind, StmtKind, SwitchKind, WithKind};
use oxc_ast::ast::{
    AssignmentExpression, BindingPattern, BlockStatement, CatchClause, Directive, Expression, ForStatement,
    ForStatementInit, ForStatementLeft, IfStatement, Statement, SwitchStatement, TryStatement,
    VariableDeclaration,
};

impl<'a> Reading<'a> {
    /// The statements of a file or function.
    pub(super) fn body(&mut self, directives: &[Directive<'_>], statements: &[Statement<'_>]) -> Block {
        let mut out = Vec::with_capacity(directives.len() + statements.len());
        for directive in directives {
            let text = self.text_literal(span(&directive.expression));
            self.to.push(StmtKind::Expression(text), span(directive), &mut out);
        }
        self.statements(statements, &mut out);
        out
    }

    pub(super) fn statements(&mut self, statements: &[Statement<'_>], out: &mut Block) {
        for statement in statements {
            self.statement(statement, out);
        }
    }

    /// The statements between braces.
    fn braces(&mut self, block: &BlockStatement<'_>, alone: bool) -> Block {
        let mut out = Vec::with_capacity(block.body.len());
        // `{}` could be an object as well.
        self.braced(block.span.end, alone && block.body.is_empty());
        self.statements(&block.body, &mut out);
        out
    }

    /// The statements of a block, or of the one statement that stands for it.
    fn block(&mut self, statement: &Statement<'_>) -> Block {
        let mut out = Vec::new();
        match statement {
            Statement::BlockStatement(block) => out = self.braces(block, true),
            _ => self.statement(statement, &mut out),
        }
        out
    }

    pub(super) fn statement(&mut self, statement: &Statement<'_>, out: &mut Block) {
        self.deeper(|this| this.statement_inside(statement, out));
    }

    fn statement_inside(&mut self, statement: &Statement<'_>, out: &mut Block) {
        let place = self.whole(statement);
        let kind = match statement {
            Statement::BlockStatement(_) => StmtKind::Block(self.block(statement)),
            Statement::BreakStatement(stop) => {
                StmtKind::Break(stop.label.as_ref().map(|label| self.text(label)))
            }
            Statement::ContinueStatement(next) => {
                StmtKind::Continue(next.label.as_ref().map(|label| self.text(label)))
            }
            Statement::DebuggerStatement(_) | Statement::EmptyStatement(_) => StmtKind::Pass,
            Statement::ExpressionStatement(only) => match &only.expression {
                Expression::AssignmentExpression(assign) => return self.assignment(assign, place, out),
                other => StmtKind::Expression(self.expr(other)),
            },
            Statement::IfStatement(choice) => return self.if_(choice, place, out),
            Statement::WhileStatement(repeat) => {
                let test = Some(self.expr(&repeat.test));
                let body = self.block(&repeat.body);
                round(LoopKind::While, Parts { test, ..Parts::default() }, body)
            }
            Statement::DoWhileStatement(repeat) => {
                let body = self.block(&repeat.body);
                let test = Some(self.expr(&repeat.test));
                round(LoopKind::DoWhile, Parts { test, ..Parts::default() }, body)
            }
            Statement::ForStatement(repeat) => self.for_(repeat),
            Statement::ForInStatement(each) => self.for_each(&each.left, &each.right, &each.body),
            Statement::ForOfStatement(each) => self.for_each(&each.left, &each.right, &each.body),
            Statement::SwitchStatement(choice) => self.switch(choice),
            Statement::TryStatement(attempt) => self.try_(attempt),
            Statement::WithStatement(with) => {
                let items = vec![(self.expr(&with.object), None)];
                let body = self.block(&with.body);
                StmtKind::With { kind: WithKind::Resource, items, body }
            }
            Statement::LabeledStatement(labelled) => {
                let mut body = Vec::new();
                self.statement(&labelled.body, &mut body);
                StmtKind::Label { name: self.text(&labelled.label), body }
            }
            Statement::ReturnStatement(given) => {
                StmtKind::Return(given.argument.as_ref().map(|value| self.expr(value)))
            }
            Statement::ThrowStatement(thrown) => StmtKind::Raise(vec![self.expr(&thrown.argument)]),
            _ => {
                if let Some(declaration) = statement.as_declaration() {
                    self.declaration(declaration, out);
                } else if let Some(module) = statement.as_module_declaration() {
                    self.module(module, out);
                }
                return;
            }
        };
        self.to.push(kind, place, out);
    }

    /// `a = b = c` and `a += b` as a statement.
    pub(super) fn assignment(&mut self, assign: &AssignmentExpression<'_>, place: Span, out: &mut Block) {
        let operator = self.assignment_operator(assign);
        let mut targets = vec![self.target(&assign.left)];
        let mut right = &assign.right;
        while let (None, Expression::AssignmentExpression(inner)) = (operator, right) {
            if self.assignment_operator(inner).is_some() {
                break;
            }
            targets.push(self.target(&inner.left));
            right = &inner.right;
        }
        let value = self.expr(right);
        self.assigned(targets, operator, Some(value), Declares::Nothing, None, place, out);
    }

    pub(super) fn assignment_operator(&self, assign: &AssignmentExpression<'_>) -> Option<Operator> {
        let word = assign.operator.as_str().strip_suffix('=')?;
        if word.is_empty() { None } else { Some(super::super::literals::operator_of(word)) }
    }

    #[expect(clippy::too_many_arguments, reason = "each is a part of the statement")]
    pub(super) fn assigned(
        &mut self,
        targets: Vec<ExprId>,
        operator: Option<Operator>,
        value: Option<ExprId>,
        declares: Declares,
        annotation: Option<&'a str>,
        place: Span,
        out: &mut Block,
    ) {
        let first = targets.first().copied();
        if let (Some(value), Some(target)) = (value, first) {
            self.to.name_lambda(value, target);
        }
        if let Some(value) = value {
            self.to.required(value, first, place);
        }
        let kind = StmtKind::Assign { targets, operator, value, declares, annotation };
        self.to.push(kind, place, out);
    }

    /// `let`, `const` and `var`; the words before them stay away.
    pub(super) fn variables(&mut self, declared: &VariableDeclaration<'_>, out: &mut Block) {
        self.to.decorators.clear();
        let place = span(declared);
        if declared.kind.is_using() {
            self.cannot(place);
            return;
        }
        let start = if declared.declare { self.after(place.start, "declare") } else { place.start };
        let declares = match (Span { start, end: place.end }).text(self.source).split_whitespace().next() {
            Some("const") => Declares::Constant,
            Some("var") => Declares::Function,
            _ => Declares::Variable,
        };
        for one in &declared.declarations {
            let annotation = one.type_annotation.as_ref().map(|annotation| self.annotation(annotation));
            let value = one.init.as_ref().map(|value| self.expr(value));
            let target = self.binding(&one.id);
            self.assigned(vec![target], None, value, declares, annotation, span(one), out);
        }
    }

    fn if_(&mut self, choice: &IfStatement<'_>, place: Span, out: &mut Block) {
        self.to.conditional += 1;
        let test = self.expr(&choice.test);
        let then = self.block(&choice.consequent);
        let mut branches = Vec::new();
        let mut otherwise = Vec::new();
        let mut rest = choice.alternate.as_ref();
        while let Some(branch) = rest.take() {
            match branch {
                Statement::IfStatement(inner) => {
                    let test = self.expr(&inner.test);
                    let then = self.block(&inner.consequent);
                    branches.push((test, then, self.whole(branch)));
                    rest = inner.alternate.as_ref();
                }
                _ => otherwise = self.block(branch),
            }
        }
        for (test, then, place) in branches.into_iter().rev() {
            let mut one = Vec::new();
            self.to.push(StmtKind::If { test, then, otherwise, elif: true }, place, &mut one);
            otherwise = one;
        }
        self.to.conditional -= 1;
        self.to.push(StmtKind::If { test, then, otherwise, elif: false }, place, out);
    }

    fn for_(&mut self, repeat: &ForStatement<'_>) -> StmtKind<'a> {
        let mut parts = Parts::default();
        match &repeat.init {
            None => {
                // The grammar sees an empty statement.
                let open = self.skip(span(repeat).start + 3);
                let start = self.skip(open + 1);
                self.to.push(StmtKind::Pass, Span { start, end: start + 1 }, &mut parts.init);
            }
            Some(ForStatementInit::VariableDeclaration(declared)) => {
                self.deeper(|this| this.variables(declared, &mut parts.init));
            }
            Some(init) => match init.as_expression() {
                Some(value) => self.loose(value, &mut parts.init),
                None => self.fails = true,
            },
        }
        parts.test = repeat.test.as_ref().map(|test| self.expr(test));
        parts.update = repeat.update.as_ref().map(|update| self.expr(update)).into_iter().collect();
        let kind = if parts.test.is_none() { LoopKind::Endless } else { LoopKind::For };
        let body = self.block(&repeat.body);
        round(kind, parts, body)
    }

    fn for_each(
        &mut self,
        left: &ForStatementLeft<'_>,
        right: &Expression<'_>,
        body: &Statement<'_>,
    ) -> StmtKind<'a> {
        let mut parts = Parts { iterable: Some(self.expr(right)), ..Parts::default() };
        if let ForStatementLeft::VariableDeclaration(declared) = left {
            let Some(one) = declared.declarations.first() else { return StmtKind::Pass };
            if one.init.is_some() || declared.kind.is_using() || one.type_annotation.is_some() {
                self.cannot(span(one));
            }
            let target = self.binding(&one.id);
            parts.target = Some(target);
            let place = self.to.unit.expr(target).span;
            let declares = Declares::Variable;
            let kind = StmtKind::Assign {
                targets: vec![target],
                operator: None,
                value: None,
                declares,
                annotation: None,
            };
            self.to.push(kind, place, &mut parts.init);
        } else if let Some(target) = left.as_assignment_target() {
            parts.target = Some(self.target(target));
        }
        let body = self.block(body);
        round(LoopKind::ForEach, parts, body)
    }

    fn switch(&mut self, choice: &SwitchStatement<'_>) -> StmtKind<'a> {
        self.to.conditional += 1;
        let subject = Some(self.expr(&choice.discriminant));
        let mut arms = Vec::with_capacity(choice.cases.len());
        for case in &choice.cases {
            let pattern = case.test.as_ref().map(|test| self.expr(test));
            let mut body = Vec::new();
            self.statements(&case.consequent, &mut body);
            let default = pattern.is_none();
            let patterns = pattern.into_iter().collect();
            let end = case.consequent.last().map_or(case.span.end, |last| self.whole(last).end);
            let span = Span { start: case.span.start, end };
            arms.push(Arm { patterns, guard: None, body, default, span });
        }
        self.to.conditional -= 1;
        StmtKind::Switch { kind: SwitchKind::Falling, subject, arms }
    }

    fn try_(&mut self, attempt: &TryStatement<'_>) -> StmtKind<'a> {
        self.to.conditional += 1;
        let body = self.braces(&attempt.block, false);
        let handlers = attempt.handler.iter().map(|handler| self.handler(handler)).collect();
        let finally = attempt.finalizer.as_deref().map(|block| self.braces(block, false)).unwrap_or_default();
        self.to.conditional -= 1;
        StmtKind::Try { body, handlers, otherwise: Vec::new(), finally }
    }

    fn handler(&mut self, handler: &CatchClause<'_>) -> Handler<'a> {
        let mut name = None;
        match handler.param.as_ref().map(|param| &param.pattern) {
            Some(BindingPattern::BindingIdentifier(own)) => name = Some(self.text(&**own)),
            Some(pattern) => {
                self.binding(pattern);
            }
            None => {}
        }
        let body = self.braces(&handler.body, false);
        Handler { types: Vec::new(), name, body, span: span(handler) }
    }
}

#[derive(Default)]
struct Parts {
    init: Block,
    test: Option<ExprId>,
    target: Option<ExprId>,
    iterable: Option<ExprId>,
    update: Vec<ExprId>,
}

fn round<'a>(kind: LoopKind, parts: Parts, body: Block) -> StmtKind<'a> {
    let Parts { init, test, target, iterable, update } = parts;
    StmtKind::Loop { kind, init, test, target, iterable, update, body, otherwise: Vec::new(), label: None }
}
