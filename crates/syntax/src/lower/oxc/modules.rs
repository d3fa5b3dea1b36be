//! Declarations by kind, imports and exports.

use super::{Reading, span};
use crate::expression::ExprKind;
use crate::lines::Span;
use crate::statement::{Block, StmtKind};
use crate::unit::{ImportKind, ImportedName};
use oxc_ast::ast::{
    Declaration, Decorator, ExportDefaultDeclarationKind, ExportSpecifier, ImportDeclaration,
    ImportDeclarationSpecifier, ModuleDeclaration, ModuleExportName, StringLiteral,
    TSImportEqualsDeclaration, TSModuleReference,
};

impl<'a> Reading<'a> {
    /// A declaration; the level of its statement is the caller's.
    pub(super) fn declaration(&mut self, declaration: &Declaration<'_>, out: &mut Block) {
        if !is_ambient(declaration) {
            return self.declared(declaration, out);
        }
        // The grammar wraps what is declared.
        self.to.outer_start.get_or_insert(span(declaration).start);
        self.deeper(|this| this.declared(declaration, out));
        self.to.outer_start = None;
    }

    fn declared(&mut self, declaration: &Declaration<'_>, out: &mut Block) {
        match declaration {
            Declaration::VariableDeclaration(declared) => self.variables(declared, out),
            Declaration::FunctionDeclaration(function) => self.function_statement(function, out),
            Declaration::ClassDeclaration(class) => self.class(class, out),
            Declaration::TSTypeAliasDeclaration(alias) => self.alias(alias, out),
            Declaration::TSInterfaceDeclaration(interface) => self.interface(interface, out),
            Declaration::TSEnumDeclaration(one) => self.enumeration(one, out),
            Declaration::TSExternalModuleDeclaration(module) => self.external_module(module, out),
            Declaration::TSNamespaceDeclaration(module) => self.namespace(module, out),
            Declaration::TSGlobalDeclaration(global) => {
                let body = self.body(&global.body.directives, &global.body.body);
                self.braced(global.body.span.end, false);
                self.to.push(StmtKind::Block(body), span(&global.body), out);
            }
            Declaration::TSImportEqualsDeclaration(import) => self.import_equals(import, out),
        }
    }

    /// Imports and exports; the level of the statement is the caller's.
    pub(super) fn module(&mut self, module: &ModuleDeclaration<'_>, out: &mut Block) {
        let place = Span { start: span(module).start, end: self.module_end(module) };
        match module {
            ModuleDeclaration::ImportDeclaration(import) => self.import(import, place, out),
            ModuleDeclaration::ExportAllDeclaration(export) => {
                let mut made = self.to.blank_import(self.module_name(&export.source), place);
                made.types_only = export.export_kind.is_type();
                made.kind = ImportKind::Reexport;
                match &export.exported {
                    None => made.star = true,
                    // A word, not a name, to the grammar.
                    Some(name) if self.text(name) == "default" && !self.typed => {}
                    Some(name) => {
                        let (local, span) = (self.text(name), span(name));
                        made.names.push(ImportedName { name: "*", local, renamed: false, span });
                    }
                }
                self.to.add_import(made, out);
            }
            ModuleDeclaration::ExportFromDeclaration(export) => {
                let mut made = self.to.blank_import(self.module_name(&export.source), place);
                made.types_only = export.export_kind.is_type();
                made.kind = ImportKind::Reexport;
                for one in &export.specifiers {
                    made.names.push(self.imported(span(&one.local), span(&one.exported)));
                }
                self.to.add_import(made, out);
            }
            ModuleDeclaration::ExportDeclaration(export) => {
                let decorators = outer_decorators(&export.declaration, place);
                self.export(place, decorators, &[], out, |this, out| {
                    this.deeper(|this| this.declaration(&export.declaration, out));
                });
            }
            ModuleDeclaration::ExportNamedDeclaration(export) => {
                self.export(place, &[], &export.specifiers, out, |_, _| {});
            }
            ModuleDeclaration::ExportDefaultDeclaration(export) => {
                let decorators = match &export.declaration {
                    ExportDefaultDeclarationKind::ClassDeclaration(class) => before(&class.decorators, place),
                    _ => &[],
                };
                self.export(place, decorators, &[], out, |this, out| this.default(&export.declaration, out));
            }
            ModuleDeclaration::TSExportAssignment(export) => {
                self.export(place, &[], &[], out, |this, out| this.loose(&export.expression, out));
            }
            ModuleDeclaration::TSNamespaceExportDeclaration(export) => {
                let at = span(&export.id);
                self.export(place, &[], &[], out, |this, out| {
                    let name = this.name(at);
                    this.to.push(StmtKind::Expression(name), at, out);
                });
            }
        }
    }

    fn default(&mut self, declaration: &ExportDefaultDeclarationKind<'_>, out: &mut Block) {
        self.deeper(|this| match declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(function) if function.id.is_none() => {
                if function.body.is_none() {
                    this.cannot(span(&**function));
                }
                // Without a name it is a value.
                let place = span(&**function);
                let value = this.function_value(function);
                this.to.push(StmtKind::Expression(value), place, out);
            }
            ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                this.function_statement(function, out);
            }
            ExportDefaultDeclarationKind::ClassDeclaration(class) => this.class(class, out),
            ExportDefaultDeclarationKind::TSInterfaceDeclaration(interface) => this.interface(interface, out),
            other => match other.as_expression() {
                Some(value) => this.loose(value, out),
                None => this.fails = true,
            },
        });
    }

    /// `export …` without `from`: what it exports is used, and what it declares is public.
    fn export(
        &mut self,
        place: Span,
        decorators: &[Decorator<'_>],
        specifiers: &[ExportSpecifier<'_>],
        out: &mut Block,
        inside: impl FnOnce(&mut Self, &mut Block),
    ) {
        let start = decorators.first().map_or(place.start, |first| span(first).start.min(place.start));
        let place = Span { start, ..place };
        let functions = self.to.unit.functions.len();
        let classes = self.to.unit.classes.len();
        let before = out.len();
        self.to.outer_start = Some(place.start);
        let decorators = self.decorators(decorators);
        self.to.decorators.extend(decorators);
        let mut names = Vec::new();
        for one in specifiers {
            let at = span(&one.local);
            names.push(match &one.local {
                ModuleExportName::StringLiteral(_) => self.text_literal(at),
                _ if self.text(&one.local) == "default" && !self.typed => {
                    self.to.add(ExprKind::Other(Vec::new()), at)
                }
                _ => self.name(at),
            });
        }
        inside(self, out);
        self.to.outer_start = None;
        if let Some(function) = self.to.unit.functions.get_mut(functions) {
            function.modifiers.public = true;
        }
        if let Some(class) = self.to.unit.classes.get_mut(classes) {
            class.modifiers.public = true;
        }
        self.to.export_declared(before, names, place, out);
    }

    fn module_name(&self, source: &StringLiteral<'_>) -> &'a str {
        self.text(source).trim_matches(['"', '\'', '`'])
    }

    fn imported(&self, name: Span, local: Span) -> ImportedName<'a> {
        let renamed = name != local;
        let (text, local_text) = (name.text(self.source), local.text(self.source));
        ImportedName { name: text, local: local_text, renamed, span: name.to(local) }
    }

    fn import(&mut self, import: &ImportDeclaration<'_>, place: Span, out: &mut Block) {
        let mut made = self.to.blank_import(self.module_name(&import.source), place);
        made.types_only = import.import_kind.is_type();
        if import.phase.is_some() {
            self.cannot(place);
        }
        for one in import.specifiers.iter().flatten() {
            made.names.push(match one {
                ImportDeclarationSpecifier::ImportSpecifier(one) => {
                    self.imported(span(&one.imported), span(&one.local))
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(one) => {
                    self.bound("default", span(&one.local))
                }
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(one) => {
                    self.bound("*", span(&one.local))
                }
            });
        }
        self.to.add_import(made, out);
    }

    fn bound(&self, name: &'static str, span: Span) -> ImportedName<'a> {
        ImportedName { name, local: span.text(self.source), renamed: false, span }
    }

    /// `import a = require("b")`, `import a = b.c`.
    fn import_equals(&mut self, import: &TSImportEqualsDeclaration<'_>, out: &mut Block) {
        let start = span(import).start;
        let place = Span { start, end: self.loose_end(span(import).end, false) };
        let id = span(&import.id);
        let names = match &import.module_reference {
            TSModuleReference::ExternalModuleReference(external) => {
                let mut made = self.to.blank_import(self.module_name(&external.expression), place);
                made.types_only = import.import_kind.is_type();
                made.names.push(self.bound("default", id));
                return self.to.add_import(made, out);
            }
            _ if import.import_kind.is_type() => {
                self.cannot(place);
                return;
            }
            TSModuleReference::IdentifierReference(name) => Ok(span(&**name)),
            TSModuleReference::QualifiedName(name) => Err(name),
        };
        // The grammar knows an export in it: its names are read.
        self.export(place, &[], &[], out, |this, out| {
            let own = this.name(id);
            this.to.push(StmtKind::Expression(own), id, out);
            let (value, at) = match names {
                Ok(at) => (this.name(at), at),
                Err(name) => (this.qualified(name), span(&**name)),
            };
            this.to.push(StmtKind::Expression(value), at, out);
        });
    }
}

fn is_ambient(declaration: &Declaration<'_>) -> bool {
    match declaration {
        Declaration::VariableDeclaration(one) => one.declare,
        Declaration::FunctionDeclaration(one) => one.declare,
        Declaration::ClassDeclaration(one) => one.declare,
        Declaration::TSTypeAliasDeclaration(one) => one.declare,
        Declaration::TSInterfaceDeclaration(one) => one.declare,
        Declaration::TSEnumDeclaration(one) => one.declare,
        Declaration::TSExternalModuleDeclaration(one) => one.declare,
        Declaration::TSNamespaceDeclaration(one) => one.declare,
        Declaration::TSGlobalDeclaration(one) => one.declare,
        Declaration::TSImportEqualsDeclaration(_) => false,
    }
}

/// The decorators that stand before `export` rather than before `class`.
fn outer_decorators<'s, 't>(declaration: &'s Declaration<'t>, place: Span) -> &'s [Decorator<'t>] {
    match declaration {
        Declaration::ClassDeclaration(class) => before(&class.decorators, place),
        _ => &[],
    }
}

fn before<'s, 't>(decorators: &'s [Decorator<'t>], place: Span) -> &'s [Decorator<'t>] {
    match decorators.first() {
        Some(first) if span(first).start <= place.start => decorators,
        _ => &[],
    }
}
