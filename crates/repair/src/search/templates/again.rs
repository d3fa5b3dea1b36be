//! What a program says once and was meant to say twice: a question asked for one case of a letter or for one order of two
//! variables; the first value of a variable, given anew. And first values that should come from elsewhere.

use super::Maker;
use formicary_diagnose::program::{Kind, Role};
use formicary_model::Language;
use formicary_syntax::{ExprId, ExprKind, FunctionId, Literal, Operator, StmtKind};

/// Comparisons of one question that are thought of.
const MOST_ASKED: usize = 4;

impl Maker<'_, '_> {
    /// A question with the same comparison once more: for the other case, for the variables exchanged, for the next number.
    pub(super) fn asked_again(&mut self, id: ExprId) {
        let (span, function) = (self.unit.expr(id).span, self.unit.expr(id).function);
        let joint = match self.unit.kind(id) {
            ExprKind::Logical { operator, .. } => Some(*operator),
            _ => None,
        };
        let asks: Vec<ExprId> = (0..self.unit.expressions.len() as u32)
            .map(ExprId)
            .filter(|other| {
                let expr = self.unit.expr(*other);
                expr.function == function
                    && span.contains(expr.span)
                    && matches!(self.program.role(*other), Role::Condition | Role::Value)
                    && matches!(expr.kind, ExprKind::Compare { .. } | ExprKind::Call { .. })
            })
            .take(MOST_ASKED)
            .collect();
        let whole = self.program.text(id).to_owned();
        for asked in asks {
            let denies = matches!(self.unit.kind(asked), ExprKind::Compare { rest, .. }
                if rest.iter().any(|(operator, _)| matches!(operator, Operator::NotEqual | Operator::StrictNotEqual | Operator::NotIn)));
            for (other, cost) in self.variants(asked, function) {
                if whole.contains(&other) {
                    continue;
                }
                let words = self.program.words;
                let word = match joint {
                    Some(Operator::And) => words.and,
                    Some(Operator::Or) => words.or,
                    _ if denies => words.and,
                    _ => words.or,
                };
                self.replace(id, &format!("{whole} {word} {other}"), true, cost, "asked-again");
                // Inside a longer question the two belong together.
                let inner = if denies { words.and } else { words.or };
                if joint.is_some() && inner != word {
                    let text = format!("({} {inner} {other})", self.program.text(asked));
                    self.replace(asked, &text, false, cost, "asked-again");
                }
            }
        }
    }

    /// The texts of a comparison that are one step from it, each with its cost.
    fn variants(&self, asked: ExprId, function: Option<FunctionId>) -> Vec<(String, f64)> {
        let span = self.unit.expr(asked).span;
        let text = self.program.text(asked);
        let mut made: Vec<(String, f64)> = Vec::new();
        if text.len() > 70 || text.contains('\n') {
            return made;
        }
        let mut names: Vec<&str> = Vec::new();
        for expr in self.unit.expressions.iter().filter(|expr| span.contains(expr.span)) {
            let (from, to) = ((expr.span.start - span.start) as usize, (expr.span.end - span.start) as usize);
            let (Some(before), Some(own), Some(after)) =
                (text.get(..from), text.get(from..to), text.get(to..))
            else {
                continue;
            };
            match &expr.kind {
                ExprKind::Literal(Literal::Text(_) | Literal::Character(_)) if own.len() < 12 => {
                    for other in [own.to_uppercase(), own.to_lowercase()] {
                        if other != own && !other.contains('\\') {
                            made.push((format!("{before}{other}{after}"), 3.0));
                        }
                    }
                }
                ExprKind::Literal(Literal::Integer(Some(value))) if (0..1000).contains(value) => {
                    for other in [value + 1, value - 1] {
                        if own.bytes().all(|byte| byte.is_ascii_digit()) && other >= 0 {
                            made.push((format!("{before}{other}{after}"), 3.6));
                        }
                    }
                }
                ExprKind::Name(name) if !names.contains(name) => names.push(name),
                _ => {}
            }
        }
        for (place, left) in names.iter().enumerate().take(3) {
            for right in names.iter().skip(place + 1).take(3) {
                let kind = |name: &str| self.program.kind_of_name(function, name);
                if kind(left) == kind(right) {
                    made.push((exchanged(text, left, right), 3.2));
                }
            }
        }
        made
    }

    /// The first values of variables, as statements that give them anew. Only where the declaration itself cannot stand
    /// a second time.
    pub(super) fn first_values(&self, function: Option<FunctionId>) -> Vec<(String, f64)> {
        let mut made: Vec<(String, f64)> = Vec::new();
        if !self.program.words.braces || function.is_none() {
            return made;
        }
        let end = self.program.words.end;
        for (_, stmt) in self.unit.stmts().filter(|(_, stmt)| stmt.function == function) {
            let StmtKind::Assign { targets, operator: None, value: Some(value), .. } = &stmt.kind else {
                continue;
            };
            let [target] = targets.as_slice() else { continue };
            let (Some(name), text) = (self.unit.name_of(*target), self.program.text(*value)) else {
                continue;
            };
            let statement = format!("{name} = {text}{end}");
            let declared =
                self.unit.text(stmt.span).trim_end_matches(';').len() > name.len() + text.len() + 3;
            if declared && text.len() < 40 && !text.contains('\n') && made.len() < 10 {
                made.push((statement, 4.0));
            }
        }
        made
    }

    /// A variable that begins with a number of its own where the first element, or the least that there is, was meant.
    pub(super) fn begins_with(&mut self, kind: &StmtKind<'_>, function: Option<FunctionId>) {
        let StmtKind::Assign { operator: None, value: Some(value), .. } = kind else { return };
        let number = match self.unit.kind(*value) {
            ExprKind::Literal(Literal::Integer(_) | Literal::Float(_)) => true,
            ExprKind::Unary { operator: Operator::Negate, operand } => {
                matches!(self.unit.kind(*operand), ExprKind::Literal(_))
            }
            _ => false,
        };
        if !number {
            return;
        }
        let language = self.unit.dialect.language();
        let bounds: &[&str] = match language {
            Language::Python => &["float('-inf')", "float('inf')"],
            Language::JavaScript | Language::TypeScript => &["-Infinity", "Infinity"],
            Language::Java => &["Integer.MIN_VALUE", "Integer.MAX_VALUE"],
            Language::C | Language::Cpp => &["INT_MIN", "INT_MAX"],
            Language::Rust => &["i32::MIN", "i32::MAX", "i64::MIN", "i64::MAX"],
            _ => &[],
        };
        for bound in bounds {
            self.replace(*value, bound, false, 3.1, "first-value");
        }
        if self.program.words.dynamic {
            return;
        }
        for name in self.program.variables(function).to_vec() {
            if self.program.kind_of_name(function, name) == Some(Kind::List) {
                let first = match language {
                    Language::Java if !self.is_array(function, name) => format!("{name}.get(0)"),
                    _ => format!("{name}[0]"),
                };
                self.replace(*value, &first, false, 2.7, "first-value");
            }
        }
    }

    /// What is put at the end of something and was meant for its beginning.
    pub(super) fn put_in_front(&mut self, id: ExprId, callee: ExprId, plain: &[ExprId]) {
        let (ExprKind::Attribute { base, name, .. }, [only]) = (self.unit.kind(callee), plain) else {
            return;
        };
        let (list, value) = (self.program.text(*base), self.program.text(*only));
        let text = match (self.unit.dialect.language(), *name) {
            (Language::Java, "append") => format!("{list}.insert(0, {value})"),
            (Language::Java, "add") => format!("{list}.add(0, {value})"),
            (Language::Cpp, "push_back") => format!("{list}.insert({list}.begin(), {value})"),
            (Language::Rust, "push") => format!("{list}.insert(0, {value})"),
            _ => return,
        };
        self.propose(self.unit.expr(id).span, &text, 2.5, "twin");
    }

    /// `text += piece` that was meant to put the piece in front.
    pub(super) fn joined_in_front(&mut self, kind: &StmtKind<'_>, span: formicary_syntax::Span) {
        let StmtKind::Assign { targets, operator: Some(Operator::Add), value: Some(value), .. } = kind else {
            return;
        };
        let [target] = targets.as_slice() else { return };
        let words = matches!(
            self.unit.dialect.language(),
            Language::Python | Language::Java | Language::JavaScript | Language::TypeScript | Language::Cpp
        );
        if words && matches!(self.program.kind_of(*target), Some(Kind::Text | Kind::List)) {
            let (name, piece) = (self.program.text(*target), self.program.part(*value));
            let end = if self.unit.text(span).ends_with(';') { ";" } else { "" };
            self.propose(span, &format!("{name} = {piece} + {name}{end}"), 2.6, "operands-swapped");
        }
    }
}

/// A text with two names exchanged, wherever they stand as words.
fn exchanged(text: &str, left: &str, right: &str) -> String {
    let mut made = String::new();
    let mut word = String::new();
    let close = |word: &mut String, made: &mut String| {
        made.push_str(if word == left {
            right
        } else if word == right {
            left
        } else {
            word
        });
        word.clear();
    };
    for letter in text.chars() {
        if letter.is_alphanumeric() || letter == '_' {
            word.push(letter);
        } else {
            close(&mut word, &mut made);
            made.push(letter);
        }
    }
    close(&mut word, &mut made);
    made
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_are_exchanged_as_words() {
        assert_eq!(super::exchanged("a + ab <= b", "a", "b"), "b + ab <= a");
        assert_eq!(super::exchanged("f(x[i], y)", "x", "y"), "f(y[i], x)");
    }
}
