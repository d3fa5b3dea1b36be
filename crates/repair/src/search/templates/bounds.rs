//! Questions that every language asks of its collections: is it empty, does it hold this, is this index inside. And what a
//! function may answer at once where such a question holds.

use super::Maker;
use formicary_diagnose::program::{Kind, Role};
use formicary_model::Language;
use formicary_syntax::{ExprId, ExprKind, FunctionId, StmtKind};

impl Maker<'_, '_> {
    /// Questions about the collections in reach, each with what it adds to the cost.
    pub(super) fn of_collections(&self, function: Option<FunctionId>, names: &[&str]) -> Vec<(String, f64)> {
        let language = self.unit.dialect.language();
        let kind = |name: &str| self.program.kind_of_name(function, name);
        let mut atoms: Vec<(String, f64)> = Vec::new();
        for name in names {
            let Some(own @ (Kind::List | Kind::Text | Kind::Map | Kind::Set)) = kind(name) else { continue };
            let array = self.is_array(function, name);
            let (empty, filled) = match language {
                Language::Java if array => (format!("{name}.length == 0"), format!("{name}.length > 0")),
                Language::Java => (format!("{name}.isEmpty()"), format!("!{name}.isEmpty()")),
                Language::JavaScript | Language::TypeScript => {
                    let word = if matches!(own, Kind::Map | Kind::Set) { "size" } else { "length" };
                    (format!("{name}.{word} === 0"), format!("{name}.{word} > 0"))
                }
                Language::Go => (format!("len({name}) == 0"), format!("len({name}) > 0")),
                Language::Cpp => (format!("{name}.empty()"), format!("!{name}.empty()")),
                Language::Rust => (format!("{name}.is_empty()"), format!("!{name}.is_empty()")),
                Language::Python => (format!("len({name}) < 2"), format!("len({name}) > 1")),
                _ => continue,
            };
            let cost = if language == Language::Python { 1.44 } else { 1.0 };
            atoms.extend([(empty, cost), (filled, cost + 0.2)]);
        }
        if language == Language::Python {
            return atoms;
        }
        for whole in names {
            let Some(held @ (Kind::List | Kind::Text | Kind::Map | Kind::Set)) = kind(whole) else {
                continue;
            };
            for element in names.iter().filter(|element| *element != whole) {
                let single = matches!(
                    kind(element),
                    None | Some(Kind::Number | Kind::Text | Kind::Object | Kind::Truth)
                );
                if let (true, Some(question)) = (single, self.holds(function, whole, held, element)) {
                    atoms.push((format!("!{question}"), 1.3));
                    atoms.push((question, 1.3));
                }
                if let (Some(Kind::Number), Some(length)) = (kind(element), self.length(function, whole)) {
                    atoms.push((format!("{element} < {length}"), 1.4));
                    atoms.push((format!("{element} >= {length}"), 1.5));
                }
            }
        }
        atoms.truncate(60);
        atoms
    }

    pub(super) fn is_array(&self, function: Option<FunctionId>, name: &str) -> bool {
        self.program
            .types_of(function, name)
            .is_some_and(|types| types.iter().any(|text| text.contains("[]")))
    }

    /// How a collection's length is written; nothing where it has none.
    pub(super) fn length(&self, function: Option<FunctionId>, whole: &str) -> Option<String> {
        let kind = self.program.kind_of_name(function, whole);
        if !matches!(kind, Some(Kind::List | Kind::Text)) {
            return None;
        }
        Some(match self.unit.dialect.language() {
            Language::Python | Language::Go => format!("len({whole})"),
            Language::Java if self.is_array(function, whole) => format!("{whole}.length"),
            Language::Java if kind == Some(Kind::List) => format!("{whole}.size()"),
            Language::Java => format!("{whole}.length()"),
            Language::JavaScript | Language::TypeScript => format!("{whole}.length"),
            Language::Cpp => format!("(int){whole}.size()"),
            Language::Rust => format!("{whole}.len()"),
            _ => return None,
        })
    }

    fn holds(&self, function: Option<FunctionId>, whole: &str, held: Kind, element: &str) -> Option<String> {
        Some(match (self.unit.dialect.language(), held) {
            (Language::Java, Kind::Map) => format!("{whole}.containsKey({element})"),
            (Language::Java, Kind::List | Kind::Set) if !self.is_array(function, whole) => {
                format!("{whole}.contains({element})")
            }
            (Language::JavaScript | Language::TypeScript, Kind::Set | Kind::Map) => {
                format!("{whole}.has({element})")
            }
            (Language::JavaScript | Language::TypeScript, Kind::List | Kind::Text) => {
                format!("{whole}.includes({element})")
            }
            (Language::Cpp, Kind::Set | Kind::Map) => format!("{whole}.count({element})"),
            (Language::Go, Kind::Map) => format!("{whole}[{element}]"),
            (Language::Rust, Kind::List | Kind::Set) => format!("{whole}.contains(&{element})"),
            (Language::Rust, Kind::Map) => format!("{whole}.contains_key(&{element})"),
            _ => return None,
        })
    }

    /// A question that takes an element asks first whether there is one.
    pub(super) fn index_inside(&mut self, id: ExprId) {
        let (span, function) = (self.unit.expr(id).span, self.unit.expr(id).function);
        let mut guards: Vec<(String, f64)> = Vec::new();
        for expr in &self.unit.expressions {
            let ExprKind::Subscript { base, index: Some(index) } = &expr.kind else { continue };
            let slice = matches!(self.unit.kind(*index), ExprKind::Slice(_) | ExprKind::Literal(_));
            let text = self.program.text(*index);
            if !span.contains(expr.span) || slice || text.len() > 20 {
                continue;
            }
            let base = self.program.text(*base);
            guards.extend(self.length(function, base).map(|length| (format!("{text} < {length}"), 3.0)));
            for name in self.program.variables(function).iter().take(8) {
                let number = self.program.kind_of_name(function, name) == Some(Kind::Number);
                if number && !text.contains(*name) {
                    guards.push((format!("{text} < {name}"), 3.4));
                }
            }
            if text.contains('-') || self.unit.name_of(*index).is_some() {
                guards.push((format!("{text} >= 0"), 3.1));
            }
        }
        let whole = self.program.text(id);
        let wide =
            matches!(self.unit.kind(id), ExprKind::Logical { operator: formicary_syntax::Operator::Or, .. });
        let inner = if wide { format!("({whole})") } else { whole.to_owned() };
        for (guard, cost) in guards {
            if !whole.contains(&guard) {
                let text = format!("{guard} {} {inner}", self.program.words.and);
                self.replace(id, &text, true, cost, "inside");
            }
        }
    }

    /// What a function may answer early: what it answers elsewhere, its variables, the plain values of its type.
    pub(super) fn answers(&self, function: FunctionId) -> Vec<(String, f64)> {
        let own = Some(function);
        let language = self.unit.dialect.language();
        let mut answers: Vec<(String, f64)> = Vec::new();
        let mut add = |text: String, cost: f64| {
            if !answers.iter().any(|(known, _)| *known == text) {
                answers.push((text, cost));
            }
        };
        for (_, stmt) in self.unit.stmts().filter(|(_, stmt)| stmt.function == own) {
            if let StmtKind::Return(Some(value)) = stmt.kind {
                let text = self.program.text(value);
                let plain =
                    !text.contains(['\n', '(']) || matches!(self.unit.kind(value), ExprKind::Literal(_));
                if text.len() < 24 && plain {
                    add(text.to_owned(), 0.25);
                }
            }
        }
        let returns = self.unit.function(function).returns.unwrap_or("").trim();
        let typed = !returns.is_empty() && !matches!(language, Language::Python | Language::JavaScript);
        let kind = typed.then(|| formicary_diagnose::program::kind_of_type(returns));
        for name in self.program.variables(own).iter().take(6) {
            let fits = match (kind, self.program.kind_of_name(own, name)) {
                (Some(a), Some(b)) => a == b,
                _ => true,
            };
            if fits {
                add((*name).to_owned(), 0.3);
            }
        }
        let words = self.program.words;
        let of_kind = |wanted: Kind| kind.is_none_or(|own| own == wanted);
        if of_kind(Kind::Truth) {
            words.truth.iter().for_each(|truth| add((*truth).to_owned(), 0.4));
        }
        if language == Language::Python {
            ["0", "[]", "''", "None", "1", "[[]]", "-1"].iter().for_each(|text| add((*text).to_owned(), 0.4));
            return answers;
        }
        if of_kind(Kind::Number) {
            ["0", "1", "-1"].iter().for_each(|text| add((*text).to_owned(), 0.4));
        }
        if of_kind(Kind::Text) && typed {
            add(if language == Language::Rust { "String::new()" } else { "\"\"" }.into(), 0.4);
        }
        match (language, kind) {
            (Language::Java, Some(Kind::List)) if returns.ends_with("[]") => {
                // Only the first length of several is given.
                let further = "[]".repeat(returns.matches("[]").count() - 1);
                add(format!("new {}[0]{further}", returns.replace("[]", "")), 0.4);
            }
            (Language::Java, Some(Kind::List)) => add("new java.util.ArrayList<>()".into(), 0.4),
            (Language::Go, Some(Kind::List)) => {
                add(format!("{returns}{{}}"), 0.4);
                add("nil".into(), 0.5);
            }
            (Language::Cpp, Some(Kind::List | Kind::Map | Kind::Set)) => add("{}".into(), 0.4),
            (Language::Rust, Some(Kind::List)) => add("Vec::new()".into(), 0.4),
            (Language::JavaScript, _) => {
                add("[]".into(), 0.4);
                add("''".into(), 0.4);
            }
            _ => {}
        }
        if kind.is_none_or(|own| matches!(own, Kind::Object | Kind::Null))
            && let Some(null) = words.null
        {
            add(null.to_owned(), 0.5);
        }
        answers
    }

    /// `==` on objects that have an `equals` of their own.
    pub(super) fn by_value(&mut self, id: ExprId) {
        if self.unit.dialect.language() != Language::Java {
            return;
        }
        let ExprKind::Compare { left, rest } = self.unit.kind(id).clone() else { return };
        let [(operator, right)] = rest.as_slice() else { return };
        let plain = |id: ExprId| {
            matches!(self.program.kind_of(id), Some(Kind::Truth | Kind::Null))
                || matches!(self.unit.kind(id), ExprKind::Literal(_))
                    && self.program.kind_of(id) != Some(Kind::Text)
        };
        if plain(left) || plain(*right) || self.program.role(id) == Role::Fixed {
            return;
        }
        let text = format!("{}.equals({})", self.program.part(left), self.program.text(*right));
        match operator {
            formicary_syntax::Operator::Equal => self.replace(id, &text, false, 1.9, "by-value"),
            formicary_syntax::Operator::NotEqual => {
                self.replace(id, &format!("!{text}"), true, 1.9, "by-value")
            }
            _ => {}
        }
    }

    /// A number that was meant not to fall below nothing, or to stay beside another.
    pub(super) fn at_least(&mut self, id: ExprId, part: &str) {
        let write = |better: &str, other: &str| match self.unit.dialect.language() {
            Language::Java | Language::JavaScript | Language::TypeScript => {
                Some(format!("Math.{better}({other}, {})", bare(part)))
            }
            Language::Cpp => Some(format!("{better}({other}, {})", bare(part))),
            Language::Rust => Some(format!("{part}.{better}({other})")),
            _ => None,
        };
        let function = self.unit.expr(id).function;
        let mut made: Vec<(String, f64)> = write("max", "0").map(|text| (text, 3.2)).into_iter().collect();
        for name in self.program.variables(function).iter().take(6).filter(|name| **name != part) {
            if self.program.kind_of_name(function, name) == Some(Kind::Number) {
                made.extend(write("max", name).map(|text| (text, 3.3)));
                made.extend(write("min", name).map(|text| (text, 3.3)));
            }
        }
        for (text, cost) in made {
            self.replace(id, &text, false, cost, "bound");
        }
    }

    /// A list without its first elements, or with its first alone.
    pub(super) fn shorter(&mut self, id: ExprId) {
        let Some(name) = self.unit.name_of(id) else { return };
        let function = self.unit.expr(id).function;
        let language = self.unit.dialect.language();
        let text = self.program.kind_of(id) == Some(Kind::Text);
        let Some(length) = self.length(function, name) else { return };
        let mut starts: Vec<(&str, f64)> = vec![("1", 2.9)];
        let numbers = self.program.variables(function).iter().take(8);
        let is_number = |name: &&&str| self.program.kind_of_name(function, name) == Some(Kind::Number);
        starts.extend(numbers.filter(is_number).map(|name| (*name, 3.2)));
        let cut = |start: &str, end: Option<&str>| match language {
            Language::Java if self.is_array(function, name) => {
                Some(format!("Arrays.copyOfRange({name}, {start}, {})", end.unwrap_or(&length)))
            }
            Language::Java if text => Some(format!("{name}.substring({start}, {})", end.unwrap_or(&length))),
            Language::Java => Some(format!("{name}.subList({start}, {})", end.unwrap_or(&length))),
            Language::JavaScript | Language::TypeScript => Some(match end {
                Some(end) => format!("{name}.slice({start}, {end})"),
                None => format!("{name}.slice({start})"),
            }),
            Language::Go => Some(format!("{name}[{start}:{}]", end.unwrap_or(""))),
            Language::Cpp if text => Some(match end {
                Some(end) => format!("{name}.substr({start}, {end})"),
                None => format!("{name}.substr({start})"),
            }),
            _ => None,
        };
        let mut made: Vec<(String, f64)> = Vec::new();
        for (start, cost) in starts {
            made.extend(cut(start, None).map(|text| (text, cost)));
            if start != "1" {
                made.extend(cut("0", Some(start)).map(|text| (text, cost + 0.1)));
            }
        }
        made.extend(cut("0", Some(&format!("{length} - 1"))).map(|text| (text, 3.0)));
        for (text, cost) in made {
            self.replace(id, &text, false, cost, "slice");
        }
    }
}

/// A text without the parentheses around the whole of it.
fn bare(part: &str) -> &str {
    let inner = part.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    inner.filter(|inner| !inner.contains(['(', ')'])).unwrap_or(part)
}
