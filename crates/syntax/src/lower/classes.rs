//! Classes and what resembles them.

use super::{Lowering, offset, span_of};
use crate::dialect::Dialect;
use crate::expression::ExprId;
use crate::lang::Role;
use crate::lines::Span;
use crate::statement::{Block, StmtKind};
use crate::unit::{Class, ClassId, ClassKind, Import, ImportKind, Owner};
use tree_sitter::Node;

impl<'a> Lowering<'a> {
    pub(super) fn class_statement(&mut self, node: Node<'_>, kind: ClassKind, out: &mut Block) {
        let span = span_of(node);
        if node.kind() == "mod_item" && self.field(node, "body").is_none() {
            return self.submodule(node, out);
        }
        // `struct a b;` names a type, it defines none.
        if matches!(
            node.kind(),
            "struct_specifier" | "union_specifier" | "enum_specifier" | "class_specifier"
        ) && self.field(node, "body").is_none()
        {
            return;
        }
        if node.kind() == "type_definition"
            && let Some(inner) =
                self.field(node, "type").filter(|inner| matches!(self.role(*inner), Role::Class(_)))
        {
            let before = self.unit.classes.len();
            self.statement(inner, out);
            // `typedef struct { … } name;`
            if let Some(declarator) = self.field(node, "declarator") {
                let (name, name_span) = self.declared_name(declarator);
                if let Some(class) = self.unit.classes.get_mut(before).filter(|class| class.name.is_empty()) {
                    (class.name, class.name_span) = (name, name_span);
                }
            }
            return;
        }
        let id = self.class(node, kind);
        self.push(StmtKind::Class(id), span, out);
    }

    pub(super) fn class(&mut self, node: Node<'_>, mut kind: ClassKind) -> ClassId {
        let id = ClassId(offset(self.unit.classes.len()));
        let mut decorators = std::mem::take(&mut self.decorators);
        let span = span_of(node);
        let start = self.outer_start.take().unwrap_or(span.start).min(span.start);
        let name = self
            .any_field(node, &["name", "left", "declarator"])
            .or_else(|| if kind == ClassKind::Implementation { self.field(node, "type") } else { None });
        let (name, name_span) = match name {
            Some(node) if node.kind().ends_with("declarator") => self.declared_name(node),
            Some(node) => (self.text(node), span_of(node)),
            None => ("", Span { start: span.start, end: span.start }),
        };
        let go_type = if self.dialect() == Dialect::Go { self.field(node, "type") } else { None };
        match go_type.map(|kind| kind.kind()) {
            Some("interface_type") => kind = ClassKind::Interface,
            Some("struct_type") | None => {}
            Some(_) => kind = ClassKind::Alias,
        }
        let mut modifiers = self.modifiers(node);
        if node.kind() == "abstract_class_declaration" {
            modifiers.is_abstract = true;
        }
        match self.dialect() {
            Dialect::Go => modifiers.public = name.chars().next().is_some_and(char::is_uppercase),
            Dialect::Python => {
                modifiers.public = !name.starts_with('_');
                modifiers.private = name.starts_with('_');
            }
            _ => {}
        }
        decorators.extend(self.annotations(node));
        self.unit.classes.push(Class {
            name: name.split(['<', ' ']).next().unwrap_or(name),
            name_span,
            span: Span { start, end: span.end },
            kind,
            owner: self.owner,
            bases: Vec::new(),
            keywords: Vec::new(),
            decorators,
            body: Vec::new(),
            methods: Vec::new(),
            fields: Vec::new(),
            modifiers,
            documented: false,
        });
        let (bases, keywords) = self.bases(node);
        let outer = (self.owner, self.function);
        self.owner = Owner::Class(id);
        let body = match go_type {
            Some(inside) => self.go_type_body(inside),
            None => self.class_body(node),
        };
        (self.owner, self.function) = outer;
        let documented = self.dialect() == Dialect::Python && self.class_docstring(&body);
        let class = &mut self.unit.classes[id.0 as usize];
        class.bases = bases;
        class.keywords = keywords;
        class.body = body;
        class.documented = documented;
        id
    }

    fn class_body(&mut self, node: Node<'_>) -> Block {
        let mut out = Vec::new();
        let record = self.field(node, "parameters");
        if let (Some(list), Owner::Class(class)) = (record, self.owner) {
            let fields: Vec<_> =
                self.parameter_list(list, false).iter().map(|one| (one.name, one.annotation)).collect();
            self.unit.classes[class.0 as usize].fields.extend(fields);
        }
        let Some(body) = self.any_field(node, &["body", "value"]) else { return out };
        if self.role(body) == Role::Type {
            return out;
        }
        for child in self.children(body) {
            match child.kind() {
                "enum_variant" | "enumerator" | "enum_assignment" => {
                    let value = self.any_field(child, &["value"]);
                    if let Some(value) = value {
                        let value = self.expr(value);
                        self.push(StmtKind::Expression(value), span_of(child), &mut out);
                    }
                    if let Some(name) = self.field(child, "name") {
                        self.class_field(self.text(name), None);
                    }
                }
                "enum_constant" => {
                    if let Some(name) = self.field(child, "name") {
                        self.class_field(self.text(name), None);
                    }
                    if let Some(list) = self.field(child, "arguments") {
                        let arguments = self.children(list);
                        for value in self.exprs(arguments) {
                            let span = self.unit.expr(value).span;
                            self.push(StmtKind::Expression(value), span, &mut out);
                        }
                    }
                    if let Some(body) = self.field(child, "body") {
                        for inner in self.children(body) {
                            self.statement(inner, &mut out);
                        }
                    }
                }
                "property_identifier" if matches!(self.dialect(), Dialect::TypeScript | Dialect::Tsx) => {
                    self.class_field(self.text(child), None);
                }
                _ => self.statement(child, &mut out),
            }
        }
        out
    }

    fn class_field(&mut self, name: &'a str, annotation: Option<&'a str>) {
        if let Owner::Class(class) = self.owner {
            self.unit.classes[class.0 as usize].fields.push((name, annotation));
        }
    }

    fn go_type_body(&mut self, node: Node<'_>) -> Block {
        let mut out = Vec::new();
        let holder = self.child_of_kind(node, "field_declaration_list").unwrap_or(node);
        for child in self.children(holder) {
            match child.kind() {
                "field_declaration" => {
                    let annotation = self.type_text(self.field(child, "type"));
                    let names = self.fields(child, "name");
                    for name in names {
                        self.class_field(self.text(name), annotation);
                    }
                }
                "method_elem" => self.statement(child, &mut out),
                _ => {}
            }
        }
        out
    }

    fn bases(&mut self, node: Node<'_>) -> (Vec<ExprId>, Vec<(&'a str, ExprId)>) {
        let (mut bases, mut keywords) = (Vec::new(), Vec::new());
        if let Some(list) = self.field(node, "superclasses") {
            for child in self.children(list) {
                if child.kind() == "keyword_argument" {
                    if let (Some(name), Some(value)) = (self.field(child, "name"), self.field(child, "value"))
                    {
                        keywords.push((self.text(name), self.expr(value)));
                    }
                } else {
                    bases.push(self.expr(child));
                }
            }
            return (bases, keywords);
        }
        let mut lists: Vec<Node<'_>> = ["superclass", "interfaces", "trait", "bounds"]
            .iter()
            .filter_map(|name| self.field(node, name))
            .collect();
        for kind in ["class_heritage", "base_class_clause", "extends_interfaces", "extends_type_clause"] {
            lists.extend(self.child_of_kind(node, kind));
        }
        // The lists nest differently in every grammar; what they end in are names and types.
        for _ in 0..64 {
            let Some(list) = lists.pop() else { break };
            match list.kind() {
                "super_interfaces"
                | "superclass"
                | "class_heritage"
                | "base_class_clause"
                | "extends_interfaces"
                | "extends_type_clause"
                | "type_list"
                | "extends_clause"
                | "implements_clause"
                | "trait_bounds"
                | "interface_type_list" => {
                    let mut children = self.children(list);
                    children.reverse();
                    lists.extend(children);
                }
                "generic_type" => {
                    let inner = self.children(list);
                    lists.extend(inner.first());
                }
                _ if self.role(list) == Role::Skip => {}
                _ => bases.push(self.expr(list)),
            }
        }
        (bases, keywords)
    }

    /// Rust's `mod x;`.
    fn submodule(&mut self, node: Node<'_>, out: &mut Block) {
        self.decorators.clear();
        self.outer_start = None;
        let Some(name) = self.field(node, "name") else { return };
        let import = Import {
            module: self.text(name),
            path: vec![self.text(name)],
            level: 0,
            names: Vec::new(),
            star: false,
            types_only: false,
            kind: ImportKind::Submodule,
            span: span_of(node),
            statement: crate::StmtId(0),
            function: self.function,
            conditional: false,
        };
        self.add_import(import, out);
    }
}
