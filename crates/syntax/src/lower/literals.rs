//! Constants and text with values in it.

use super::Lowering;
use crate::dialect::Dialect;
use crate::expression::{ExprKind, Literal, Operator, Part};
use crate::lang::Role;
use std::borrow::Cow;
use tree_sitter::Node;

impl<'a> Lowering<'a> {
    pub(super) fn number(&mut self, node: Node<'_>) -> ExprKind<'a> {
        number_of(self.text(node))
    }

    pub(super) fn text_literal(&mut self, node: Node<'_>) -> ExprKind<'a> {
        if self.dialect() == Dialect::Python && self.child_of_kind(node, "interpolation").is_some() {
            return self.template(node);
        }
        let written = self.text(node);
        if self.dialect() == Dialect::Python {
            return python_string(written);
        }
        self.quoted(written)
    }

    /// Text as it is written, with its quotes.
    pub(super) fn quoted(&self, written: &'a str) -> ExprKind<'a> {
        let (prefix, inner) = without_quotes(written);
        if prefix.contains(['b', 'B']) && !matches!(self.dialect(), Dialect::Bash) {
            return ExprKind::Literal(Literal::Bytes(inner));
        }
        let raw = prefix.contains(['r', 'R']) || written.starts_with('`') || self.dialect() == Dialect::Bash;
        let value = if raw { Cow::Borrowed(inner) } else { unescaped(inner) };
        ExprKind::Literal(Literal::Text(value))
    }

    /// `"a" "b"`: one text, or a template when one part is.
    pub(super) fn joined(&mut self, node: Node<'_>) -> ExprKind<'a> {
        let parts = self.children(node);
        let mut values = Vec::new();
        let mut whole = String::new();
        let mut constant = true;
        for part in parts {
            let value = self.expr(part);
            match self.unit.kind(value) {
                ExprKind::Literal(Literal::Text(text)) => whole.push_str(text),
                _ => constant = false,
            }
            values.push(Part::Value(value));
        }
        if constant {
            ExprKind::Literal(Literal::Text(Cow::Owned(whole)))
        } else {
            ExprKind::Template(values)
        }
    }

    pub(super) fn template(&mut self, node: Node<'_>) -> ExprKind<'a> {
        let mut parts = Vec::new();
        for child in self.children(node) {
            match child.kind() {
                "string_content" | "string_fragment" | "escape_sequence" => {
                    parts.push(Part::Text(self.text(child)))
                }
                "string_start" | "string_end" => {}
                "interpolation" => {
                    if let Some(inner) = self.field(child, "expression") {
                        parts.push(Part::Value(self.expr(inner)));
                    }
                    // `{x:{width}}` reads width.
                    if let Some(format) = self.field(child, "format_specifier") {
                        for nested in self.children(format) {
                            parts.push(Part::Value(self.expr(nested)));
                        }
                    }
                }
                "template_substitution" => {
                    for inner in self.children(child) {
                        parts.push(Part::Value(self.expr(inner)));
                    }
                }
                _ if self.role(child) == Role::Text => {
                    parts.push(Part::Text(without_quotes(self.text(child)).1));
                }
                _ => parts.push(Part::Value(self.expr(child))),
            }
        }
        if parts.is_empty() {
            let inner = without_quotes(self.text(node)).1;
            return ExprKind::Literal(Literal::Text(Cow::Borrowed(inner)));
        }
        if let [Part::Text(only)] = parts.as_slice() {
            return ExprKind::Literal(Literal::Text(Cow::Borrowed(only)));
        }
        if parts.iter().all(|part| matches!(part, Part::Text(_))) {
            let inner = without_quotes(self.text(node)).1;
            return ExprKind::Literal(Literal::Text(unescaped(inner)));
        }
        ExprKind::Template(parts)
    }

    /// Bash's `${x:-default}`.
    pub(super) fn expansion(&mut self, node: Node<'_>) -> ExprKind<'a> {
        let children = self.children(node);
        match children.as_slice() {
            [only] if self.role(*only) == Role::Name => ExprKind::Name(self.text(*only)),
            _ => ExprKind::Other(self.exprs(children)),
        }
    }
}

/// A number as it is written.
pub(super) fn number_of(text: &str) -> ExprKind<'_> {
    // Nearly all are short and plain.
    let plain = text.len() < 18 && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = if plain { text.parse().ok().map(Some) } else { whole_number(text) };
    ExprKind::Literal(match number {
        Some(number) => Literal::Integer(number),
        None => Literal::Float(text),
    })
}

/// Python's text or bytes between quotes, without values in it.
pub(super) fn python_string(written: &str) -> ExprKind<'_> {
    let (prefix, inner) = without_quotes(written);
    if prefix.contains(['b', 'B']) {
        return ExprKind::Literal(Literal::Bytes(inner));
    }
    let raw = prefix.contains(['r', 'R']);
    let value = if raw { Cow::Borrowed(inner) } else { unescaped(inner) };
    ExprKind::Literal(Literal::Text(value))
}

/// A whole number in any language's spelling; none when it is no whole number, `Some(None)` when it does not fit.
fn whole_number(text: &str) -> Option<Option<i128>> {
    let plain: String =
        text.chars().filter(|c| *c != '_' && *c != '\'').collect::<String>().to_ascii_lowercase();
    let (radix, digits) = match plain.get(..2) {
        Some("0x") => (16, &plain[2..]),
        Some("0o") => (8, &plain[2..]),
        Some("0b") => (2, &plain[2..]),
        _ => (10, plain.as_str()),
    };
    let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    let known = matches!(
        suffix,
        "" | "l"
            | "ll"
            | "u"
            | "ul"
            | "lu"
            | "ull"
            | "llu"
            | "uz"
            | "z"
            | "n"
            | "i8"
            | "i16"
            | "i32"
            | "i64"
            | "i128"
            | "isize"
            | "u8"
            | "u16"
            | "u32"
            | "u64"
            | "u128"
            | "usize"
    );
    if digits.is_empty() || !known {
        return None;
    }
    Some(i128::from_str_radix(digits, radix).ok())
}

/// What stands before the quotes, and what stands between them.
pub(super) fn without_quotes(text: &str) -> (&str, &str) {
    let Some(open) = text
        .find(['"', '\'', '`'])
        .filter(|open| text[..*open].chars().all(|c| c.is_ascii_alphanumeric() || c == '#' || c == '$'))
    else {
        return ("", text);
    };
    let prefix = &text[..open];
    let rest = text[open..].trim_end_matches('#');
    for quote in ["\"\"\"", "'''", "\"", "'", "`"] {
        if let Some(inner) = rest.strip_prefix(quote) {
            let inner = inner.strip_suffix(quote).unwrap_or(inner);
            // C++'s R"x( … )x".
            if prefix.ends_with('R')
                && let (Some(from), Some(to)) = (inner.find('('), inner.rfind(')'))
            {
                return (prefix, inner.get(from + 1..to).unwrap_or(""));
            }
            return (prefix, inner);
        }
    }
    (prefix, rest)
}

/// The common escapes resolved; others stay as they are written.
pub(super) fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match rest.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('0') => out.push('\0'),
            Some(same @ ('\\' | '"' | '\'' | '`')) => out.push(same),
            Some('\n') => {}
            Some(other) => {
                out.push('\\');
                out.push(other);
            }
            None => out.push('\\'),
        }
    }
    Cow::Owned(out)
}

/// The operator that a word means between two operands.
pub(super) fn operator_of(word: &str) -> Operator {
    match word {
        "+" => Operator::Add,
        "-" => Operator::Subtract,
        "*" => Operator::Multiply,
        "/" => Operator::Divide,
        "//" => Operator::FloorDivide,
        "%" => Operator::Modulo,
        "**" => Operator::Power,
        "@" => Operator::MatrixMultiply,
        "<<" => Operator::ShiftLeft,
        ">>" | ">>>" => Operator::ShiftRight,
        "&" | "&^" => Operator::BitAnd,
        "|" => Operator::BitOr,
        "^" => Operator::BitXor,
        "&&" | "and" => Operator::And,
        "||" | "or" => Operator::Or,
        "??" => Operator::Coalesce,
        "==" | "-eq" | "=" => Operator::Equal,
        "!=" | "<>" | "-ne" => Operator::NotEqual,
        "===" => Operator::StrictEqual,
        "!==" => Operator::StrictNotEqual,
        "<" | "-lt" => Operator::Less,
        "<=" | "-le" => Operator::LessEqual,
        ">" | "-gt" => Operator::Greater,
        ">=" | "-ge" => Operator::GreaterEqual,
        "in" => Operator::In,
        "not in" => Operator::NotIn,
        "is" => Operator::Is,
        "is not" => Operator::IsNot,
        "instanceof" => Operator::InstanceOf,
        "=~" => Operator::Match,
        ".." | "..=" => Operator::Range,
        _ => Operator::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_every_spelling() {
        let cases = [
            ("10", Some(Some(10))),
            ("0x_ff", Some(Some(255))),
            ("1_000u64", Some(Some(1000))),
            ("0b11", Some(Some(3))),
            ("10n", Some(Some(10))),
            ("1.5", None),
            ("1e3", None),
            ("2j", None),
            ("99999999999999999999999999999999999999999", Some(None)),
        ];
        for (text, expected) in cases {
            assert_eq!(whole_number(text), expected, "{text}");
        }
    }

    #[test]
    fn quotes_are_taken_off() {
        let cases = [
            ("'a'", ("", "a")),
            ("rb\"a\"", ("rb", "a")),
            ("\"\"\"a\"\"\"", ("", "a")),
            ("r#\"a\"#", ("r#", "a")),
            ("R\"x(a)x\"", ("R", "a")),
            ("word", ("", "word")),
            ("\"", ("", "")),
        ];
        for (text, expected) in cases {
            assert_eq!(without_quotes(text), expected, "{text}");
        }
    }
}
