//! Functions, methods and what they take.

use super::{Reading, span, span_of};
use crate::expression::{ExprId, ExprKind};
use crate::lines::Span;
use crate::lower::offset;
use crate::statement::{Block, StmtKind};
use crate::unit::{Function, FunctionId, Modifiers, Owner, Parameter, ParameterKind};
use oxc_ast::ast::{
    self, ArrowFunctionBody, ArrowFunctionExpression, BindingPattern, Decorator, Expression,
    FormalParameters, FunctionBody, TSThisParameter, TSTypeAnnotation,
};

/// What there is to know of a function before its inside is read.
pub(super) struct Shape<'s, 't> {
    pub(super) place: Span,
    pub(super) name: Option<Span>,
    pub(super) lambda: bool,
    /// Whether it is written without the word: nothing but a block can end it.
    pub(super) method: bool,
    pub(super) modifiers: Modifiers,
    pub(super) decorators: &'s [Decorator<'t>],
    pub(super) this: Option<&'s TSThisParameter<'t>>,
    pub(super) parameters: &'s FormalParameters<'t>,
    pub(super) returns: Option<&'s TSTypeAnnotation<'t>>,
    pub(super) body: Inside<'s, 't>,
    pub(super) generator: bool,
}

/// What a function does.
pub(super) enum Inside<'s, 't> {
    Nothing,
    Block(&'s FunctionBody<'t>),
    Value(&'s Expression<'t>),
}

impl<'s, 't> Shape<'s, 't> {
    /// A function that is written with the word, or a method.
    pub(super) fn of(function: &'s ast::Function<'t>, place: Span) -> Self {
        Self {
            place,
            name: function.id.as_ref().map(span),
            lambda: true,
            method: false,
            modifiers: Modifiers { is_async: function.r#async, ..Modifiers::default() },
            decorators: &[],
            this: function.this_param.as_deref(),
            parameters: &function.params,
            returns: function.return_type.as_deref(),
            body: function.body.as_deref().map_or(Inside::Nothing, Inside::Block),
            generator: function.generator,
        }
    }
}

impl<'a> Reading<'a> {
    pub(super) fn arrow(&mut self, arrow: &ArrowFunctionExpression<'_>) -> ExprId {
        let place = span(arrow);
        let body = match &arrow.body {
            ArrowFunctionBody::FunctionBody(body) => Inside::Block(body),
            other => other.as_expression().map_or(Inside::Nothing, Inside::Value),
        };
        let id = self.function(Shape {
            place,
            name: None,
            lambda: true,
            method: false,
            modifiers: Modifiers { is_async: arrow.r#async, ..Modifiers::default() },
            decorators: &[],
            this: None,
            parameters: &arrow.params,
            returns: arrow.return_type.as_deref(),
            body,
            generator: false,
        });
        self.to.add(ExprKind::Lambda(id), place)
    }

    pub(super) fn function_value(&mut self, function: &ast::Function<'_>) -> ExprId {
        let place = span(function);
        let id = self.function(Shape::of(function, place));
        self.to.add(ExprKind::Lambda(id), place)
    }

    /// A method of an object.
    pub(super) fn method_value(
        &mut self,
        function: &ast::Function<'_>,
        name: Span,
        place: Span,
        accessor: bool,
    ) -> FunctionId {
        let mut shape = Shape::of(function, place);
        shape.name = Some(name);
        shape.method = true;
        shape.modifiers.accessor = accessor;
        self.function(shape)
    }

    pub(super) fn function_statement(&mut self, function: &ast::Function<'_>, out: &mut Block) {
        let mut place = span(function);
        if function.declare {
            place.start = self.after(place.start, "declare");
        }
        if function.body.is_none() {
            place.end = self.loose_end(place.end, false);
        }
        let id = self.function(Shape { lambda: false, ..Shape::of(function, place) });
        self.to.push(StmtKind::Function(id), place, out);
    }

    pub(super) fn decorators(&mut self, decorators: &[Decorator<'_>]) -> Vec<ExprId> {
        decorators.iter().map(|decorator| self.expr(&decorator.expression)).collect()
    }

    pub(super) fn function(&mut self, shape: Shape<'_, '_>) -> FunctionId {
        let Shape { place, lambda, mut modifiers, .. } = shape;
        let mut decorators = if lambda { Vec::new() } else { std::mem::take(&mut self.to.decorators) };
        let id = self.reserve(place, lambda);
        let outer = (self.to.owner, self.to.function, self.to.conditional);
        decorators.extend(self.decorators(shape.decorators));
        (self.to.owner, self.to.function, self.to.conditional) = (Owner::Function(id), Some(id), 0);
        let in_class = matches!(outer.0, Owner::Class(_));
        let parameters = self.parameters(shape.this, shape.parameters);
        let (body, body_span) = self.inside(&shape.body, shape.method);
        (self.to.owner, self.to.function, self.to.conditional) = outer;
        let returns = shape.returns.map(|returns| self.annotation(returns));
        let name = shape.name.map_or("", |name| name.text(self.source));
        self.to.name_says(name, in_class, &mut modifiers);
        modifiers.is_abstract |= body_span.is_none() && !lambda && in_class;
        self.to.decorators_say(&decorators, &mut modifiers);
        let made = &mut self.to.unit.functions[id.0 as usize];
        made.name = name;
        made.name_span = shape.name.unwrap_or(Span { start: place.start, end: place.start });
        made.parameters = parameters;
        made.returns = returns;
        made.decorators = decorators;
        made.body = body;
        made.has_body = body_span.is_some();
        made.modifiers = modifiers;
        made.generator |= shape.generator;
        if let Some(body_span) = body_span {
            // What stands before a declaration belongs to it.
            made.span.start = made.span.start.min(made.body_span.start);
            made.body_span = body_span;
        }
        id
    }

    fn inside(&mut self, inside: &Inside<'_, '_>, method: bool) -> (Block, Option<Span>) {
        match inside {
            Inside::Nothing => (Vec::new(), None),
            Inside::Block(body) => {
                self.braced(body.span.end, !method);
                (self.body(&body.directives, &body.statements), Some(span_of(body.span)))
            }
            // The grammar takes a class for a statement wherever it stands.
            Inside::Value(Expression::ClassExpression(class)) => {
                let mut body = Vec::new();
                self.deeper(|this| this.class(class, &mut body));
                (body, Some(span(&**class)))
            }
            Inside::Value(value) => {
                let place = span(*value);
                let value = self.expr(value);
                let mut body = Vec::new();
                self.to.push(StmtKind::Return(Some(value)), place, &mut body);
                (body, Some(place))
            }
        }
    }

    fn reserve(&mut self, place: Span, lambda: bool) -> FunctionId {
        let to = &mut self.to;
        let id = FunctionId(offset(to.unit.functions.len()));
        let start = to.outer_start.take_if(|_| !lambda).map_or(place.start, |start| start.min(place.start));
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
            has_body: false,
            body_span: Span { start, end: place.end },
            modifiers: Modifiers::default(),
            lambda,
            documented: false,
            generator: false,
        });
        if let (Owner::Class(class), false) = (to.owner, lambda) {
            to.unit.classes[class.0 as usize].methods.push(id);
        }
        id
    }

    fn parameters(
        &mut self,
        this: Option<&TSThisParameter<'_>>,
        list: &FormalParameters<'_>,
    ) -> Vec<Parameter<'a>> {
        let mut found = Vec::with_capacity(list.items.len());
        if let Some(this) = this {
            let mut parameter = blank(span_of(this.this_span));
            parameter.name = "this";
            parameter.kind = ParameterKind::Receiver;
            parameter.annotation = this.type_annotation.as_deref().map(|written| self.annotation(written));
            found.push(parameter);
        }
        for one in &list.items {
            let mut parameter = blank(span(one));
            parameter.annotation = one.type_annotation.as_deref().map(|written| self.annotation(written));
            parameter.default = one.initializer.as_deref().map(|default| self.expr(default));
            parameter.decorators = self.decorators(&one.decorators);
            self.named(&one.pattern, &mut parameter);
            found.push(parameter);
        }
        if let Some(rest) = &list.rest {
            let mut parameter = blank(span(&**rest));
            parameter.annotation = rest.type_annotation.as_deref().map(|written| self.annotation(written));
            parameter.decorators = self.decorators(&rest.decorators);
            parameter.kind = ParameterKind::Rest;
            self.named(&rest.rest.argument, &mut parameter);
            found.push(parameter);
        }
        found
    }

    fn named(&mut self, pattern: &BindingPattern<'_>, parameter: &mut Parameter<'a>) {
        match pattern {
            BindingPattern::BindingIdentifier(own) if self.text(&**own) != "undefined" => {
                (parameter.name, parameter.span) = (self.text(&**own), span(&**own));
            }
            _ => parameter.pattern = Some(self.pattern(pattern)),
        }
    }

    /// A type as it is written, without the mark before it.
    pub(super) fn annotation(&self, written: &TSTypeAnnotation<'_>) -> &'a str {
        self.text(written).trim_start_matches([':', ' ']).trim_start_matches("->").trim()
    }
}

fn blank<'a>(span: Span) -> Parameter<'a> {
    Parameter {
        name: "",
        span,
        kind: ParameterKind::Normal,
        annotation: None,
        default: None,
        pattern: None,
        decorators: Vec::new(),
    }
}
