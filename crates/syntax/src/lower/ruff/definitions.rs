//! Functions, lambdas, classes and imports.

use super::{Reading, span};
use crate::expression::{ExprId, ExprKind};
use crate::lines::Span;
use crate::lower::offset;
use crate::statement::{Block, StmtKind};
use crate::unit::{
    Class, ClassId, ClassKind, Function, FunctionId, ImportedName, Modifiers, Owner, Parameter, ParameterKind,
};
use ruff_python_ast::{
    Alias, AnyParameterRef, ArgOrKeyword, Decorator, Expr, ExprLambda, Parameters, StmtClassDef,
    StmtFunctionDef, StmtImport, StmtImportFrom,
};

/// What the walk knows around a definition.
type Around = (Owner, Option<FunctionId>, u32);

impl<'a> Reading<'a> {
    fn decorators(&mut self, decorators: &[Decorator]) -> Vec<ExprId> {
        decorators.iter().map(|decorator| self.expr(&decorator.expression)).collect()
    }

    /// Where `def` or `class` stands after the decorators.
    fn head(&self, decorators: &[Decorator], start: u32) -> u32 {
        decorators.last().map_or(start, |last| self.skip(span(last).end))
    }

    pub(super) fn function_statement(&mut self, function: &StmtFunctionDef, out: &mut Block) {
        let whole = span(function);
        let decorators = self.decorators(&function.decorator_list);
        let start = self.head(&function.decorator_list, whole.start);
        let end = self.end_of(&function.body, whole.end);
        let place = Span { start, end };
        let (id, around) = self.begin(place, false);
        let in_class = matches!(around.0, Owner::Class(_));
        let parameters = self.parameters(&function.parameters, in_class);
        let body = self.block(&function.body);
        self.leave(around);
        let name = self.text(&function.name);
        let mut modifiers = Modifiers { is_async: function.is_async, ..Modifiers::default() };
        self.to.name_says(name, in_class, &mut modifiers);
        self.to.decorators_say(&decorators, &mut modifiers);
        let documented = self.to.has_docstring(&body);
        let returns = function.returns.as_deref().map(|returns| self.annotation(returns));
        let body_start = function.body.first().map_or(end, |first| span(first).start);
        let made = &mut self.to.unit.functions[id.0 as usize];
        (made.name, made.name_span) = (name, span(&function.name));
        made.span.start = whole.start;
        made.parameters = parameters;
        made.returns = returns;
        made.decorators = decorators;
        made.body = body;
        made.body_span = Span { start: body_start, end };
        made.modifiers = modifiers;
        made.documented = documented;
        self.to.push(StmtKind::Function(id), place, out);
    }

    pub(super) fn lambda(&mut self, lambda: &ExprLambda) -> ExprId {
        let place = span(lambda);
        let (id, around) = self.begin(place, true);
        let in_class = matches!(around.0, Owner::Class(_));
        let parameters = match &lambda.parameters {
            Some(parameters) => self.parameters(parameters, in_class),
            None => Vec::new(),
        };
        let value = self.expr(&lambda.body);
        let given = self.outer(&*lambda.body);
        // What is closed after the lambda is not around its value.
        let given = if given.end > place.end { self.within(lambda) } else { given };
        let mut body = Vec::new();
        self.to.push(StmtKind::Return(Some(value)), given, &mut body);
        self.leave(around);
        let mut modifiers = Modifiers::default();
        self.to.name_says("", in_class, &mut modifiers);
        let made = &mut self.to.unit.functions[id.0 as usize];
        made.parameters = parameters;
        made.body = body;
        made.body_span = given;
        made.modifiers = modifiers;
        self.to.add(ExprKind::Lambda(id), place)
    }

    /// The value of a lambda that itself stands in parentheses.
    fn within(&self, lambda: &ExprLambda) -> Span {
        let end = span(lambda).end;
        let mut given = span(&*lambda.body);
        let closed = self.source.get(given.end as usize..end as usize).unwrap_or("").matches(')').count();
        for _ in 0..closed {
            let before = self.source.get(..given.start as usize).unwrap_or("").rfind('(');
            given.start = before.map_or(given.start, offset);
        }
        Span { start: given.start, end }
    }

    /// A new function around what comes next.
    fn begin(&mut self, place: Span, lambda: bool) -> (FunctionId, Around) {
        let to = &mut self.to;
        let id = FunctionId(offset(to.unit.functions.len()));
        to.unit.functions.push(Function {
            name: "",
            name_span: Span { start: place.start, end: place.start },
            span: place,
            owner: to.owner,
            receiver: None,
            parameters: Vec::new(),
            returns: None,
            decorators: Vec::new(),
            body: Vec::new(),
            has_body: true,
            body_span: place,
            modifiers: Modifiers::default(),
            lambda,
            documented: false,
            generator: false,
        });
        if let (Owner::Class(class), false) = (to.owner, lambda) {
            to.unit.classes[class.0 as usize].methods.push(id);
        }
        let around = (to.owner, to.function, to.conditional);
        (to.owner, to.function, to.conditional) = (Owner::Function(id), Some(id), 0);
        (id, around)
    }

    fn leave(&mut self, around: Around) {
        (self.to.owner, self.to.function, self.to.conditional) = around;
    }

    fn parameters(&mut self, list: &Parameters, in_class: bool) -> Vec<Parameter<'a>> {
        let mut found = Vec::with_capacity(list.len());
        for one in list.iter_source_order() {
            let written = one.as_parameter();
            let name = self.text(&written.name);
            let mut kind = match one {
                AnyParameterRef::NonVariadic(own)
                    if list.kwonlyargs.iter().any(|other| std::ptr::eq(other, own)) =>
                {
                    ParameterKind::KeywordOnly
                }
                AnyParameterRef::NonVariadic(_) => ParameterKind::Normal,
                AnyParameterRef::Variadic(own) if is_same(list.kwarg.as_deref(), own) => {
                    ParameterKind::KeywordRest
                }
                AnyParameterRef::Variadic(_) => ParameterKind::Rest,
            };
            if name == "this" {
                kind = ParameterKind::Receiver;
            }
            let annotation = written.annotation.as_deref().map(|annotation| self.annotation(annotation));
            let default = one.default().map(|default| self.expr(default));
            let span = span(&written.name);
            found.push(Parameter {
                name,
                span,
                kind,
                annotation,
                default,
                pattern: None,
                decorators: Vec::new(),
            });
        }
        if in_class
            && let Some(first) = found.first_mut()
            && matches!(first.name, "self" | "cls" | "mcs" | "mcls" | "metacls")
        {
            first.kind = ParameterKind::Receiver;
        }
        found
    }

    /// A type as it is written.
    pub(super) fn annotation(&self, written: &Expr) -> &'a str {
        self.outer(written).text(self.source).trim()
    }

    pub(super) fn class_statement(&mut self, class: &StmtClassDef, out: &mut Block) {
        let whole = span(class);
        let decorators = self.decorators(&class.decorator_list);
        let start = self.head(&class.decorator_list, whole.start);
        let end = self.end_of(&class.body, whole.end);
        let id = ClassId(offset(self.to.unit.classes.len()));
        let name = self.text(&class.name);
        let private = name.starts_with('_');
        self.to.unit.classes.push(Class {
            name,
            name_span: span(&class.name),
            span: Span { start: whole.start, end },
            kind: ClassKind::Class,
            owner: self.to.owner,
            bases: Vec::new(),
            keywords: Vec::new(),
            decorators,
            body: Vec::new(),
            methods: Vec::new(),
            fields: Vec::new(),
            modifiers: Modifiers { public: !private, private, ..Modifiers::default() },
            documented: false,
        });
        let (mut bases, mut keywords) = (Vec::new(), Vec::new());
        for argument in class.arguments.iter().flat_map(|list| list.iter_source_order()) {
            match argument {
                ArgOrKeyword::Keyword(keyword) if keyword.arg.is_some() => {
                    let name = keyword.arg.as_ref().map_or("", |name| self.text(name));
                    keywords.push((name, self.expr(&keyword.value)));
                }
                other => bases.push(self.argument(other)),
            }
        }
        let outer = (self.to.owner, self.to.function);
        self.to.owner = Owner::Class(id);
        let body = self.block(&class.body);
        (self.to.owner, self.to.function) = outer;
        let documented = self.to.has_docstring(&body);
        let made = &mut self.to.unit.classes[id.0 as usize];
        made.bases = bases;
        made.keywords = keywords;
        made.body = body;
        made.documented = documented;
        self.to.push(StmtKind::Class(id), Span { start, end }, out);
    }

    fn imported(&self, alias: &Alias) -> ImportedName<'a> {
        let name = self.text(&alias.name);
        match &alias.asname {
            Some(local) => {
                let span = span(&alias.name).to(span(local));
                ImportedName { name, local: self.text(local), renamed: true, span }
            }
            None => ImportedName { name, local: name, renamed: false, span: span(&alias.name) },
        }
    }

    pub(super) fn import(&mut self, import: &StmtImport, out: &mut Block) {
        for alias in &import.names {
            let mut imported = self.imported(alias);
            if !imported.renamed {
                // `import a.b` binds `a`.
                imported.local = imported.name.split('.').next().unwrap_or("").trim();
            }
            let mut made = self.to.blank_import(self.text(&alias.name), span(import));
            made.names.push(imported);
            self.to.add_import(made, out);
        }
    }

    pub(super) fn import_from(&mut self, import: &StmtImportFrom, out: &mut Block) {
        let module = import.module.as_ref().map_or("", |module| self.text(module));
        let mut made = self.to.blank_import(module, span(import));
        made.level = import.level;
        for alias in &import.names {
            if alias.name.as_str() == "*" {
                made.star = true;
            } else {
                made.names.push(self.imported(alias));
            }
        }
        self.to.add_import(made, out);
    }
}

fn is_same<T>(one: Option<&T>, other: &T) -> bool {
    one.is_some_and(|one| std::ptr::eq(one, other))
}
