//! Operators and constants that are one step beside the right one.

use super::Maker;
use formicary_diagnose::program::{Kind, Role};
use formicary_model::Language;
use formicary_syntax::{ExprId, ExprKind, Literal, Operator, Span, StmtKind};

impl Maker<'_, '_> {
    pub(super) fn operators(&mut self, id: ExprId) {
        match self.unit.kind(id).clone() {
            ExprKind::Compare { left, rest } => {
                self.by_value(id);
                let mut before = left;
                for (operator, operand) in &rest {
                    self.comparison(before, *operator, *operand);
                    before = *operand;
                }
                if rest.len() == 2 {
                    // a < b < c: each half alone.
                    let halves = [(left, rest[0].1), (rest[0].1, rest[1].1)];
                    for (from, to) in halves {
                        let span = self.unit.expr(from).span.to(self.unit.expr(to).span);
                        let text = self.unit.text(span).to_owned();
                        self.replace(id, &text, true, 2.0, "condition");
                    }
                }
            }
            ExprKind::Binary { left, operator, right } => self.arithmetic(id, left, operator, right),
            ExprKind::Logical { left, operator, right } => {
                if let Some((span, _)) = self.operator_between(left, right) {
                    let words = self.program.words;
                    match operator {
                        Operator::And => self.propose(span, words.or, 1.0, "logic"),
                        Operator::Or => self.propose(span, words.and, 1.0, "logic"),
                        _ => {}
                    }
                }
            }
            ExprKind::Literal(literal) => self.literal(id, &literal),
            ExprKind::Unary { operator: Operator::Negate, operand } => {
                let text = self.program.part(operand);
                self.replace(id, &text, false, 1.8, "sign");
            }
            ExprKind::Unary { operator: Operator::Not, operand } => {
                let text = self.program.text(operand).to_owned();
                self.replace(id, &text, self.program.is_composite(operand), 1.5, "negation");
            }
            ExprKind::Update { increment, target } => {
                let text = self.program.text(id).to_owned();
                let new = if increment { text.replace("++", "--") } else { text.replace("--", "++") };
                self.propose(self.unit.expr(id).span, &new, 1.2, "operator");
                let _ = target;
            }
            _ => {}
        }
    }

    /// The operator's own place between two operands.
    pub(super) fn operator_between(&self, left: ExprId, right: ExprId) -> Option<(Span, String)> {
        let (from, to) = (self.unit.expr(left).span.end, self.unit.expr(right).span.start);
        let between = self.unit.source.get(from as usize..to as usize)?;
        let trimmed = between.trim_start_matches(|c: char| c.is_whitespace() || c == ')');
        let start = from + (between.len() - trimmed.len()) as u32;
        let token = trimmed.trim_end_matches(|c: char| c.is_whitespace() || c == '(');
        if token.is_empty() || token.contains('#') || token.contains('\n') {
            return None;
        }
        Some((Span { start, end: start + token.len() as u32 }, token.to_owned()))
    }

    fn comparison(&mut self, left: ExprId, operator: Operator, right: ExprId) {
        let Some((span, token)) = self.operator_between(left, right) else { return };
        let python = self.unit.dialect.language() == Language::Python;
        let others: &[(&str, f64)] = match operator {
            Operator::Less => &[("<=", 1.0), (">", 1.2), (">=", 1.3), ("!=", 1.8), ("==", 2.0)],
            Operator::LessEqual => &[("<", 1.0), (">=", 1.2), (">", 1.3), ("==", 1.9), ("!=", 2.1)],
            Operator::Greater => &[(">=", 1.0), ("<", 1.2), ("<=", 1.3), ("!=", 1.8), ("==", 2.0)],
            Operator::GreaterEqual => &[(">", 1.0), ("<=", 1.2), ("<", 1.3), ("==", 1.9), ("!=", 2.1)],
            Operator::Equal if token == "==" => {
                &[("!=", 1.1), ("<=", 1.5), (">=", 1.5), ("<", 1.8), (">", 1.8), ("in", 2.8)]
            }
            Operator::NotEqual if token == "!=" => {
                &[("==", 1.1), ("<", 1.6), (">", 1.6), ("<=", 2.0), (">=", 2.0)]
            }
            Operator::StrictEqual => &[("!==", 1.1), ("<=", 1.6), (">=", 1.6), ("<", 1.8), (">", 1.8)],
            Operator::StrictNotEqual => &[("===", 1.1), ("<", 1.7), (">", 1.7)],
            Operator::In => &[("not in", 1.1), ("==", 2.6)],
            Operator::NotIn => &[("in", 1.1)],
            Operator::Is => &[("is not", 1.1), ("==", 1.6)],
            Operator::IsNot => &[("is", 1.1), ("!=", 1.8)],
            _ => &[],
        };
        for (new, cost) in others {
            if *new != "in" || python {
                self.propose(span, new, *cost, "comparison");
            }
        }
        // Operator and bound at once: `== 0` that should be `<= 1`.
        let ExprKind::Literal(Literal::Integer(Some(bound))) = self.unit.kind(right) else { return };
        let bound = *bound;
        let both = span.to(self.unit.expr(right).span);
        for new in ["<", "<=", ">", ">=", "==", "!="].into_iter().filter(|new| *new != token) {
            for number in [bound - 1, bound + 1].into_iter().filter(|number| *number >= 0) {
                self.propose(both, &format!("{new} {number}"), 2.2, "comparison");
            }
        }
    }

    fn arithmetic(&mut self, id: ExprId, left: ExprId, operator: Operator, right: ExprId) {
        let Some((span, token)) = self.operator_between(left, right) else { return };
        let python = self.unit.dialect.language() == Language::Python;
        let text = matches!(self.program.kind_of(left), Some(Kind::Text | Kind::List));
        let near: &[&str] = match token.as_str() {
            "+" => &["-"],
            "-" => &["+"],
            "*" => &["+", "/", "//", "**"],
            "/" => &["//", "*", "%"],
            "//" => &["/", "%", "*"],
            "%" => &["//", "/"],
            "**" => &["*"],
            "<<" => &[">>"],
            ">>" => &["<<"],
            "&" => &["|", "^"],
            "|" => &["&", "^"],
            "^" => &["|", "&"],
            _ => &[],
        };
        for new in near {
            if (python || !matches!(*new, "//" | "**")) && !text {
                self.propose(span, new, 1.3, "operator");
            }
        }
        for new in ["+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>"] {
            let known = python || !matches!(new, "//" | "**");
            if new != token && known && !text && !near.contains(&new) {
                let bits = matches!(new, "&" | "|" | "^" | "<<" | ">>") && !self.uses_bits();
                self.propose(span, new, if bits { 3.6 } else { 2.4 }, "operator");
            }
        }
        // A text or a list is repeated or joined.
        if text && python && matches!(token.as_str(), "+" | "*") {
            self.propose(span, if token == "+" { "*" } else { "+" }, 1.8, "operator");
        }
        let order_matters = matches!(
            operator,
            Operator::Subtract
                | Operator::Divide
                | Operator::FloorDivide
                | Operator::Modulo
                | Operator::Power
                | Operator::ShiftLeft
                | Operator::ShiftRight
        ) || text;
        if order_matters {
            let swapped = format!("{} {token} {}", self.program.part(right), self.program.part(left));
            self.replace(id, &swapped, true, 1.4, "operands-swapped");
        }
    }

    /// Whether the program works on bits at all.
    fn uses_bits(&self) -> bool {
        self.unit.expressions.iter().any(|expr| {
            let ExprKind::Binary { operator, .. } = &expr.kind else { return false };
            matches!(
                operator,
                Operator::BitAnd
                    | Operator::BitOr
                    | Operator::BitXor
                    | Operator::ShiftLeft
                    | Operator::ShiftRight
            )
        })
    }

    fn literal(&mut self, id: ExprId, literal: &Literal<'_>) {
        let span = self.unit.expr(id).span;
        match literal {
            Literal::Boolean(value) => {
                let [yes, no] = self.program.words.truth;
                self.propose(span, if *value { no } else { yes }, 1.0, "constant");
            }
            Literal::Integer(Some(value)) => {
                let suffix =
                    self.program.text(id).trim_start_matches(|c: char| c.is_ascii_digit()).to_owned();
                let plain = !suffix.contains(['x', 'b', 'o', '_', '.']) || suffix.is_empty();
                if !plain {
                    return;
                }
                let write = |number: i128| format!("{number}{suffix}");
                let idle = self.idle_number(id);
                self.propose(span, &write(value + 1), 1.0, "constant");
                if *value > 0 && idle != Some(value - 1) {
                    self.propose(span, &write(value - 1), 1.0, "constant");
                }
                for other in [0, 1, 2, 10].into_iter().filter(|other| idle != Some(*other)) {
                    self.propose(span, &write(other), if other < 2 { 1.7 } else { 2.2 }, "constant");
                }
                if !matches!(self.program.role(id), Role::Target) {
                    // The bound of a range that goes down is one less than nothing.
                    let bound = *value == 0 && self.program.role(id) == Role::Argument;
                    let cost = if bound { 1.2 } else { 1.8 };
                    self.replace(id, &format!("-{}", write((*value).max(1))), true, cost, "constant");
                }
                if *value > 1 {
                    self.propose(span, &write(value * 10), 2.0, "constant");
                    self.propose(span, &write(value / 10), 2.2, "constant");
                    self.propose(span, &write(value * 2), 2.4, "constant");
                }
                for other in self.integers() {
                    self.propose(span, &write(other), 2.5, "constant");
                }
                let function = self.unit.expr(id).function;
                for name in self.program.variables(function).to_vec() {
                    match self.program.kind_of_name(function, name) {
                        Some(Kind::Number) => self.propose(span, name, 1.9, "constant"),
                        None => self.propose(span, name, 2.3, "constant"),
                        _ => {}
                    }
                }
            }
            Literal::Float(text) => {
                if let Ok(value) = text.trim_end_matches(['f', 'F', 'd', 'D']).parse::<f64>() {
                    for new in [
                        value + 1.0,
                        value - 1.0,
                        value * 10.0,
                        value / 10.0,
                        0.0,
                        1.0,
                        value * 2.0,
                        value / 2.0,
                    ] {
                        self.propose(span, &format!("{new:?}"), 2.0, "constant");
                    }
                }
            }
            Literal::Text(text) => self.text_literal(id, text),
            Literal::Character(_) => self.character(id),
            _ => {}
        }
    }

    /// Another character: one of the program's, the same in the other case, one of the usual.
    fn character(&mut self, id: ExprId) {
        let span = self.unit.expr(id).span;
        let written = self.program.text(id).to_owned();
        let mut others = vec![written.to_ascii_uppercase(), written.to_ascii_lowercase()];
        for expr in &self.unit.expressions {
            let text = self.unit.text(expr.span);
            let known = others.iter().any(|other| other == text);
            if matches!(expr.kind, ExprKind::Literal(Literal::Character(_)))
                && self.may_change(expr.function)
                && !known
                && others.len() < 12
            {
                others.push(text.to_owned());
            }
        }
        others.extend(["' '", "'0'", "'a'", "'A'"].map(str::to_owned));
        for other in others {
            self.propose(span, &other, 2.4, "text");
        }
    }

    /// The number that would make the operation around it do nothing.
    fn idle_number(&self, id: ExprId) -> Option<i128> {
        match self.unit.kind(self.program.parent(id)?) {
            ExprKind::Binary { operator, .. } => match operator {
                Operator::Add | Operator::Subtract => Some(0),
                Operator::Multiply | Operator::Divide | Operator::FloorDivide | Operator::Power => Some(1),
                _ => None,
            },
            _ => None,
        }
    }

    fn text_literal(&mut self, id: ExprId, text: &str) {
        let span = self.unit.expr(id).span;
        let written = self.program.text(id);
        let Some(quote) = written.chars().last().filter(|c| matches!(c, '"' | '\'' | '`')) else { return };
        if text.len() > 200 || written.starts_with("\"\"\"") || written.starts_with("'''") {
            return;
        }
        let write = |new: &str| format!("{quote}{new}{quote}");
        for (new, cost) in
            [("", 2.0), (" ", 2.0), (",", 2.8), ("\\n", 2.8), (", ", 2.8), ("0", 2.6), ("1", 2.6)]
        {
            self.propose(span, &write(new), cost, "text");
        }
        let plain = !text.contains(['\\', '"', '\'', '\n']);
        if plain {
            self.propose(span, &write(&text.to_uppercase()), 2.2, "text");
            self.propose(span, &write(&text.to_lowercase()), 2.2, "text");
            self.propose(span, &write(&text.chars().rev().collect::<String>()), 2.6, "text");
            self.propose(span, &write(&format!("{text} ")), 2.8, "text");
            self.propose(span, &write(text.trim()), 2.4, "text");
            if text.chars().count() > 1 && text.chars().count() < 30 {
                // One character too many, or a letter that the neighbours miss: vowels without y, digits without 9.
                for (at, c) in text.char_indices() {
                    let without = format!("{}{}", &text[..at], &text[at + c.len_utf8()..]);
                    self.propose(span, &write(&without), 2.8, "text");
                }
            }
        }
        for other in self.texts() {
            self.propose(span, &other, 2.6, "text");
        }
    }

    /// The small whole numbers of the file.
    pub(super) fn integers(&self) -> Vec<i128> {
        let mut found: Vec<i128> = Vec::new();
        for expr in &self.unit.expressions {
            if let ExprKind::Literal(Literal::Integer(Some(value))) = &expr.kind
                && self.may_change(expr.function)
                && !found.contains(value)
                && found.len() < 12
            {
                found.push(*value);
            }
        }
        found
    }

    /// The short texts of the file, as they are written.
    pub(super) fn texts(&self) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for expr in &self.unit.expressions {
            let written = self.unit.text(expr.span);
            if let ExprKind::Literal(Literal::Text(_)) = &expr.kind
                && self.may_change(expr.function)
                && written.len() < 40
                && !found.iter().any(|known| known == written)
                && found.len() < 12
            {
                found.push(written.to_owned());
            }
        }
        found
    }

    /// `+=` and its kin.
    pub(super) fn augmented(&mut self, stmt: &StmtKind<'_>) {
        let StmtKind::Assign { targets, operator, value: Some(value), .. } = stmt else { return };
        let ([target], value) = (targets.as_slice(), *value) else { return };
        let target = *target;
        let Some((span, token)) = self.operator_between(target, value) else { return };
        if operator.is_none() {
            if token == "=" {
                for (new, cost) in [("+=", 1.8), ("-=", 2.2), ("*=", 2.6)] {
                    if self.program.unit.name_of(target).is_some()
                        || matches!(
                            self.unit.kind(target),
                            ExprKind::Subscript { .. } | ExprKind::Attribute { .. }
                        )
                    {
                        self.propose(span, new, cost, "augmented");
                    }
                }
            }
            return;
        }
        self.propose(span, "=", 1.6, "augmented");
        for new in ["+=", "-=", "*=", "//=", "/=", "%=", "|=", "&=", "^=", "<<=", ">>="] {
            let python = self.unit.dialect.language() == Language::Python;
            if new != token && (python || new != "//=") {
                let cost = if matches!(new, "+=" | "-=" | "*=") { 1.2 } else { 1.9 };
                self.propose(span, new, cost, "augmented");
            }
        }
    }
}
