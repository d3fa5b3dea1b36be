//! Variables, constants and fields.

use super::{Lowering, span_of};
use crate::dialect::Dialect;
use crate::expression::{CollectionKind, ExprId, ExprKind};
use crate::lang::Role;
use crate::lines::Span;
use crate::statement::{Block, Declares, StmtKind};
use crate::unit::Owner;
use tree_sitter::Node;

impl<'a> Lowering<'a> {
    pub(super) fn declaration(&mut self, node: Node<'_>, out: &mut Block) {
        self.decorators.clear();
        match node.kind() {
            "lexical_declaration" | "variable_declaration" => {
                let declares = match self.text(node).split_whitespace().next() {
                    Some("const") => Declares::Constant,
                    Some("var") => Declares::Function,
                    _ => Declares::Variable,
                };
                for child in self.children(node) {
                    self.declarator_of(child, None, declares, out);
                }
            }
            "local_variable_declaration" | "field_declaration" | "constant_declaration" | "declaration"
                if self.dialect() != Dialect::Rust =>
            {
                self.typed_declaration(node, out);
            }
            "let_declaration" => {
                self.simple(node, "pattern", Declares::Variable, out);
                if let Some(alternative) = self.field(node, "alternative") {
                    let body = self.block(alternative);
                    let test = self.add(ExprKind::Other(Vec::new()), span_of(alternative));
                    let kind = StmtKind::If { test, then: body, otherwise: Vec::new(), elif: false };
                    self.push(kind, span_of(alternative), out);
                }
            }
            "short_var_declaration" | "receive_statement" => {
                self.simple(node, "left", Declares::Variable, out)
            }
            "var_spec" | "const_spec" => self.go_spec(node, out),
            "const_item" | "static_item" => self.simple(node, "name", Declares::Constant, out),
            _ => {
                // Fields of classes.
                let name = if self.field(node, "property").is_some() { "property" } else { "name" };
                self.simple(node, name, Declares::Field, out);
            }
        }
    }

    /// `target = value` with the target in one field.
    fn simple(&mut self, node: Node<'_>, target: &str, declares: Declares, out: &mut Block) {
        let annotation = self.type_text(self.field(node, "type"));
        let target = self.field(node, target);
        let value = self.any_field(node, &["value", "right"]);
        let value = self.optional_expr(value);
        let targets: Vec<ExprId> = target.map(|target| self.expr(target)).into_iter().collect();
        self.declared(targets, value, declares, annotation, span_of(node), out);
    }

    fn go_spec(&mut self, node: Node<'_>, out: &mut Block) {
        let annotation = self.type_text(self.field(node, "type"));
        let targets = self.fields(node, "name");
        let targets = self.exprs(targets);
        let value = self.field(node, "value");
        let value = self.optional_expr(value);
        let declares = if node.kind() == "const_spec" { Declares::Constant } else { Declares::Variable };
        let span = span_of(node);
        let targets = if targets.len() > 1 {
            let items = targets.into_iter().map(|value| crate::Item { key: None, value }).collect();
            vec![self.add(ExprKind::Collection { kind: CollectionKind::Tuple, items }, span)]
        } else {
            targets
        };
        self.declared(targets, value, declares, annotation, span, out);
    }

    /// C's, C++'s and Java's `type a = 1, b;`.
    fn typed_declaration(&mut self, node: Node<'_>, out: &mut Block) {
        let kind = self.field(node, "type");
        let annotation = self.type_text(kind);
        if let Some(kind) = kind
            && matches!(self.role(kind), Role::Class(_))
            && self.field(kind, "body").is_some()
        {
            self.statement(kind, out);
        }
        let modifiers = self.modifiers(node);
        let declares = match (node.kind(), self.owner) {
            ("field_declaration" | "constant_declaration", _) => Declares::Field,
            ("declaration", Owner::Class(_)) if self.function.is_none() => Declares::Field,
            _ if modifiers.constant => Declares::Constant,
            _ => Declares::Variable,
        };
        let declarators = self.fields(node, "declarator");
        for declarator in declarators {
            if self.is_prototype(declarator) {
                self.prototype(node, declarator, out);
            } else {
                self.declarator_of(declarator, annotation, declares, out);
            }
        }
    }

    /// Whether `f(int)` is declared here: a function's declarator that no pointer wraps.
    fn is_prototype(&self, node: Node<'_>) -> bool {
        let mut at = node;
        loop {
            match at.kind() {
                "function_declarator" => {
                    return self
                        .field(at, "declarator")
                        .is_some_and(|inner| inner.kind() != "parenthesized_declarator");
                }
                "pointer_declarator" | "reference_declarator" | "attributed_declarator" => {
                    let Some(inner) =
                        self.field(at, "declarator").or_else(|| self.children(at).last().copied())
                    else {
                        return false;
                    };
                    at = inner;
                }
                _ => return false,
            }
        }
    }

    fn declarator_of(
        &mut self,
        node: Node<'_>,
        annotation: Option<&'a str>,
        declares: Declares,
        out: &mut Block,
    ) {
        let target = self.any_field(node, &["name", "declarator"]).unwrap_or(node);
        let annotation = annotation.or(self.type_text(self.field(node, "type")));
        let has_value = matches!(node.kind(), "init_declarator" | "variable_declarator");
        let value = if has_value { self.field(node, "value") } else { None };
        let value = self.optional_expr(value);
        let target = if has_value && node.kind() != "init_declarator" {
            self.expr(target)
        } else {
            self.declarator(target)
        };
        self.declared(vec![target], value, declares, annotation, span_of(node), out);
    }

    fn declared(
        &mut self,
        targets: Vec<ExprId>,
        value: Option<ExprId>,
        declares: Declares,
        annotation: Option<&'a str>,
        span: Span,
        out: &mut Block,
    ) {
        if let (Some(value), Some(target)) = (value, targets.first()) {
            self.name_lambda(value, *target);
        }
        if let Some(value) = value {
            self.required(value, targets.first().copied(), span);
        }
        if let (Owner::Class(class), true) = (self.owner, declares == Declares::Field) {
            for target in &targets {
                if let ExprKind::Name(name) = self.unit.kind(*target) {
                    let field = (*name, annotation);
                    self.unit.classes[class.0 as usize].fields.push(field);
                }
            }
        }
        self.push(StmtKind::Assign { targets, operator: None, value, declares, annotation }, span, out);
    }

    /// The name inside of C's declarators, with its place.
    pub(super) fn declared_name(&self, node: Node<'_>) -> (&'a str, Span) {
        let mut at = node;
        for _ in 0..40 {
            if matches!(at.kind(), "qualified_identifier" | "destructor_name" | "operator_name")
                || self.role(at) == Role::Name
            {
                break;
            }
            let inner = self.any_field(at, &["declarator", "name"]).or_else(|| {
                self.children(at).into_iter().find(|child| {
                    child.kind().ends_with("declarator")
                        || matches!(self.role(*child), Role::Name)
                        || matches!(
                            child.kind(),
                            "operator_name" | "destructor_name" | "qualified_identifier"
                        )
                })
            });
            match inner {
                Some(inner) => at = inner,
                None => return ("", span_of(at)),
            }
        }
        (self.text(at), span_of(at))
    }

    /// A declarator as what it declares; sizes of arrays are kept for who reads them.
    pub(super) fn declarator(&mut self, node: Node<'_>) -> ExprId {
        if node.kind() == "structured_binding_declarator" || self.role(node) == Role::Name {
            return self.expr(node);
        }
        if node.kind() == "reference_declarator" || node.kind() == "pointer_declarator" {
            let inner = self.field(node, "declarator").or_else(|| self.children(node).last().copied());
            if let Some(inner) = inner
                && inner.kind() != node.kind()
            {
                return self.declarator(inner);
            }
        }
        if node.kind() == "array_declarator"
            && let (Some(inner), Some(size)) = (self.field(node, "declarator"), self.field(node, "size"))
        {
            // `int a[n]` reads n.
            let size = self.expr(size);
            let (name, span) = self.declared_name(inner);
            self.add(ExprKind::Other(vec![size]), span_of(node));
            return self.add(ExprKind::Name(name), span);
        }
        let (name, span) = self.declared_name(node);
        self.add(ExprKind::Name(name), span)
    }
}
