//! Functions, methods and lambdas.

use super::{Lowering, offset, span_of};
use crate::dialect::Dialect;
use crate::expression::{CallKind, ExprId, ExprKind, Literal};
use crate::lang::Role;
use crate::lines::Span;
use crate::statement::{Block, StmtKind};
use crate::unit::{Function, FunctionId, Modifiers, Owner, ParameterKind, Unit};
use tree_sitter::Node;

impl<'a> Lowering<'a> {
    pub(super) fn function_statement(&mut self, node: Node<'_>, out: &mut Block) {
        let id = self.function(node, false);
        self.push(StmtKind::Function(id), span_of(node), out);
    }

    /// `int f(int);`: a function without a body.
    pub(super) fn prototype(&mut self, node: Node<'_>, declarator: Node<'_>, out: &mut Block) {
        let id = self.reserve(node, false);
        let (name, name_span) = self.declared_name(declarator);
        let parameters = self.c_parameters(declarator);
        let modifiers = self.modifiers(node);
        let function = &mut self.unit.functions[id.0 as usize];
        (function.name, function.name_span) = (name, name_span);
        function.modifiers = modifiers;
        function.parameters = parameters;
        self.push(StmtKind::Function(id), span_of(node), out);
    }

    fn reserve(&mut self, node: Node<'_>, lambda: bool) -> FunctionId {
        let id = FunctionId(offset(self.unit.functions.len()));
        let mut span = span_of(node);
        if let Some(start) = self.outer_start.take_if(|_| !lambda) {
            span.start = span.start.min(start);
        }
        self.unit.functions.push(Function {
            name: "",
            name_span: Span { start: span_of(node).start, end: span_of(node).start },
            span: span_of(node),
            owner: self.owner,
            receiver: None,
            parameters: Vec::new(),
            returns: None,
            decorators: Vec::new(),
            body: Vec::new(),
            has_body: false,
            body_span: Span { start: span.end, end: span.end },
            modifiers: Modifiers::default(),
            lambda,
            documented: false,
            generator: false,
        });
        // Until the end of the walk the outer start travels in the body's span of functions without a body.
        self.unit.functions[id.0 as usize].body_span.start = span.start;
        if let (Owner::Class(class), false) = (self.owner, lambda) {
            self.unit.classes[class.0 as usize].methods.push(id);
        }
        id
    }

    pub(super) fn function(&mut self, node: Node<'_>, lambda: bool) -> FunctionId {
        let mut decorators = if lambda { Vec::new() } else { std::mem::take(&mut self.decorators) };
        let id = self.reserve(node, lambda);
        let outer = (self.owner, self.function, self.conditional);
        let mut modifiers = self.modifiers(node);
        decorators.extend(self.annotations(node));
        self.owner = Owner::Function(id);
        self.function = Some(id);
        self.conditional = 0;
        let in_class = matches!(outer.0, Owner::Class(_));
        let mut parameters = self.parameters(node, in_class);
        let (name, name_span, receiver) = self.function_name(node, &mut parameters);
        let body_node = self.field(node, "body").or_else(|| self.child_of_kind(node, "block"));
        let mut body = Vec::new();
        self.member_initializers(node, &mut body);
        if let Some(inside) = body_node {
            if self.role(inside).is_statement() {
                body.extend(self.block(inside));
            } else {
                let value = self.expr(inside);
                self.push(StmtKind::Return(Some(value)), span_of(inside), &mut body);
            }
        }
        (self.owner, self.function, self.conditional) = outer;
        let returns = self.any_field(node, &["return_type", "result"]);
        let returns = returns.or_else(|| {
            if matches!(self.dialect(), Dialect::Java | Dialect::C | Dialect::Cpp) {
                self.field(node, "type")
            } else {
                None
            }
        });
        let returns = self.type_text(returns);
        self.name_says(name, in_class, &mut modifiers);
        let interface_method = body_node.is_none() && !lambda;
        modifiers.is_abstract |= interface_method && in_class;
        self.decorators_say(&decorators, &mut modifiers);
        let documented = self.dialect() == Dialect::Python && self.has_docstring(&body);
        let generator = node.kind().starts_with("generator") || self.has_word(node, "*");
        let function = &mut self.unit.functions[id.0 as usize];
        function.name = name;
        function.name_span = name_span;
        function.receiver = receiver;
        function.parameters = parameters;
        function.returns = returns;
        function.decorators = decorators;
        function.body = body;
        function.has_body = body_node.is_some();
        function.modifiers = modifiers;
        function.documented = documented;
        function.generator |= generator;
        if let Some(body) = body_node {
            let outer_start = function.body_span.start;
            function.body_span = span_of(body);
            // See `reserve`: kept for the search of documentation.
            if outer_start < function.span.start {
                function.span.start = outer_start;
            }
        }
        id
    }

    /// C++'s `: a(b), c(d)` before the body.
    fn member_initializers(&mut self, node: Node<'_>, body: &mut Block) {
        let Some(list) = self.child_of_kind(node, "field_initializer_list") else { return };
        for initializer in self.children(list) {
            let children = self.children(initializer);
            let Some((target, rest)) = children.split_first() else { continue };
            let callee = self.expr(*target);
            let mut arguments = Vec::new();
            for part in rest {
                for value in self.children(*part) {
                    arguments.push(crate::Argument { name: None, value: self.expr(value) });
                }
            }
            let span = span_of(initializer);
            let call = self.add(ExprKind::Call { callee, arguments, kind: CallKind::Call }, span);
            self.push(StmtKind::Expression(call), span, body);
        }
    }

    fn function_name(
        &mut self,
        node: Node<'_>,
        parameters: &mut Vec<crate::Parameter<'a>>,
    ) -> (&'a str, Span, Option<&'a str>) {
        if let Some(declarator) =
            self.field(node, "declarator").filter(|_| node.kind() != "lambda_expression")
        {
            let (name, span) = self.declared_name(declarator);
            return match name.rsplit_once("::") {
                Some((scope, last)) => {
                    let start = span.end - offset(last.len());
                    (last.trim(), Span { start, end: span.end }, Some(scope))
                }
                None => (name, span, None),
            };
        }
        let receiver = self.field(node, "receiver").map(|receiver| {
            let mut found = self.parameter_list(receiver, false);
            for parameter in &mut found {
                parameter.kind = ParameterKind::Receiver;
            }
            let kind = found.first().and_then(|parameter| parameter.annotation).unwrap_or("");
            parameters.splice(0..0, found);
            kind.trim_start_matches('*').split('[').next().unwrap_or("")
        });
        match self.field(node, "name") {
            Some(name) => (self.text(name), span_of(name), receiver),
            None => ("", Span { start: span_of(node).start, end: span_of(node).start }, receiver),
        }
    }

    pub(super) fn decorators_say(&self, decorators: &[ExprId], modifiers: &mut Modifiers) {
        for decorator in decorators {
            match self.decorator_name(*decorator) {
                "staticmethod" => modifiers.is_static = true,
                "abstractmethod" | "abstractproperty" => modifiers.is_abstract = true,
                "Override" | "override" => modifiers.overrides = true,
                "property" | "cached_property" | "setter" | "getter" => modifiers.accessor = true,
                _ => {}
            }
        }
    }

    pub(super) fn name_says(&self, name: &str, in_class: bool, modifiers: &mut Modifiers) {
        match self.dialect() {
            Dialect::Python => {
                modifiers.private = name.starts_with('_') && !name.ends_with("__");
                modifiers.public = !modifiers.private;
            }
            Dialect::Go => {
                modifiers.public = name.chars().next().is_some_and(char::is_uppercase);
                modifiers.private = !modifiers.public;
            }
            Dialect::JavaScript | Dialect::TypeScript | Dialect::Tsx => {
                modifiers.private |= name.starts_with('#');
                modifiers.public |= in_class && !modifiers.private;
            }
            Dialect::C | Dialect::Cpp => {
                modifiers.private |= modifiers.is_static && !in_class;
                modifiers.public = !modifiers.private;
            }
            Dialect::Rust => modifiers.private = !modifiers.public,
            Dialect::Java | Dialect::Bash => {}
        }
    }

    pub(super) fn has_docstring(&self, body: &Block) -> bool {
        body.first().is_some_and(|first| match self.unit.stmt(*first).kind {
            StmtKind::Expression(value) => {
                matches!(self.unit.kind(value), ExprKind::Literal(Literal::Text(_)))
            }
            _ => false,
        })
    }

    pub(super) fn class_docstring(&self, body: &Block) -> bool {
        self.has_docstring(body)
    }

    /// The last word of a decorator.
    pub(super) fn decorator_name(&self, id: ExprId) -> &'a str {
        match self.unit.kind(id) {
            ExprKind::Call { callee, .. } => self.unit.last_name(*callee).unwrap_or(""),
            _ => self.unit.last_name(id).unwrap_or(""),
        }
    }

    /// The words before a declaration.
    pub(super) fn modifiers(&self, node: Node<'_>) -> Modifiers {
        let mut modifiers = Modifiers::default();
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            match child.kind() {
                "async" => modifiers.is_async = true,
                "static" | "static get" => modifiers.is_static = true,
                // The words alone: Python's `{a, b}` is a node of that name.
                "get" | "set" if !child.is_named() => modifiers.accessor = true,
                "abstract" | "pure_virtual_clause" => modifiers.is_abstract = true,
                "override_modifier" => modifiers.overrides = true,
                "visibility_modifier" => modifiers.public = true,
                "extern_modifier" => modifiers.external = true,
                "mutable_specifier" => {}
                "function_modifiers"
                | "modifiers"
                | "storage_class_specifier"
                | "type_qualifier"
                | "accessibility_modifier"
                | "virtual_specifier"
                | "virtual" => {
                    modifier_words(self.text(child), &mut modifiers);
                }
                _ => {}
            }
        }
        modifiers
    }

    /// Java's annotations and JavaScript's decorators.
    pub(super) fn annotations(&mut self, node: Node<'_>) -> Vec<ExprId> {
        let mut found = Vec::new();
        if let Some(modifiers) = self.child_of_kind(node, "modifiers") {
            for child in self.children(modifiers) {
                found.push(self.annotation(child));
            }
        }
        for child in self.children(node).into_iter().filter(|child| child.kind() == "decorator") {
            if let Some(inner) = self.children(child).first().copied() {
                found.push(self.expr(inner));
            }
        }
        found
    }

    pub(super) fn annotation(&mut self, node: Node<'_>) -> ExprId {
        let callee = match self.field(node, "name") {
            Some(name) => self.expr(name),
            None => return self.expr(node),
        };
        let Some(list) = self.field(node, "arguments") else { return callee };
        let mut arguments = Vec::new();
        for child in self.children(list) {
            let name = self.field(child, "key").map(|key| self.text(key));
            let value = self.field(child, "value").filter(|_| name.is_some()).unwrap_or(child);
            arguments.push(crate::Argument { name, value: self.expr(value) });
        }
        self.add(ExprKind::Call { callee, arguments, kind: CallKind::Call }, span_of(node))
    }

    /// Gives a lambda the name of what it is assigned to.
    pub(super) fn name_lambda(&mut self, value: ExprId, target: ExprId) {
        let ExprKind::Lambda(id) = *self.unit.kind(value) else { return };
        let named = match self.unit.kind(target) {
            ExprKind::Name(name) => Some((*name, self.unit.expr(target).span)),
            ExprKind::Attribute { name, name_span, .. } => Some((*name, *name_span)),
            _ => None,
        };
        if let Some((name, span)) = named {
            self.call_lambda(id, name, span);
        }
    }

    pub(super) fn call_lambda(&mut self, id: FunctionId, name: &'a str, span: Span) {
        let function = &mut self.unit.functions[id.0 as usize];
        if function.name.is_empty() {
            (function.name, function.name_span) = (name, span);
        }
    }

    /// Whether the role makes a value that is a function.
    pub(super) fn lambda(&mut self, node: Node<'_>) -> ExprId {
        let id = self.function(node, true);
        self.add(ExprKind::Lambda(id), span_of(node))
    }

    /// Whether a node is a declaration that carries a function.
    pub(super) fn is_function(&self, node: Node<'_>) -> bool {
        self.role(node) == Role::Function
    }
}

fn modifier_words(text: &str, modifiers: &mut Modifiers) {
    for word in text.split_whitespace() {
        match word {
            "public" | "protected" => modifiers.public = true,
            "private" => modifiers.private = true,
            "static" => modifiers.is_static = true,
            "abstract" => modifiers.is_abstract = true,
            "override" => modifiers.overrides = true,
            "final" | "const" | "constexpr" => modifiers.constant = true,
            "async" => modifiers.is_async = true,
            "unsafe" => modifiers.is_unsafe = true,
            "inline" | "__inline" | "__inline__" => modifiers.inline = true,
            "extern" | "native" => modifiers.external = true,
            "virtual" => {}
            _ if word.starts_with("extern") => modifiers.external = true,
            _ => {}
        }
    }
}

/// Documentation that stands before a declaration: a comment that ends on the line above.
pub(super) fn find_documentation(unit: &mut Unit<'_>) {
    if unit.dialect == Dialect::Python {
        return;
    }
    let any_comment = matches!(unit.dialect, Dialect::Go | Dialect::Bash);
    let mut ends: Vec<u32> = unit
        .comments
        .iter()
        .filter(|comment| any_comment || comment.documents || unit.text(comment.span).starts_with("/*"))
        .map(|comment| {
            let text = unit.text(comment.span);
            // Rust's line comments hold their line end.
            unit.lines.line(comment.span.end.saturating_sub(u32::from(text.ends_with('\n')) + 1))
        })
        .collect();
    ends.sort_unstable();
    let documented = |start: u32| {
        let line = unit.lines.line(start);
        line > 1 && ends.binary_search(&(line - 1)).is_ok()
    };
    let functions: Vec<bool> = unit.functions.iter().map(|f| !f.lambda && documented(f.span.start)).collect();
    let classes: Vec<bool> = unit.classes.iter().map(|c| documented(c.span.start)).collect();
    for (function, found) in unit.functions.iter_mut().zip(functions) {
        function.documented |= found;
    }
    for (class, found) in unit.classes.iter_mut().zip(classes) {
        class.documented |= found;
    }
}
