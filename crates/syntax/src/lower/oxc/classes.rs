//! Classes and what resembles them.

use super::functions::{Inside, Shape};
use super::{Reading, span};
use crate::expression::ExprId;
use crate::lines::Span;
use crate::lower::offset;
use crate::statement::{Block, Declares, StmtKind};
use crate::unit::{Class, ClassId, ClassKind, Modifiers, Owner};
use oxc_ast::ast::{
    self, ClassElement, ClassType, Decorator, Expression, MethodDefinition, MethodDefinitionKind,
    MethodDefinitionType, PropertyKey, StaticBlock, TSAccessibility, TSEnumDeclaration, TSEnumMemberName,
    TSExternalModuleDeclaration, TSInterfaceDeclaration, TSMethodSignature, TSMethodSignatureKind,
    TSNamespaceDeclaration, TSNamespaceDeclarationBody, TSPropertySignature, TSSignature,
    TSTypeAliasDeclaration, TSTypeAnnotation,
};

/// More bases than this go by the grammar, whose walk over them has an end.
const BASES: usize = 20;

impl<'a> Reading<'a> {
    /// A class in the unit, before its inside is read.
    fn begin(
        &mut self,
        kind: ClassKind,
        place: Span,
        name: Option<Span>,
        modifiers: Modifiers,
        decorators: &[Decorator<'_>],
    ) -> ClassId {
        let id = ClassId(offset(self.to.unit.classes.len()));
        let mut held = std::mem::take(&mut self.to.decorators);
        let start = self.to.outer_start.take().unwrap_or(place.start).min(place.start);
        held.extend(self.decorators(decorators));
        let written = name.map_or("", |name| name.text(self.source));
        self.to.unit.classes.push(Class {
            name: written.split(['<', ' ']).next().unwrap_or(written),
            name_span: name.unwrap_or(Span { start: place.start, end: place.start }),
            span: Span { start, end: place.end },
            kind,
            owner: self.to.owner,
            bases: Vec::new(),
            keywords: Vec::new(),
            decorators: held,
            body: Vec::new(),
            methods: Vec::new(),
            fields: Vec::new(),
            modifiers,
            documented: false,
        });
        id
    }

    /// The inside of a class, and the statement that it is.
    fn finish(
        &mut self,
        id: ClassId,
        bases: Vec<ExprId>,
        place: Span,
        out: &mut Block,
        inside: impl FnOnce(&mut Self, &mut Block),
    ) {
        let outer = (self.to.owner, self.to.function);
        self.to.owner = Owner::Class(id);
        let mut body = Vec::new();
        inside(self, &mut body);
        (self.to.owner, self.to.function) = outer;
        let made = &mut self.to.unit.classes[id.0 as usize];
        made.bases = bases;
        made.body = body;
        self.to.push(StmtKind::Class(id), place, out);
    }

    fn field(&mut self, name: &'a str, annotation: Option<&'a str>) {
        if let Owner::Class(class) = self.to.owner {
            self.to.unit.classes[class.0 as usize].fields.push((name, annotation));
        }
    }

    pub(super) fn class(&mut self, class: &ast::Class<'_>, out: &mut Block) {
        let mut place = span(class);
        let own = match class.decorators.first() {
            // Those before `export` were read there.
            Some(first) if span(first).start < self.to.outer_start.unwrap_or(0).max(place.start) => &[],
            Some(_) if !self.to.decorators.is_empty() => &[],
            _ => class.decorators.as_slice(),
        };
        if own.is_empty()
            && let Some(last) = class.decorators.last()
            && span(last).start >= place.start
        {
            place.start = self.skip(span(last).end);
        }
        if class.declare {
            place.start = self.after(place.start, "declare");
        }
        if class.r#type == ClassType::ClassDeclaration && !class.r#abstract && class.id.is_some() {
            place.end = self.block_end(place.end, true);
        }
        let modifiers = Modifiers { is_abstract: class.r#abstract, ..Modifiers::default() };
        let name = class.id.as_ref().map(span);
        let id = self.begin(ClassKind::Class, place, name, modifiers, own);
        let mut bases = Vec::new();
        if let Some(heritage) = &class.heritage {
            bases.push(self.expr(&heritage.expression));
        }
        for one in &class.implements {
            bases.push(self.base(&one.expression));
        }
        if bases.len() > BASES {
            self.cannot(place);
        }
        self.finish(id, bases, place, out, |this, out| {
            for element in &class.body.body {
                this.class_element(element, out);
            }
        });
    }

    fn class_element(&mut self, element: &ClassElement<'_>, out: &mut Block) {
        match element {
            ClassElement::StaticBlock(block) => {
                self.deeper(|this| this.static_block(block, out));
            }
            ClassElement::MethodDefinition(method) => self.method(method, out),
            ClassElement::PropertyDefinition(field) => {
                let field = Property {
                    place: span(&**field),
                    key: &field.key,
                    computed: field.computed,
                    annotation: field.type_annotation.as_deref(),
                    value: field.value.as_ref(),
                };
                self.deeper(|this| this.property(field, out));
            }
            ClassElement::AccessorProperty(field) if self.typed => {
                let field = Property {
                    place: span(&**field),
                    key: &field.key,
                    computed: field.computed,
                    annotation: field.type_annotation.as_deref(),
                    value: field.value.as_ref(),
                };
                self.deeper(|this| this.property(field, out));
            }
            ClassElement::AccessorProperty(field) => {
                self.cannot(span(&**field));
            }
            ClassElement::TSIndexSignature(_) => {}
        }
    }

    fn static_block(&mut self, block: &StaticBlock<'_>, out: &mut Block) {
        let place = span(block);
        let start = self.after(place.start, "static");
        let mut body = Vec::new();
        self.braced(place.end, false);
        self.deeper(|this| this.statements(&block.body, &mut body));
        self.to.push(StmtKind::Block(body), Span { start, end: place.end }, out);
    }

    fn method(&mut self, method: &MethodDefinition<'_>, out: &mut Block) {
        let mut place = span(method);
        let mut decorators = method.decorators.as_slice();
        if self.typed {
            // TypeScript's grammar has them beside the method, as statements that mean nothing.
            for one in decorators {
                let value = self.deeper(|this| this.expr(&one.expression));
                let value = value.unwrap_or_else(|| self.cannot(place));
                let kind = StmtKind::Other { expressions: vec![value], body: Vec::new() };
                self.to.push(kind, span(one), out);
                place.start = self.skip(span(one).end);
            }
            decorators = &[];
        }
        let function = &method.value;
        if function.body.is_none() {
            place.end =
                function.return_type.as_ref().map_or(function.params.span.end, |written| written.span.end);
        }
        let mut shape = Shape::of(function, place);
        shape.lambda = false;
        shape.method = true;
        shape.name = Some(self.key_place(&method.key, method.computed));
        shape.decorators = decorators;
        shape.modifiers.is_static = method.r#static;
        shape.modifiers.overrides = method.r#override;
        shape.modifiers.is_abstract = method.r#type == MethodDefinitionType::TSAbstractMethodDefinition;
        shape.modifiers.accessor =
            matches!(method.kind, MethodDefinitionKind::Get | MethodDefinitionKind::Set);
        match method.accessibility {
            Some(TSAccessibility::Private) => shape.modifiers.private = true,
            Some(_) => shape.modifiers.public = true,
            None => {}
        }
        self.deeper(|this| {
            let id = this.function(shape);
            this.to.push(StmtKind::Function(id), place, out);
        });
    }

    fn property(&mut self, field: Property<'_, '_>, out: &mut Block) {
        self.to.decorators.clear();
        let mut place = self.unmarked(field.place);
        if let Some(end) = field.value.map(|value| span(value).end).or(field.annotation.map(|a| a.span.end)) {
            place.end = end;
        }
        let annotation = field.annotation.map(|written| self.annotation(written));
        let value = field.value.map(|value| self.expr(value));
        let target = self.key(field.key, field.computed);
        if let crate::ExprKind::Name(name) = self.to.unit.kind(target) {
            let name = *name;
            self.field(name, annotation);
        }
        self.assigned(vec![target], None, value, Declares::Field, annotation, place, out);
    }

    pub(super) fn interface(&mut self, interface: &TSInterfaceDeclaration<'_>, out: &mut Block) {
        let mut place = span(interface);
        if interface.declare {
            place.start = self.after(place.start, "declare");
        }
        let name = Some(span(&interface.id));
        let id = self.begin(ClassKind::Interface, place, name, Modifiers::default(), &[]);
        let bases: Vec<ExprId> = interface.extends.iter().map(|one| self.base(&one.type_name)).collect();
        if bases.len() > BASES {
            self.cannot(place);
        }
        self.finish(id, bases, place, out, |this, out| {
            for one in &interface.body.body {
                match one {
                    TSSignature::TSPropertySignature(field) => this.property_signature(field, out),
                    TSSignature::TSMethodSignature(method) => this.method_signature(method, out),
                    TSSignature::TSIndexSignature(_)
                    | TSSignature::TSCallSignatureDeclaration(_)
                    | TSSignature::TSConstructSignatureDeclaration(_) => {}
                }
            }
        });
    }

    fn property_signature(&mut self, field: &TSPropertySignature<'_>, out: &mut Block) {
        let field = Property {
            place: span(field),
            key: &field.key,
            computed: field.computed,
            annotation: field.type_annotation.as_deref(),
            value: None,
        };
        self.deeper(|this| this.property(field, out));
    }

    fn method_signature(&mut self, method: &TSMethodSignature<'_>, out: &mut Block) {
        let mut place = span(method);
        place.end = method.return_type.as_ref().map_or(method.params.span.end, |written| written.span.end);
        let accessor = method.kind != TSMethodSignatureKind::Method;
        let shape = Shape {
            place,
            name: Some(self.key_place(&method.key, method.computed)),
            lambda: false,
            method: true,
            modifiers: Modifiers { accessor, ..Modifiers::default() },
            decorators: &[],
            this: method.this_param.as_deref(),
            parameters: &method.params,
            returns: method.return_type.as_deref(),
            body: Inside::Nothing,
            generator: false,
        };
        self.deeper(|this| {
            let id = this.function(shape);
            this.to.push(StmtKind::Function(id), place, out);
        });
    }

    pub(super) fn alias(&mut self, alias: &TSTypeAliasDeclaration<'_>, out: &mut Block) {
        let mut place = span(alias);
        if alias.declare {
            place.start = self.after(place.start, "declare");
        }
        place.end = self.loose_end(place.end, false);
        let name = Some(span(&alias.id));
        let id = self.begin(ClassKind::Alias, place, name, Modifiers::default(), &[]);
        self.finish(id, Vec::new(), place, out, |this, out| this.type_body(&alias.type_annotation, out));
    }

    pub(super) fn enumeration(&mut self, one: &TSEnumDeclaration<'_>, out: &mut Block) {
        let mut place = span(one);
        if one.declare {
            place.start = self.after(place.start, "declare");
        }
        let id = self.begin(ClassKind::Enum, place, Some(span(&one.id)), Modifiers::default(), &[]);
        self.finish(id, Vec::new(), place, out, |this, out| {
            for member in &one.body.members {
                let name = span(&member.id);
                let plain = matches!(member.id, TSEnumMemberName::Identifier(_));
                if !plain && !matches!(member.id, TSEnumMemberName::String(_)) {
                    this.cannot(name);
                }
                match &member.initializer {
                    Some(value) => {
                        let value = this.expr(value);
                        this.to.push(StmtKind::Expression(value), span(member), out);
                        this.field(name.text(this.source), None);
                    }
                    None if plain => this.field(name.text(this.source), None),
                    None => {
                        let value = this.text_literal(name);
                        this.to.push(StmtKind::Expression(value), name, out);
                    }
                }
            }
        });
    }

    pub(super) fn external_module(&mut self, module: &TSExternalModuleDeclaration<'_>, out: &mut Block) {
        let mut place = span(module);
        if module.declare {
            place.start = self.after(place.start, "declare");
        }
        let name = Some(span(&module.id));
        // The semicolon after a name alone is a statement of its own to the grammar.
        let whole = place;
        if module.body.is_none() {
            place = self.unmarked(place);
        }
        let id = self.begin(ClassKind::Module, place, name, Modifiers::default(), &[]);
        self.finish(id, Vec::new(), place, out, |this, out| {
            if let Some(body) = &module.body {
                this.braced(body.span.end, false);
                *out = this.body(&body.directives, &body.body);
            }
        });
        if place.end < whole.end {
            self.to.push(StmtKind::Pass, Span { start: whole.end - 1, end: whole.end }, out);
        }
    }

    pub(super) fn namespace(&mut self, module: &TSNamespaceDeclaration<'_>, out: &mut Block) {
        let mut place = span(module);
        if module.declare {
            place.start = self.after(place.start, "declare");
        }
        let mut name = span(&module.id);
        let mut inner = module;
        let body = loop {
            match &inner.body {
                TSNamespaceDeclarationBody::TSNamespaceDeclaration(next) => {
                    name.end = span(&next.id).end;
                    inner = next;
                }
                TSNamespaceDeclarationBody::TSModuleBlock(body) => break body,
            }
        };
        let id = self.begin(ClassKind::Module, place, Some(name), Modifiers::default(), &[]);
        self.braced(body.span.end, false);
        self.finish(id, Vec::new(), place, out, |this, out| *out = this.body(&body.directives, &body.body));
    }
}

/// A field of a class or an interface.
struct Property<'s, 't> {
    place: Span,
    key: &'s PropertyKey<'t>,
    computed: bool,
    annotation: Option<&'s TSTypeAnnotation<'t>>,
    value: Option<&'s Expression<'t>>,
}
