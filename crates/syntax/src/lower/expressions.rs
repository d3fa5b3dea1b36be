//! Expressions.

use super::literals::operator_of;
use super::{Lowering, span_of};
use crate::expression::{Argument, CallKind, CollectionKind, ExprId, ExprKind, Item, Literal, Operator};
use crate::lang::Role;
use tree_sitter::Node;

impl<'a> Lowering<'a> {
    pub(super) fn expr(&mut self, node: Node<'_>) -> ExprId {
        let span = span_of(node);
        match self.deeper(node, |this| this.expr_inside(node)) {
            Some(id) => id,
            None => self.add(ExprKind::Other(Vec::new()), span),
        }
    }

    fn expr_inside(&mut self, node: Node<'_>) -> ExprId {
        let span = span_of(node);
        let role = self.role(node);
        let kind = match role {
            Role::Name => ExprKind::Name(self.text(node)),
            Role::Number => self.number(node),
            Role::Text => self.text_literal(node),
            Role::Joined => self.joined(node),
            Role::Template => self.template(node),
            Role::Character => ExprKind::Literal(Literal::Character(self.text(node).trim_matches('\''))),
            Role::True => ExprKind::Literal(Literal::Boolean(self.text(node) != "false")),
            Role::False => ExprKind::Literal(Literal::Boolean(false)),
            Role::Null => ExprKind::Literal(Literal::Null),
            Role::Ellipsis => ExprKind::Literal(Literal::Ellipsis),
            Role::Regex => {
                let pattern = self.field(node, "pattern").map_or("", |pattern| self.text(pattern));
                ExprKind::Literal(Literal::Regex(pattern))
            }
            Role::Member => self.member(node),
            Role::Subscript => self.subscript(node),
            Role::Slice => {
                let parts = self.children(node);
                ExprKind::Slice(self.exprs(parts))
            }
            Role::Call => self.call(node),
            Role::New => self.new_(node),
            Role::Macro => self.macro_call(node),
            Role::Binary => return self.binary(node),
            Role::Compare => self.compare(node),
            Role::Unary => self.unary(node),
            Role::Update => self.update(node),
            Role::Conditional => self.conditional_expr(node),
            Role::Assign => self.assign(node),
            Role::Lambda => return self.lambda(node),
            Role::Collection(_) if self.is_one_value(node) => return self.only(node),
            Role::Collection(kind) => self.collection(node, kind),
            Role::Comprehension(kind) => self.comprehension(node, kind),
            Role::Await => ExprKind::Await(self.only(node)),
            Role::Yield => {
                if let Some(function) = self.function {
                    self.unit.functions[function.0 as usize].generator = true;
                }
                let value = self.children(node).first().copied();
                ExprKind::Yield(self.optional_expr(value))
            }
            Role::Spread => ExprKind::Spread(self.only(node)),
            Role::Cast => self.cast(node),
            Role::Paren => return self.paren(node),
            Role::Condition => return self.condition(node),
            Role::Type => ExprKind::Type(self.text(node)),
            Role::Skip | Role::Comment => ExprKind::Other(Vec::new()),
            role if self.is_function(node) && role == Role::Function => return self.lambda(node),
            role if role.is_statement() => {
                let mut out = Vec::new();
                if role == Role::Block {
                    out = self.block(node);
                } else {
                    self.statement(node, &mut out);
                }
                ExprKind::Block(out)
            }
            _ => self.unknown_expr(node),
        };
        self.add(kind, span)
    }

    /// Python's `a,` after `return` and its kin, and `(a)` where something is written.
    fn is_one_value(&self, node: Node<'_>) -> bool {
        match node.kind() {
            "expression_list" => self.children(node).len() == 1,
            "tuple_pattern" => self.children(node).len() == 1 && !self.has_word(node, ","),
            _ => false,
        }
    }

    fn only(&mut self, node: Node<'_>) -> ExprId {
        let child = self.field(node, "argument").or_else(|| self.children(node).first().copied());
        match child {
            Some(child) => self.expr(child),
            None => self.add(ExprKind::Other(Vec::new()), span_of(node)),
        }
    }

    fn paren(&mut self, node: Node<'_>) -> ExprId {
        // `x!`, `f::<T>`, `(a)`, `mut a`: the first child that is not noise.
        let children = self.children(node);
        let inner =
            children.iter().copied().find(|child| !matches!(self.role(*child), Role::Skip | Role::Type));
        match inner.or(children.first().copied()) {
            Some(inner) if self.role(inner) == Role::Skip => {
                self.add(ExprKind::Name(self.text(node)), span_of(node))
            }
            Some(inner) => {
                let id = self.expr(inner);
                if node.kind().starts_with("template_") || node.kind().starts_with("generic_") {
                    // `f<A>` and `f<B>` are the same name in different words.
                    let kind = self.unit.kind(id).clone();
                    return self.add(kind, span_of(node));
                }
                id
            }
            None => self.add(ExprKind::Name(self.text(node).trim_start_matches('$')), span_of(node)),
        }
    }

    fn condition(&mut self, node: Node<'_>) -> ExprId {
        let initializer = self.field(node, "initializer");
        let value = self.field(node, "value").or_else(|| self.children(node).last().copied());
        let mut out = Vec::new();
        if let Some(initializer) = initializer {
            self.statement(initializer, &mut out);
        }
        match value {
            Some(value) if value.kind() == "declaration" => {
                // `if (auto x = f())`: the declaration is the question.
                self.statement(value, &mut out);
                self.add(ExprKind::Block(out), span_of(node))
            }
            Some(value) if out.is_empty() => self.expr(value),
            Some(value) => {
                let value = self.expr(value);
                self.push(crate::StmtKind::Expression(value), span_of(node), &mut out);
                self.add(ExprKind::Block(out), span_of(node))
            }
            None => self.always(node),
        }
    }

    fn unknown_expr(&mut self, node: Node<'_>) -> ExprKind<'a> {
        match node.kind() {
            "dotted_name" => return self.dotted_name(node),
            "expansion" => return self.expansion(node),
            "class_pattern" | "tuple_struct_pattern" => return self.class_pattern(node),
            _ => {}
        }
        let mut parts = Vec::new();
        for child in self.children(node) {
            if !matches!(self.role(child), Role::Skip) {
                parts.push(self.expr(child));
            }
        }
        ExprKind::Other(parts)
    }

    /// `case Point(x, y=z)`, `Some(x)`: a call by its looks; the name is read, the arguments are bound.
    fn class_pattern(&mut self, node: Node<'_>) -> ExprKind<'a> {
        let mut children = self.children(node).into_iter();
        let Some(callee) = children.next() else { return ExprKind::Other(Vec::new()) };
        let callee = self.expr(callee);
        let mut arguments = Vec::new();
        for child in children {
            arguments.push(Argument { name: None, value: self.expr(child) });
        }
        ExprKind::Call { callee, arguments, kind: CallKind::Call }
    }

    fn dotted_name(&mut self, node: Node<'_>) -> ExprKind<'a> {
        let mut parts = self.children(node).into_iter();
        let Some(first) = parts.next() else { return ExprKind::Other(Vec::new()) };
        let mut kind = ExprKind::Name(self.text(first));
        let mut span = span_of(first);
        for part in parts {
            let base = self.add(kind, span);
            span = span.to(span_of(part));
            kind = ExprKind::Attribute {
                base,
                name: self.text(part),
                name_span: span_of(part),
                optional: false,
            };
        }
        kind
    }

    fn member(&mut self, node: Node<'_>) -> ExprKind<'a> {
        let base = self.any_field(node, &["object", "argument", "operand", "value", "path", "scope"]);
        let name = self.any_field(node, &["attribute", "property", "field", "name"]);
        let (base, name) = match (base, name) {
            (base, Some(name)) => (base, name),
            // Java's `a::b`.
            (_, None) => {
                let children = self.children(node);
                let Some(last) = children.last().copied() else { return ExprKind::Type(self.text(node)) };
                (children.first().copied().filter(|_| children.len() > 1), last)
            }
        };
        let Some(base) = base else { return ExprKind::Name(self.text(name)) };
        let base = self.expr(base);
        let optional = self.field(node, "optional_chain").is_some();
        // C++'s `a::b::c` nests to the right.
        if self.role(name) == Role::Member {
            let mut base = base;
            let mut at = name;
            while let (Some(scope), Some(inner)) = (self.field(at, "scope"), self.field(at, "name")) {
                let (name, name_span) = (self.text(scope), span_of(scope));
                base = self.add(ExprKind::Attribute { base, name, name_span, optional }, span_of(node));
                at = inner;
                if self.role(at) != Role::Member {
                    break;
                }
            }
            return ExprKind::Attribute {
                base,
                name: plain(self.text(at)),
                name_span: span_of(at),
                optional,
            };
        }
        ExprKind::Attribute { base, name: plain(self.text(name)), name_span: span_of(name), optional }
    }

    fn subscript(&mut self, node: Node<'_>) -> ExprKind<'a> {
        let children = self.children(node);
        let base = self
            .any_field(node, &["object", "argument", "operand", "value", "array", "name"])
            .or(children.first().copied());
        let Some(base) = base else { return ExprKind::Other(Vec::new()) };
        let rest: Vec<Node<'_>> = children.into_iter().filter(|child| child.id() != base.id()).collect();
        let base = self.expr(base);
        if node.kind() == "slice_expression" {
            let parts = self.exprs(rest);
            let index = self.add(ExprKind::Slice(parts), span_of(node));
            return ExprKind::Subscript { base, index: Some(index) };
        }
        let mut indices = Vec::new();
        for part in rest {
            if part.kind() == "subscript_argument_list" {
                let inner = self.children(part);
                indices.extend(self.exprs(inner));
            } else if !matches!(self.role(part), Role::Skip) && part.kind() != "optional_chain" {
                indices.push(self.expr(part));
            }
        }
        let index = match indices.as_slice() {
            [] => None,
            [only] => Some(*only),
            _ => {
                let items = indices.into_iter().map(|value| Item { key: None, value }).collect();
                Some(self.add(ExprKind::Collection { kind: CollectionKind::Tuple, items }, span_of(node)))
            }
        };
        ExprKind::Subscript { base, index }
    }

    pub(super) fn arguments(&mut self, list: Option<Node<'_>>) -> Vec<Argument<'a>> {
        let mut arguments = Vec::new();
        let Some(list) = list else { return arguments };
        // Python's `f(x for x in y)` and JavaScript's tagged templates have no list.
        if matches!(self.role(list), Role::Comprehension(_) | Role::Template) {
            arguments.push(Argument { name: None, value: self.expr(list) });
            return arguments;
        }
        for child in self.children(list) {
            if matches!(self.role(child), Role::Skip | Role::Attribute) {
                continue;
            }
            if child.kind() == "keyword_argument" {
                if let (Some(name), Some(value)) = (self.field(child, "name"), self.field(child, "value")) {
                    let value = self.expr(value);
                    arguments.push(Argument { name: Some(self.text(name)), value });
                }
                continue;
            }
            arguments.push(Argument { name: None, value: self.expr(child) });
        }
        arguments
    }

    fn call(&mut self, node: Node<'_>) -> ExprKind<'a> {
        let list = self.field(node, "arguments");
        let callee = if node.kind() == "method_invocation" {
            self.java_callee(node)
        } else {
            match self.any_field(node, &["function", "constructor"]) {
                Some(function) => self.expr(function),
                None => self.add(ExprKind::Other(Vec::new()), span_of(node)),
            }
        };
        let arguments = self.arguments(list);
        ExprKind::Call { callee, arguments, kind: CallKind::Call }
    }

    fn java_callee(&mut self, node: Node<'_>) -> ExprId {
        let Some(name) = self.field(node, "name") else {
            return self.add(ExprKind::Other(Vec::new()), span_of(node));
        };
        match self.field(node, "object") {
            Some(object) => {
                let base = self.expr(object);
                let span = span_of(object).to(span_of(name));
                let kind = ExprKind::Attribute {
                    base,
                    name: self.text(name),
                    name_span: span_of(name),
                    optional: false,
                };
                self.add(kind, span)
            }
            None => self.add(ExprKind::Name(self.text(name)), span_of(name)),
        }
    }

    fn new_(&mut self, node: Node<'_>) -> ExprKind<'a> {
        let callee = match self.any_field(node, &["constructor", "type"]) {
            Some(kind) if self.role(kind) == Role::Type => {
                let name = self.text(kind).split('<').next().unwrap_or("").trim();
                let last = name.rsplit('.').next().unwrap_or(name);
                self.add(ExprKind::Name(last), span_of(kind))
            }
            Some(kind) => self.expr(kind),
            None => self.add(ExprKind::Other(Vec::new()), span_of(node)),
        };
        let mut arguments = self.arguments(self.field(node, "arguments"));
        arguments.extend(self.arguments(self.field(node, "placement")));
        if let Some(length) =
            self.field(node, "declarator").and_then(|declarator| self.field(declarator, "length"))
        {
            arguments.push(Argument { name: None, value: self.expr(length) });
        }
        // Java's anonymous classes: their methods belong to the walk too.
        if let Some(body) = self.child_of_kind(node, "class_body") {
            let owner = self.owner;
            if let Some(function) = self.function {
                self.owner = crate::Owner::Function(function);
            }
            let mut out = Vec::new();
            let first = self.unit.functions.len();
            for child in self.children(body) {
                self.statement(child, &mut out);
            }
            for function in self.unit.functions.get_mut(first..).unwrap_or_default() {
                function.modifiers.overrides = true;
            }
            self.owner = owner;
            let value = self.add(ExprKind::Block(out), span_of(body));
            arguments.push(Argument { name: Some(""), value });
        }
        ExprKind::Call { callee, arguments, kind: CallKind::New }
    }

    /// Long chains `a + b + c + …` nest to the left; they are walked, not recursed into.
    fn binary(&mut self, node: Node<'_>) -> ExprId {
        let mut chain = Vec::new();
        let mut at = node;
        let first = loop {
            chain.push(at);
            let children = self.children(at);
            let left = self.field(at, "left").or(children.first().copied());
            match left {
                Some(left) if self.role(left) == Role::Binary => at = left,
                other => break other,
            }
        };
        let mut left = match first {
            Some(first) => self.expr(first),
            None => self.add(ExprKind::Other(Vec::new()), span_of(at)),
        };
        for link in chain.into_iter().rev() {
            let operator = self.operator(link);
            let children = self.children(link);
            let right = self.any_field(link, &["right", "pattern"]).or(children.get(1).copied());
            let span = span_of(link);
            let right = match right {
                Some(right) => self.expr(right),
                None => self.add(ExprKind::Other(Vec::new()), span),
            };
            if let Some(name) = self.field(link, "name") {
                self.expr(name);
            }
            let kind = if operator.is_logical() {
                ExprKind::Logical { operator, left, right }
            } else if operator.compares() {
                ExprKind::Compare { left, rest: vec![(operator, right)] }
            } else {
                ExprKind::Binary { operator, left, right }
            };
            left = self.add(kind, span);
        }
        left
    }

    fn operator(&self, node: Node<'_>) -> Operator {
        if node.kind() == "instanceof_expression" {
            return Operator::InstanceOf;
        }
        match self.field(node, "operator") {
            Some(operator) => operator_of(self.text(operator)),
            None => Operator::Other,
        }
    }

    fn compare(&mut self, node: Node<'_>) -> ExprKind<'a> {
        let mut cursor = node.walk();
        let mut operands = Vec::new();
        let mut operators = Vec::new();
        let mut words = String::new();
        for child in node.children(&mut cursor) {
            if child.is_named() && !matches!(self.role(child), Role::Comment | Role::Continuation) {
                if !words.is_empty() {
                    operators.push(operator_of(&words));
                    words.clear();
                }
                operands.push(child);
            } else if !child.is_named() {
                if !words.is_empty() {
                    words.push(' ');
                }
                words.push_str(self.text(child));
            }
        }
        let operands = self.exprs(operands);
        match operands.split_first() {
            Some((left, rest)) => ExprKind::Compare {
                left: *left,
                rest: operators.into_iter().zip(rest.iter().copied()).collect(),
            },
            None => ExprKind::Other(Vec::new()),
        }
    }

    fn unary(&mut self, node: Node<'_>) -> ExprKind<'a> {
        let operator = match node.kind() {
            "not_operator" => Operator::Not,
            "reference_expression" => Operator::AddressOf,
            "try_expression" => Operator::Try,
            "sizeof_expression" => Operator::SizeOf,
            "delete_expression" => Operator::Delete,
            _ => {
                let word = match self.field(node, "operator") {
                    Some(operator) => self.text(operator),
                    // Rust's grammar has no field for it.
                    None => node.child(0).map_or("", |first| self.text(first)),
                };
                match word {
                    "-" => Operator::Negate,
                    "+" => Operator::Plus,
                    "!" | "not" => Operator::Not,
                    "~" | "^" => Operator::BitNot,
                    "*" => Operator::Dereference,
                    "&" => Operator::AddressOf,
                    "typeof" => Operator::TypeOf,
                    "void" => Operator::Void,
                    "delete" => Operator::Delete,
                    _ => Operator::Other,
                }
            }
        };
        let inner = self
            .any_field(node, &["argument", "operand", "value", "type"])
            .or_else(|| self.children(node).into_iter().rfind(|child| self.role(*child) != Role::Skip));
        let operand = match inner {
            Some(inner) => self.expr(inner),
            None => self.add(ExprKind::Other(Vec::new()), span_of(node)),
        };
        if node.kind() == "unary_expression" && self.text(node).starts_with("<-") {
            return ExprKind::Await(operand);
        }
        ExprKind::Unary { operator, operand }
    }

    fn update(&mut self, node: Node<'_>) -> ExprKind<'a> {
        let target = self.only(node);
        let text = self.text(node);
        ExprKind::Update { target, increment: text.starts_with("++") || text.ends_with("++") }
    }

    fn conditional_expr(&mut self, node: Node<'_>) -> ExprKind<'a> {
        let parts = match self.field(node, "condition") {
            Some(test) => vec![Some(test), self.field(node, "consequence"), self.field(node, "alternative")],
            // Python: value, question, other value.
            None => match self.children(node).as_slice() {
                [then, test, otherwise, ..] => vec![Some(*test), Some(*then), Some(*otherwise)],
                other => return ExprKind::Other(self.exprs(other.to_vec())),
            },
        };
        let mut ids = parts.into_iter().map(|part| match part {
            Some(part) => self.expr(part),
            None => self.add(ExprKind::Other(Vec::new()), span_of(node)),
        });
        match (ids.next(), ids.next(), ids.next()) {
            (Some(test), Some(then), Some(otherwise)) => ExprKind::Conditional { test, then, otherwise },
            _ => ExprKind::Other(Vec::new()),
        }
    }

    pub(super) fn assignment_operator(&self, node: Node<'_>) -> Option<Operator> {
        let text = self.text(self.field(node, "operator")?);
        let word = text.strip_suffix('=')?;
        if word.is_empty() || word == ":" { None } else { Some(operator_of(word)) }
    }

    fn assign(&mut self, node: Node<'_>) -> ExprKind<'a> {
        let target = self.any_field(node, &["left", "name", "pattern"]);
        let value = self.any_field(node, &["right", "value"]);
        let operator = self.assignment_operator(node);
        match (target, value) {
            (Some(target), Some(value)) => {
                let value = self.expr(value);
                let target = self.expr(target);
                self.name_lambda(value, target);
                ExprKind::Assign { target, operator, value }
            }
            (Some(only), None) | (None, Some(only)) => ExprKind::Other(vec![self.expr(only)]),
            (None, None) => ExprKind::Other(Vec::new()),
        }
    }

    fn cast(&mut self, node: Node<'_>) -> ExprKind<'a> {
        let children = self.children(node);
        let to = self.field(node, "type").or_else(|| {
            if node.kind() == "type_assertion" { children.first().copied() } else { children.last().copied() }
        });
        let value = self.any_field(node, &["value", "operand"]).or_else(|| {
            if node.kind() == "type_assertion" { children.last().copied() } else { children.first().copied() }
        });
        let to = to.map_or("", |to| self.text(to));
        let value = match value {
            Some(value) => self.expr(value),
            None => self.add(ExprKind::Other(Vec::new()), span_of(node)),
        };
        ExprKind::Cast { value, to }
    }
}

/// A name without its type arguments.
fn plain(text: &str) -> &str {
    text.split('<').next().filter(|plain| !plain.is_empty()).unwrap_or(text)
}
