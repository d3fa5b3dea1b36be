//! Lists, texts and what is made of them: elements too many or too few, questions of comprehensions, elements where a
//! constant stands.

use super::Maker;
use formicary_diagnose::program::{Kind, Role, at};
use formicary_syntax::{Clause, CollectionKind, ExprId, ExprKind, Item, Literal, Span};

impl Maker<'_, '_> {
    pub(super) fn collections(&mut self, id: ExprId) {
        match self.unit.kind(id).clone() {
            ExprKind::Comprehension { clauses, .. } => {
                clauses.iter().for_each(|clause| self.comprehension(id, clause));
            }
            ExprKind::Collection { kind, items } if items.len() > 1 && items.len() < 40 => {
                self.items(id, kind, &items);
            }
            ExprKind::Literal(literal) => self.elements(id, &literal),
            ExprKind::Conditional { test, then, otherwise } => {
                let (then, otherwise) = (self.unit.expr(then).span, self.unit.expr(otherwise).span);
                if self.is_python() {
                    let text = format!(
                        "{} if {} else {}",
                        self.unit.text(otherwise),
                        self.program.text(test),
                        self.unit.text(then)
                    );
                    self.replace(id, &text, true, 1.4, "branches-swapped");
                } else {
                    let between = self.unit.text(Span { start: then.end, end: otherwise.start });
                    let text = format!("{}{between}{}", self.unit.text(otherwise), self.unit.text(then));
                    self.propose(then.to(otherwise), &text, 1.4, "branches-swapped");
                }
            }
            _ => {}
        }
    }

    /// Its questions left out, or one put in.
    fn comprehension(&mut self, id: ExprId, clause: &Clause) {
        let mut end = self.unit.expr(clause.iterable).span.end;
        for condition in &clause.conditions {
            let own = self.unit.expr(*condition).span;
            self.propose(Span { start: end, end: own.end }, "", 2.2, "condition");
            end = own.end;
        }
        let function = self.unit.expr(id).function;
        let targets: Vec<&str> = match self.unit.kind(clause.target) {
            ExprKind::Name(name) => vec![*name],
            ExprKind::Collection { items, .. } => {
                items.iter().filter_map(|item| self.unit.name_of(item.value)).collect()
            }
            _ => Vec::new(),
        };
        let mut questions: Vec<(String, f64)> = Vec::new();
        for name in targets.iter().take(3) {
            for question in
                ["> 0", "% 2 == 0", "% 2 == 1", "< 0", "!= 0", "is not None", ">= 0", "> 1", "!= ''"]
            {
                questions.push((format!("{name} {question}"), 3.1));
            }
            questions.push(((*name).to_owned(), 3.0));
            questions.push((format!("not {name}"), 3.2));
            for kind in ["int", "str", "float"] {
                questions.push((format!("isinstance({name}, {kind})"), 3.3));
            }
            for method in ["isalpha", "isdigit", "isalnum", "isupper", "islower", "isspace"] {
                questions.push((format!("{name}.{method}()"), 3.3));
                questions.push((format!("not {name}.{method}()"), 3.5));
            }
            for other in
                self.program.variables(function).iter().take(8).filter(|other| !targets.contains(other))
            {
                let holds = matches!(
                    self.program.kind_of_name(function, other),
                    Some(Kind::List | Kind::Text | Kind::Set | Kind::Map)
                );
                let words: &[&str] =
                    if holds { &["in", "not in"] } else { &["!=", "<", ">", "==", "<=", ">="] };
                for word in words {
                    questions.push((format!("{name} {word} {other}"), 3.2));
                }
            }
        }
        if let [first, second] = targets.as_slice() {
            for word in ["==", "!=", "<", ">"] {
                questions.push((format!("{first} {word} {second}"), 3.2));
            }
        }
        for (question, cost) in questions {
            if clause.conditions.is_empty() {
                self.propose(at(end), &format!(" if {question}"), cost, "filtered");
            } else if !self
                .unit
                .text(Span { start: self.unit.expr(clause.iterable).span.end, end })
                .contains(" or ")
            {
                self.propose(at(end), &format!(" and {question}"), cost + 0.3, "filtered");
            }
        }
    }

    /// An element that should not be there, or a variable that should.
    fn items(&mut self, id: ExprId, kind: CollectionKind, items: &[Item<'_>]) {
        if self.program.role(id) == Role::Target {
            return;
        }
        let span = |item: &Item<'_>| {
            let value = self.unit.expr(item.value).span;
            match &item.key {
                Some(formicary_syntax::expression::ItemKey::Value(key)) => {
                    self.unit.expr(*key).span.to(value)
                }
                Some(_) => Span { start: value.end, end: value.start },
                None => value,
            }
        };
        let spans: Vec<Span> = items.iter().map(span).collect();
        if spans.iter().any(|span| span.start > span.end) {
            return;
        }
        for (place, own) in spans.iter().enumerate() {
            let gone = match spans.get(place + 1) {
                Some(next) => Span { start: own.start, end: next.start },
                None => Span { start: spans[place - 1].end, end: own.end },
            };
            self.propose(gone, "", 2.7, "item-dropped");
        }
        if matches!(kind, CollectionKind::Dict | CollectionKind::Object) || !self.program.words.dynamic {
            return;
        }
        if let (Some(last), true) = (spans.last().copied(), items.len() < 6) {
            for name in self.scope(id) {
                self.propose(at(last.end), &format!(", {name}"), 3.6, "item-added");
            }
        }
    }

    /// An element, the length or a text variable where a constant stands.
    fn elements(&mut self, id: ExprId, literal: &Literal<'_>) {
        let role = self.program.role(id);
        if matches!(role, Role::Fixed | Role::Target | Role::Effect | Role::Index) {
            return;
        }
        self.letters(id, literal);
        if !self.program.words.dynamic {
            self.lengths(id, literal);
            return;
        }
        let (number, text) = match literal {
            Literal::Integer(_) | Literal::Float(_) => (true, false),
            Literal::Text(_) => (false, true),
            Literal::Null => (false, false),
            _ => return,
        };
        let function = self.unit.expr(id).function;
        for name in self.program.variables(function).to_vec() {
            match self.program.kind_of_name(function, name) {
                Some(Kind::Text) if text => self.replace(id, name, false, 2.5, "constant"),
                Some(Kind::List) => {
                    self.replace(id, &format!("{name}[0]"), false, 2.7, "element");
                    if self.is_python() {
                        self.replace(id, &format!("{name}[-1]"), false, 3.0, "element");
                    }
                }
                _ => {}
            }
            let counted = matches!(
                self.program.kind_of_name(function, name),
                Some(Kind::List | Kind::Text | Kind::Set | Kind::Map)
            );
            if number && counted && self.is_python() {
                self.replace(id, &format!("len({name})"), false, 2.8, "length");
                self.replace(id, &format!("len({name}) - 1"), true, 3.2, "length");
            }
        }
    }

    /// The length of a list or a text where a number stands.
    fn lengths(&mut self, id: ExprId, literal: &Literal<'_>) {
        if !matches!(literal, Literal::Integer(_)) {
            return;
        }
        let function = self.unit.expr(id).function;
        for name in self.program.variables(function).to_vec() {
            if let Some(length) = self.length(function, name) {
                self.replace(id, &length, false, 3.0, "length");
            }
        }
    }

    /// A set of letters that misses one, or those of the other case.
    fn letters(&mut self, id: ExprId, literal: &Literal<'_>) {
        let word = self.program.text(id);
        let quote = word.chars().last();
        if let (Literal::Text(inside), Some(quote @ ('"' | '\''))) = (literal, quote)
            && (3..24).contains(&inside.len())
            && inside.bytes().all(|byte| byte.is_ascii_alphabetic())
            && word.len() == inside.len() + 2
        {
            let upper = inside.bytes().all(|byte| byte.is_ascii_uppercase());
            let both = if upper { inside.to_lowercase() } else { inside.to_uppercase() };
            if !inside.contains(&both) {
                self.replace(id, &format!("{quote}{inside}{both}{quote}"), false, 2.9, "text");
            }
            for letter in ('a'..='z').map(|c| if upper { c.to_ascii_uppercase() } else { c }) {
                if !inside.contains(letter) {
                    self.replace(id, &format!("{quote}{inside}{letter}{quote}"), false, 3.3, "text");
                }
            }
        }
    }
}
