//! Rust's macros: their arguments are only tokens to the grammar, so what looks like an expression is read as one.

use super::{Lowering, span_of};
use crate::expression::{Argument, CallKind, ExprId, ExprKind, Literal, Operator, Part};
use crate::lang::Role;
use crate::lines::Span;
use tree_sitter::Node;

impl<'a> Lowering<'a> {
    pub(super) fn macro_call(&mut self, node: Node<'_>) -> ExprKind<'a> {
        let callee = match self.field(node, "macro") {
            Some(name) => self.expr(name),
            None => self.add(ExprKind::Other(Vec::new()), span_of(node)),
        };
        let arguments = match self.child_of_kind(node, "token_tree") {
            Some(tree) => self.token_arguments(tree),
            None => Vec::new(),
        };
        ExprKind::Call { callee, arguments, kind: CallKind::Macro }
    }

    /// `#[derive(A)]` as a call of `derive`.
    pub(super) fn attribute(&mut self, node: Node<'_>) -> ExprId {
        let Some(inner) = self.child_of_kind(node, "attribute") else {
            return self.add(ExprKind::Other(Vec::new()), span_of(node));
        };
        let callee = match self.children(inner).first().copied() {
            Some(path) => self.expr(path),
            None => self.add(ExprKind::Other(Vec::new()), span_of(inner)),
        };
        let arguments = match self.field(inner, "arguments") {
            Some(tree) => self.token_arguments(tree),
            None => return callee,
        };
        self.add(ExprKind::Call { callee, arguments, kind: CallKind::Call }, span_of(node))
    }

    fn token_arguments(&mut self, tree: Node<'_>) -> Vec<Argument<'a>> {
        let mut cursor = tree.walk();
        let tokens: Vec<Node<'_>> = tree.children(&mut cursor).collect();
        let inner = tokens.get(1..tokens.len().saturating_sub(1)).unwrap_or_default();
        let mut arguments = Vec::new();
        for chunk in inner.split(|token| matches!(token.kind(), "," | ";")) {
            let chunk: Vec<Node<'_>> =
                chunk.iter().copied().filter(|token| self.role(*token) != Role::Comment).collect();
            // `name = value` in a format.
            let (name, chunk) = match chunk.as_slice() {
                [name, equals, rest @ ..] if equals.kind() == "=" && !rest.is_empty() => {
                    (Some(self.text(*name)), rest.to_vec())
                }
                _ => (None, chunk),
            };
            if let (Some(first), Some(last)) = (chunk.first(), chunk.last()) {
                let span = span_of(*first).to(span_of(*last));
                let value = self.tokens(&chunk, span);
                arguments.push(Argument { name, value });
            }
        }
        arguments
    }

    /// A chain `a.b(c)[d]?` with signs before it; of anything else its chains.
    fn tokens(&mut self, tokens: &[Node<'_>], span: Span) -> ExprId {
        let (first, mut rest) = self.chain(tokens, span);
        if rest.is_empty() {
            return first;
        }
        let mut parts = vec![first];
        while let Some(next) = rest.first() {
            if next.is_named() {
                let (part, after) = self.chain(rest, span_of(*next));
                parts.push(part);
                rest = after;
            } else {
                parts.push(self.token(*next));
                rest = &rest[1..];
            }
        }
        self.add(ExprKind::Other(parts), span)
    }

    /// The chain with which tokens begin, and what follows it.
    fn chain<'n, 't>(&mut self, tokens: &'n [Node<'t>], span: Span) -> (ExprId, &'n [Node<'t>]) {
        let Some(first) = tokens.first().copied() else {
            return (self.add(ExprKind::Other(Vec::new()), span), tokens);
        };
        if let "&" | "*" | "!" | "-" | "mut" | "ref" = first.kind() {
            let (operand, rest) = self.chain(&tokens[1..], span);
            let operator = match first.kind() {
                "&" => Operator::AddressOf,
                "*" => Operator::Dereference,
                "!" => Operator::Not,
                "-" => Operator::Negate,
                _ => return (operand, rest),
            };
            let whole = if rest.is_empty() { span } else { span_of(first).to(self.unit.expr(operand).span) };
            return (self.add(ExprKind::Unary { operator, operand }, whole), rest);
        }
        let mut at = self.token(first);
        let mut rest = &tokens[1..];
        while let Some((next, after)) = rest.split_first() {
            match (next.kind(), after.split_first()) {
                ("." | "::", Some((name, further))) if name.is_named() && name.kind() != "token_tree" => {
                    let kind = ExprKind::Attribute {
                        base: at,
                        name: self.text(*name),
                        name_span: span_of(*name),
                        optional: false,
                    };
                    at = self.add(kind, span_of(first).to(span_of(*name)));
                    rest = further;
                }
                ("token_tree", _) => {
                    let arguments = self.token_arguments(*next);
                    let whole = span_of(first).to(span_of(*next));
                    let kind = match self.text(*next).as_bytes().first() {
                        Some(b'[') => {
                            let index = arguments.first().map(|argument| argument.value);
                            ExprKind::Subscript { base: at, index }
                        }
                        // The fields of a structure, or the body of a loop.
                        Some(b'{') => {
                            let inside = arguments.into_iter().map(|argument| argument.value);
                            ExprKind::Other(std::iter::once(at).chain(inside).collect())
                        }
                        _ => ExprKind::Call { callee: at, arguments, kind: CallKind::Call },
                    };
                    at = self.add(kind, whole);
                    rest = after;
                }
                ("?", _) => rest = after,
                _ => break,
            }
        }
        (at, rest)
    }

    fn token(&mut self, node: Node<'_>) -> ExprId {
        let span = span_of(node);
        match node.kind() {
            "token_tree" => {
                let inside = self.deeper(node, |this| this.token_arguments(node)).unwrap_or_default();
                self.add(ExprKind::Other(inside.into_iter().map(|argument| argument.value).collect()), span)
            }
            _ if matches!(self.role(node), Role::Text) => self.format_text(node),
            _ if node.is_named() => self.expr(node),
            _ => self.add(ExprKind::Other(Vec::new()), span),
        }
    }

    /// Text that may hold `{name}`.
    fn format_text(&mut self, node: Node<'_>) -> ExprId {
        let id = self.expr(node);
        let ExprKind::Literal(Literal::Text(_)) = self.unit.kind(id) else { return id };
        let text = self.text(node);
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some(open) = rest.find('{') {
            parts.push(Part::Text(&rest[..open]));
            let after = &rest[open + 1..];
            if let Some(escaped) = after.strip_prefix('{') {
                rest = escaped;
                continue;
            }
            let Some(close) = after.find('}') else { break };
            let name = after[..close].split(':').next().unwrap_or("").trim();
            // `{x:>width$}` reads width too.
            let inside = &after[..close];
            let width = inside.split_once(':').and_then(|(_, format)| format.strip_suffix('$'));
            let width = width.map(|format| {
                let from = format.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1);
                &format[from..]
            });
            for word in [Some(name), width].into_iter().flatten() {
                if is_name(word) {
                    let value = self.add(ExprKind::Name(word), span_of(node));
                    parts.push(Part::Value(value));
                }
            }
            rest = &after[close + 1..];
        }
        if parts.iter().any(|part| matches!(part, Part::Value(_))) {
            parts.push(Part::Text(rest));
            return self.add(ExprKind::Template(parts), span_of(node));
        }
        id
    }
}

fn is_name(word: &str) -> bool {
    word.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && word.chars().all(|c| c.is_alphanumeric() || c == '_')
}
