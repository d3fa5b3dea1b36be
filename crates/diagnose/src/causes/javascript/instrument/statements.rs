//! Statements: where expressions stand, and what decides whether they are reached.

use super::expressions::Record;
use super::patterns::Bound;
use super::table::NodeId;
use super::{FRAME, RECORDER, Walk};
use oxc_ast::ast::{
    CatchClause, Declaration, ForStatement, ForStatementInit, ForStatementLeft, Function, IfStatement,
    ReturnStatement, Statement, SwitchStatement, TryStatement, VariableDeclaration,
};
use oxc_span::{GetSpan, Span};
use serde_json::json;

impl Walk<'_> {
    pub(super) fn statements(&mut self, statements: &[Statement<'_>]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement<'_>) {
        match statement {
            Statement::BlockStatement(block) => self.statements(&block.body),
            Statement::ExpressionStatement(one) => {
                self.value(&one.expression);
            }
            Statement::IfStatement(one) => self.if_statement(one),
            Statement::ReturnStatement(one) => self.return_statement(one),
            Statement::ThrowStatement(one) => {
                let node = self.add("throw", one.span, json!({}));
                let inner = self.within(node, |walk| walk.value(&one.argument));
                self.set(node, "a", inner);
            }
            Statement::WhileStatement(one) => {
                self.loop_statement("while", one.span, Some(&one.test), &one.body)
            }
            Statement::DoWhileStatement(one) => {
                self.loop_statement("dowhile", one.span, Some(&one.test), &one.body)
            }
            Statement::ForStatement(one) => self.for_statement(one),
            Statement::ForOfStatement(one) => {
                self.each("forof", one.span, &one.left, &one.right, &one.body);
            }
            Statement::ForInStatement(one) => {
                self.each("forin", one.span, &one.left, &one.right, &one.body);
            }
            Statement::LabeledStatement(one) => self.statement(&one.body),
            Statement::SwitchStatement(one) => self.switch(one),
            Statement::TryStatement(one) => self.try_statement(one),
            // Names in it may be anything's properties, those that record too.
            Statement::WithStatement(_) => self.refused = true,
            statement => {
                if !self.module_statement(statement)
                    && let Some(declaration) = statement.as_declaration()
                {
                    self.declaration(declaration);
                }
            }
        }
    }

    pub(super) fn declaration(&mut self, declaration: &Declaration<'_>) {
        match declaration {
            Declaration::VariableDeclaration(variables) if !variables.declare => self.variables(variables),
            Declaration::FunctionDeclaration(function) => {
                let node = self.add("fn", function.span, json!({}));
                self.function_declaration(node, function);
            }
            Declaration::ClassDeclaration(class) if !class.declare => {
                let node = self.add("cls", class.span, json!({}));
                self.within(node, |walk| walk.class(node, class));
            }
            _ => {}
        }
    }

    pub(super) fn function_declaration(&mut self, node: NodeId, function: &Function<'_>) {
        if let Some(id) = &function.id
            && let Some(symbol) = self.declared(id)
        {
            self.write(symbol, json!({"k": "defined", "n": node}));
        }
        self.within(node, |walk| walk.function(node, function, ""));
    }

    fn variables(&mut self, variables: &VariableDeclaration<'_>) {
        for one in &variables.declarations {
            let node = self.add("decl", one.span, json!({}));
            self.within(node, |walk| match &one.init {
                Some(init) => {
                    let from = walk.expression(init, Record::Always);
                    walk.set(node, "r", from);
                    walk.bind_from(&one.id, from);
                }
                None => {
                    for bound in walk.bound(&one.id) {
                        walk.write(bound.symbol, json!({"k": "declared", "n": node}));
                    }
                }
            });
            let pattern = one.id.span();
            self.set(node, "ts", pattern.start);
            self.set(node, "te", pattern.end);
        }
    }

    fn if_statement(&mut self, one: &IfStatement<'_>) {
        let span = one.consequent.span();
        let node = self.add("if", one.span, json!({"ts": span.start, "te": span.end}));
        self.within(node, |walk| {
            let test = walk.value(&one.test);
            walk.set(node, "t", test);
            walk.statement(&one.consequent);
            if let Some(alternate) = &one.alternate {
                walk.statement(alternate);
            }
        });
    }

    fn return_statement(&mut self, one: &ReturnStatement<'_>) {
        let node = match &one.argument {
            Some(argument) => self.expression(argument, Record::Return),
            None => {
                let node = self.add("ret", one.span, json!({}));
                let at = one.span.start + "return".len() as u32;
                self.insert(at, format!(" {RECORDER}.t({FRAME},{node},void 0)"));
                node
            }
        };
        self.returns(node);
    }

    fn loop_statement(
        &mut self,
        kind: &'static str,
        span: Span,
        test: Option<&oxc_ast::ast::Expression<'_>>,
        body: &Statement<'_>,
    ) {
        let node = self.add(kind, span, json!({"ts": body.span().start, "te": body.span().end}));
        self.within(node, |walk| {
            if let Some(test) = test.filter(|_| kind != "dowhile") {
                let test = walk.value(test);
                walk.set(node, "t", test);
            }
            walk.statement(body);
            if let Some(test) = test.filter(|_| kind == "dowhile") {
                walk.value(test);
            }
        });
    }

    fn for_statement(&mut self, one: &ForStatement<'_>) {
        let body = one.body.span();
        let node = self.add("for", one.span, json!({"ts": body.start, "te": body.end}));
        self.within(node, |walk| {
            match &one.init {
                Some(ForStatementInit::VariableDeclaration(variables)) => walk.variables(variables),
                Some(init) => {
                    if let Some(init) = init.as_expression() {
                        walk.value(init);
                    }
                }
                None => {}
            }
            if let Some(test) = &one.test {
                let test = walk.value(test);
                walk.set(node, "t", test);
            }
            if let Some(update) = &one.update {
                walk.value(update);
            }
            walk.statement(&one.body);
        });
    }

    /// `for … of` and `for … in`: the names of each round are recorded at its beginning.
    fn each(
        &mut self,
        kind: &'static str,
        span: Span,
        left: &ForStatementLeft<'_>,
        right: &oxc_ast::ast::Expression<'_>,
        body: &Statement<'_>,
    ) {
        let place = body.span();
        let node = self.add(kind, span, json!({"ts": place.start, "te": place.end}));
        self.within(node, |walk| {
            let bound = walk.loop_names(left);
            let source = walk.value(right);
            walk.set(node, "r", source);
            let block = matches!(body, Statement::BlockStatement(_));
            if !bound.is_empty() {
                walk.table.nodes[node].recorded = true;
                let names: Vec<&str> = bound.iter().map(|bound| bound.name.as_str()).collect();
                let record = format!("{RECORDER}.b({FRAME},{node},[{}]);", names.join(","));
                match block {
                    true => walk.insert(place.start + 1, record),
                    false => walk.insert(place.start, format!("{{{record}")),
                }
            }
            walk.statement(body);
            if !bound.is_empty() && !block {
                walk.insert(place.end, "}");
            }
            for (at, name) in bound.into_iter().enumerate() {
                let write = json!({"k": "item", "n": node, "i": at, "path": name.path, "of": source, "d": name.default});
                walk.write(name.symbol, write);
            }
        });
    }

    fn loop_names(&mut self, left: &ForStatementLeft<'_>) -> Vec<Bound> {
        match left {
            ForStatementLeft::VariableDeclaration(variables) => {
                variables.declarations.iter().flat_map(|one| self.bound(&one.id)).collect()
            }
            ForStatementLeft::AssignmentTargetIdentifier(name) => {
                let symbol = self.referred(name);
                let bound =
                    |symbol| Bound { symbol, name: name.name.to_string(), path: Vec::new(), default: None };
                symbol.map(bound).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    fn switch(&mut self, one: &SwitchStatement<'_>) {
        let node = self.add("switch", one.span, json!({}));
        self.within(node, |walk| {
            let value = walk.value(&one.discriminant);
            walk.set(node, "t", value);
            for case in &one.cases {
                let inner = walk.add("case", case.span, json!({"d": value}));
                walk.within(inner, |walk| {
                    if let Some(test) = &case.test {
                        let test = walk.value(test);
                        walk.set(inner, "t", test);
                    }
                    walk.statements(&case.consequent);
                });
            }
        });
    }

    fn try_statement(&mut self, one: &TryStatement<'_>) {
        self.statements(&one.block.body);
        if let Some(handler) = &one.handler {
            self.catch(handler);
        }
        if let Some(last) = &one.finalizer {
            self.statements(&last.body);
        }
    }

    fn catch(&mut self, handler: &CatchClause<'_>) {
        let node = self.add("catch", handler.span, json!({}));
        let bound = handler.param.as_ref().map(|param| self.bound(&param.pattern)).unwrap_or_default();
        let names: Vec<&str> = bound.iter().map(|bound| bound.name.as_str()).collect();
        let record = format!("{RECORDER}.k({FRAME},{node},[{}]);", names.join(","));
        self.table.nodes[node].recorded = true;
        self.insert(handler.body.span.start + 1, record);
        for (at, name) in bound.iter().enumerate() {
            self.write(name.symbol, json!({"k": "caught", "n": node, "i": at, "path": name.path}));
        }
        self.within(node, |walk| walk.statements(&handler.body.body));
    }
}
