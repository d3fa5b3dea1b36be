//! Statements that were never there, made of what is in reach: a value brought into form, two values exchanged, a list
//! sorted; and `while` that stands as `if`.

use super::Maker;
use formicary_diagnose::program::{Kind, at};
use formicary_model::Language;
use formicary_syntax::{ExprKind, Span, StmtId, StmtKind};

impl Maker<'_, '_> {
    pub(super) fn missing(&mut self, id: StmtId, span: Span, indent: &str) {
        let stmt = self.unit.stmt(id);
        let Some(function) = stmt.function else { return };
        let line = self.program.line(span.start);
        let Some(score) = self.suspicion(line) else { return };
        self.repeated(&stmt.kind.clone(), span);
        let first = self.program.block_of(id).is_some_and(|(_, place)| place == 0)
            && self.program.around(id).is_none();
        let names: Vec<&str> = self.program.variables(stmt.function).to_vec();
        let parameters: Vec<&str> = self
            .unit
            .function(function)
            .parameters
            .iter()
            .map(|own| own.name)
            .filter(|name| !name.is_empty())
            .collect();
        for name in &names {
            // Only what the statement itself uses, or what the function was given.
            if !(self.mentions(span, name) || first && parameters.contains(name)) {
                continue;
            }
            let own = self.program.kind_of_name(stmt.function, name);
            for (text, cost) in self.brought_into_form(name, own) {
                let cost = cost + if first { 0.0 } else { 0.3 };
                self.propose_at(
                    at(span.start),
                    &format!("{text}\n{indent}"),
                    cost,
                    "normalised",
                    line,
                    score,
                );
            }
        }
        if first {
            self.exchanged(stmt.function, &parameters, span, indent, line, score);
        }
        if let StmtKind::Return(Some(value)) = stmt.kind
            && self.is_python()
            && self.program.text(value).len() < 60
        {
            self.either(value, stmt.function);
        }
    }

    fn mentions(&self, span: Span, name: &str) -> bool {
        let words = |c: char| !(c.is_alphanumeric() || c == '_');
        self.unit.text(span).split(words).any(|word| word == name)
    }

    /// `if` for `while`, and the other way.
    fn repeated(&mut self, kind: &StmtKind<'_>, span: Span) {
        let text = self.unit.text(span);
        let (old, new, cost) = match kind {
            StmtKind::If { otherwise, elif: false, .. } if otherwise.is_empty() => ("if", "while", 2.9),
            StmtKind::Loop { test: Some(_), iterable: None, update, .. }
                if update.is_empty() && text.starts_with("while") =>
            {
                ("while", "if", 3.1)
            }
            _ => return,
        };
        let new = if self.unit.dialect.language() == Language::Go && old == "if" { "for" } else { new };
        if text.starts_with(old) {
            let word = Span { start: span.start, end: span.start + old.len() as u32 };
            self.propose(word, new, cost, "repeated");
        }
    }

    /// Statements that give a variable the form that the rest expects.
    fn brought_into_form(&self, name: &str, kind: Option<Kind>) -> Vec<(String, f64)> {
        let forms: &[(&str, f64)] = match (self.unit.dialect.language(), kind) {
            (Language::Python, Some(Kind::Number)) => &[("N = abs(N)", 4.0), ("N = int(N)", 4.4)],
            (Language::Python, Some(Kind::Text)) => &[
                ("N = N.lower()", 4.0),
                ("N = N.strip()", 4.0),
                ("N = N.upper()", 4.2),
                ("N = N[::-1]", 4.4),
                ("N = N.replace(' ', '')", 4.4),
            ],
            (Language::Python, Some(Kind::List)) => &[
                ("N = sorted(N)", 4.0),
                ("N.sort()", 4.1),
                ("N = list(N)", 4.2),
                ("N = N[::-1]", 4.3),
                ("N.reverse()", 4.3),
                ("N = list(set(N))", 4.5),
                ("N = sorted(set(N))", 4.5),
            ],
            (Language::JavaScript | Language::TypeScript, None | Some(Kind::Number)) => {
                &[("N = Math.abs(N);", 4.3), ("N = Math.floor(N);", 4.5)]
            }
            (Language::JavaScript | Language::TypeScript, Some(Kind::Text)) => {
                &[("N = N.toLowerCase();", 4.1), ("N = N.trim();", 4.1)]
            }
            (Language::JavaScript | Language::TypeScript, Some(Kind::List)) => &[
                ("N.sort((a, b) => a - b);", 4.0),
                ("N.sort();", 4.2),
                ("N.reverse();", 4.2),
                ("N.sort((a, b) => b - a);", 4.4),
            ],
            (Language::Java, Some(Kind::Number)) => &[("N = Math.abs(N);", 4.1)],
            (Language::Java, Some(Kind::Text)) => &[("N = N.toLowerCase();", 4.1), ("N = N.trim();", 4.1)],
            (Language::Java, Some(Kind::List)) => {
                &[("Collections.sort(N);", 4.1), ("Arrays.sort(N);", 4.1), ("Collections.reverse(N);", 4.2)]
            }
            (Language::Cpp, Some(Kind::Number)) => &[("N = abs(N);", 4.1)],
            (Language::Cpp, Some(Kind::List | Kind::Text)) => {
                &[("sort(N.begin(), N.end());", 4.0), ("reverse(N.begin(), N.end());", 4.1)]
            }
            (Language::C, Some(Kind::Number)) => &[("N = abs(N);", 4.1)],
            (Language::Go, Some(Kind::Number)) => &[("if N < 0 { N = -N };", 4.1)],
            (Language::Go, Some(Kind::List)) => {
                &[("sort.Ints(N);", 4.1), ("sort.Strings(N);", 4.2), ("sort.Float64s(N);", 4.3)]
            }
            (Language::Go, Some(Kind::Text)) => &[("N = strings.ToLower(N);", 4.1)],
            (Language::Rust, Some(Kind::Number)) => &[("let N = N.abs();", 4.2)],
            (Language::Rust, Some(Kind::List)) => {
                &[("N.sort();", 4.0), ("N.dedup();", 4.2), ("N.reverse();", 4.2)]
            }
            _ => &[],
        };
        forms.iter().map(|(form, cost)| (form.replace('N', name), *cost)).collect()
    }

    /// Two parameters exchanged where they come in the wrong order.
    fn exchanged(
        &mut self,
        function: Option<formicary_syntax::FunctionId>,
        parameters: &[&str],
        span: Span,
        indent: &str,
        line: u32,
        score: f64,
    ) {
        for (place, left) in parameters.iter().enumerate() {
            for right in &parameters[place + 1..] {
                let (a, b) =
                    (self.program.kind_of_name(function, left), self.program.kind_of_name(function, right));
                if a != b || !matches!(a, Some(Kind::Number | Kind::List | Kind::Text)) {
                    continue;
                }
                let sized = a != Some(Kind::Number);
                if !self.is_python() {
                    continue;
                }
                for word in [">", "<"] {
                    let question = if sized {
                        format!("len({left}) {word} len({right})")
                    } else {
                        format!("{left} {word} {right}")
                    };
                    let text =
                        format!("if {question}:\n{indent}    {left}, {right} = {right}, {left}\n{indent}");
                    self.propose_at(at(span.start), &text, 4.1, "exchanged", line, score);
                }
            }
        }
    }

    /// A returned value that is another where a question holds.
    fn either(&mut self, value: formicary_syntax::ExprId, function: Option<formicary_syntax::FunctionId>) {
        if matches!(self.unit.kind(value), ExprKind::Conditional { .. }) {
            return;
        }
        let kind = self.program.kind_of(value);
        let text = self.program.text(value).to_owned();
        let part = self.program.part(value);
        let mut others: Vec<String> = vec!["None".into()];
        match kind {
            Some(Kind::Number) => others.extend([format!("-{part}"), "0".into(), "-1".into(), "1".into()]),
            Some(Kind::Text) => others.push("''".into()),
            Some(Kind::List) => others.push("[]".into()),
            Some(Kind::Truth) => others.extend(["True".into(), "False".into()]),
            _ => others.extend(["0".into(), "-1".into(), "''".into(), "[]".into()]),
        }
        let questions: Vec<(String, f64)> =
            self.atoms(function).into_iter().filter(|(_, cost)| *cost <= 1.2).take(60).collect();
        for (question, cost) in questions {
            for other in &others {
                self.replace(
                    value,
                    &format!("{other} if {question} else {text}"),
                    true,
                    3.3 + cost,
                    "either",
                );
            }
        }
    }
}
