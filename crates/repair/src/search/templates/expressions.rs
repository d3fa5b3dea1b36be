//! Values that are one step beside the right one: one more, one less, a part of it, something around it.

use super::Maker;
use formicary_diagnose::program::{Kind, Role};
use formicary_model::Language;
use formicary_syntax::{CollectionKind, ExprId, ExprKind, Literal, Operator, Span};

impl Maker<'_, '_> {
    pub(super) fn expressions(&mut self, id: ExprId) {
        let role = self.program.role(id);
        if matches!(role, Role::Fixed | Role::Target | Role::Effect) {
            return;
        }
        if role != Role::Callee {
            self.beside(id);
            self.composed(id);
            self.parts(id);
            self.around(id);
            self.taken_from_elsewhere(id);
        }
        match self.unit.kind(id).clone() {
            ExprKind::Collection { kind: CollectionKind::List, items } if items.is_empty() => {
                self.empty_list(id)
            }
            ExprKind::Collection { kind, items } if items.len() > 1 && kind != CollectionKind::Object => {
                self.swapped_items(&items.iter().map(|item| item.value).collect::<Vec<_>>(), &items);
            }
            ExprKind::Subscript { base, index: Some(index) } => self.slices(id, base, index),
            ExprKind::Binary { operator: Operator::Add, right, .. } => self.one_more_term(id, right),
            ExprKind::Lambda(_) => self.sort_key(id),
            ExprKind::Literal(Literal::Null) => {
                for name in self.scope(id) {
                    self.replace(id, &name, false, 2.4, "nothing");
                }
                for value in ["0", "[]", "''", "True", "False"] {
                    if self.is_python() {
                        self.replace(id, value, false, 2.8, "nothing");
                    }
                }
            }
            _ => {}
        }
    }

    pub(super) fn is_python(&self) -> bool {
        self.unit.dialect.language() == Language::Python
    }

    /// The names in reach of an expression.
    pub(super) fn scope(&self, id: ExprId) -> Vec<String> {
        let function = self.unit.expr(id).function;
        self.program.variables(function).iter().map(|name| (*name).to_owned()).collect()
    }

    /// The names in reach that are of a kind, or that nobody knows.
    fn scope_of(&self, id: ExprId, kind: Kind) -> Vec<String> {
        let function = self.unit.expr(id).function;
        let fits = |name: &&&str| self.program.kind_of_name(function, name).is_none_or(|own| own == kind);
        self.program.variables(function).iter().filter(fits).map(|name| (*name).to_owned()).collect()
    }

    /// One more, one less, the same with another number.
    fn beside(&mut self, id: ExprId) {
        let kind = self.program.kind_of(id);
        let role = self.program.role(id);
        let literal = matches!(self.unit.kind(id), ExprKind::Literal(_) | ExprKind::Slice(_));
        if literal || matches!(role, Role::Base) || !matches!(kind, None | Some(Kind::Number)) {
            return;
        }
        let unknown = kind.is_none();
        if unknown && matches!(role, Role::Condition | Role::Iterable) {
            return;
        }
        let part = self.program.part(id);
        let simple = !self.program.is_composite(id);
        let base = match role {
            Role::Index | Role::Argument => 1.3,
            _ if simple => 1.6,
            _ => 1.8,
        } + if unknown { 0.8 } else { 0.0 };
        // A number at the end is changed itself.
        let ends_in_number = matches!(
            self.unit.kind(id),
            ExprKind::Binary { operator: Operator::Add | Operator::Subtract, right, .. }
                if matches!(self.unit.kind(*right), ExprKind::Literal(_))
        );
        if !ends_in_number {
            self.replace(id, &format!("{part} + 1"), true, base, "one-more");
            self.replace(id, &format!("{part} - 1"), true, base, "one-less");
        }
        if unknown {
            let function = self.unit.expr(id).function;
            for name in self.scope_of(id, Kind::Number) {
                if name != part && self.program.kind_of_name(function, &name) == Some(Kind::Number) {
                    self.replace(id, &format!("{part} + {name}"), true, 3.4, "arithmetic");
                    self.replace(id, &format!("{name} + {part}"), true, 3.4, "arithmetic");
                    self.replace(id, &format!("{part} - {name}"), true, 3.4, "arithmetic");
                }
            }
            return;
        }
        let halved = if self.is_python() { format!("{part} // 2") } else { format!("{part} / 2") };
        let squared = if self.is_python() { format!("{part} ** 2") } else { format!("{part} * {part}") };
        for (text, cost) in [
            (format!("-{part}"), 2.4),
            (format!("{part} * 2"), 3.0),
            (halved, 3.0),
            (squared, 3.0),
            (format!("1 - {part}"), 3.0),
            (format!("{part} + 2"), 3.4),
            (format!("{part} - 2"), 3.4),
            (format!("{part} % 2"), 3.6),
            (format!("{part} * 10"), 3.8),
        ] {
            self.replace(id, &text, true, cost, "arithmetic");
        }
        for name in self.scope_of(id, Kind::Number) {
            if name != part {
                for operator in ["+", "-", "*", "%"] {
                    let cost = if matches!(operator, "+" | "-") { 2.9 } else { 3.4 };
                    self.replace(id, &format!("{part} {operator} {name}"), true, cost, "arithmetic");
                }
                self.replace(id, &format!("{name} - {part}"), true, 3.2, "arithmetic");
                if self.is_python() {
                    self.replace(id, &format!("min({part}, {name})"), false, 3.2, "bound");
                    self.replace(id, &format!("max({part}, {name})"), false, 3.2, "bound");
                }
            }
        }
        if self.is_python() {
            self.replace(id, &format!("max({part}, 0)"), false, 3.4, "bound");
            self.replace(id, &format!("max({part}, 1)"), false, 3.6, "bound");
        } else {
            self.at_least(id, &part);
        }
    }

    /// Two variables in an operation where a number stands alone.
    fn composed(&mut self, id: ExprId) {
        let alone = matches!(
            self.unit.kind(id),
            ExprKind::Literal(Literal::Integer(_)) | ExprKind::Name(_) | ExprKind::Call { .. }
        );
        let role = self.program.role(id);
        if !alone
            || !matches!(role, Role::Value | Role::Argument)
            || self.program.kind_of(id) != Some(Kind::Number)
        {
            return;
        }
        let function = self.unit.expr(id).function;
        let names: Vec<String> = self
            .scope_of(id, Kind::Number)
            .into_iter()
            .filter(|name| self.program.kind_of_name(function, name) == Some(Kind::Number))
            .take(6)
            .collect();
        for left in &names {
            for right in names.iter().filter(|right| *right != left) {
                for operator in ["-", "%", "//", "/", "+", "*"] {
                    let commutes = matches!(operator, "+" | "*") && left > right;
                    if !commutes && (operator != "//" || self.is_python()) {
                        self.replace(id, &format!("{left} {operator} {right}"), true, 3.7, "composed");
                    }
                }
            }
        }
    }

    /// A sum of calls or elements with the next of them: `f(n - 1) + f(n - 2)` and `f(n - 3)`.
    fn one_more_term(&mut self, id: ExprId, last: ExprId) {
        let span = self.unit.expr(last).span;
        if !matches!(self.unit.kind(last), ExprKind::Call { .. } | ExprKind::Subscript { .. }) {
            return;
        }
        let number = self.unit.expressions.iter().rev().find_map(|expr| match expr.kind {
            ExprKind::Literal(Literal::Integer(Some(value))) if span.contains(expr.span) => {
                Some((expr.span, value))
            }
            _ => None,
        });
        let Some((place, value)) = number else { return };
        let (before, after) = (Span { end: place.start, ..span }, Span { start: place.end, ..span });
        let next = format!(
            "{} + {}{}{}",
            self.program.text(id),
            self.unit.text(before),
            value + 1,
            self.unit.text(after)
        );
        self.replace(id, &next, true, 3.3, "one-more-term");
    }

    /// A part where the whole stands.
    fn parts(&mut self, id: ExprId) {
        let parts: Vec<ExprId> = match self.unit.kind(id) {
            ExprKind::Binary { left, right, .. } => vec![*left, *right],
            ExprKind::Call { callee, arguments, .. } => {
                let mut parts: Vec<ExprId> = arguments.iter().map(|argument| argument.value).collect();
                if let ExprKind::Attribute { base, .. } = self.unit.kind(*callee) {
                    parts.push(*base);
                }
                parts
            }
            ExprKind::Subscript { base, .. } => vec![*base],
            ExprKind::Conditional { then, otherwise, .. } => vec![*then, *otherwise],
            _ => Vec::new(),
        };
        for part in parts.into_iter().take(4) {
            let text = self.program.text(part).to_owned();
            self.replace(id, &text, self.program.is_composite(part), 2.1, "part");
            // f(g(x)) with one call left out in the middle.
            let inner: Vec<ExprId> = match self.unit.kind(part) {
                ExprKind::Binary { left, right, .. } => vec![*left, *right],
                _ => Vec::new(),
            };
            for inner in inner {
                let text = self.program.text(inner).to_owned();
                self.replace(id, &text, self.program.is_composite(inner), 2.8, "part");
            }
        }
    }

    /// Something around it.
    fn around(&mut self, id: ExprId) {
        let role = self.program.role(id);
        if matches!(self.unit.kind(id), ExprKind::Slice(_)) || role == Role::Condition {
            return;
        }
        let kind = self.program.kind_of(id);
        let part = self.program.part(id);
        let whole = self.program.text(id);
        if role != Role::Base {
            for wrap in self.program.words.wraps {
                let fits = match (*wrap, kind) {
                    (_, None) => true,
                    ("set" | "sorted" | "reversed" | "sum" | "max" | "min" | "tuple" | "len", Some(kind)) => {
                        matches!(kind, Kind::List | Kind::Set | Kind::Map | Kind::Text)
                    }
                    ("list", Some(kind)) => matches!(kind, Kind::List | Kind::Set | Kind::Map | Kind::Text),
                    (
                        "abs" | "round" | "chr" | "Math.abs" | "Math.floor" | "Math.ceil" | "Math.round",
                        Some(kind),
                    ) => kind == Kind::Number,
                    ("ord", Some(kind)) => kind == Kind::Text,
                    ("int" | "float", Some(kind)) => matches!(kind, Kind::Text | Kind::Number),
                    _ => true,
                };
                if fits && !whole.starts_with(&format!("{wrap}(")) {
                    let inner = if wrap.starts_with('(') {
                        format!("{wrap} {part}")
                    } else {
                        format!("{wrap}({whole})")
                    };
                    self.replace(id, &inner, wrap.starts_with('('), 3.6, "wrapped");
                }
            }
        }
        let text_like = matches!(kind, None | Some(Kind::Text | Kind::List | Kind::Map));
        if text_like && role != Role::Callee {
            for method in self.program.words.methods {
                let fits = match (method.trim_end_matches("()"), kind) {
                    ("keys" | "values" | "items", Some(kind)) => kind == Kind::Map,
                    (
                        "lower" | "upper" | "strip" | "split" | "toLowerCase" | "toUpperCase" | "trim"
                        | "swapcase" | "capitalize" | "title",
                        Some(kind),
                    ) => kind == Kind::Text,
                    ("copy", Some(kind)) => matches!(kind, Kind::List | Kind::Map),
                    _ => true,
                };
                if fits {
                    self.replace(id, &format!("{part}.{method}"), false, 3.8, "method");
                }
            }
        }
        if matches!(kind, Some(Kind::List | Kind::Text)) && role != Role::Base && self.is_python() {
            for (slice, cost) in
                [("[1:]", 2.9), ("[:-1]", 2.9), ("[::-1]", 2.9), ("[:]", 3.2), ("[0]", 3.4), ("[-1]", 3.4)]
            {
                self.replace(id, &format!("{part}{slice}"), false, cost, "slice");
            }
            for name in self.scope_of(id, Kind::Number) {
                self.replace(id, &format!("{part}[{name}:]"), false, 3.2, "slice");
                self.replace(id, &format!("{part}[:{name}]"), false, 3.3, "slice");
                self.replace(id, &format!("{part}[{name} + 1:]"), false, 3.5, "slice");
            }
        }
        if matches!(kind, Some(Kind::List | Kind::Text)) && role != Role::Base && !self.is_python() {
            self.shorter(id);
        }
        if matches!(role, Role::Value | Role::Argument | Role::Iterable) {
            self.joined(id, kind, &part);
        }
        if self.is_python()
            && matches!(role, Role::Operand | Role::Argument)
            && matches!(self.unit.kind(id), ExprKind::Name(_))
        {
            self.replace(id, &format!("[{whole}]"), false, 3.1, "list");
        }
    }

    /// A sequence or a text with one more piece.
    fn joined(&mut self, id: ExprId, kind: Option<Kind>, part: &str) {
        if !self.is_python() {
            return;
        }
        for name in self.scope(id) {
            if name == part {
                continue;
            }
            let own = self.program.kind_of_name(self.unit.expr(id).function, &name);
            if kind == Some(Kind::Text) && own == Some(Kind::Number) {
                self.replace(id, &format!("{part} + str({name})"), true, 3.2, "joined");
            }
            match kind {
                Some(Kind::List) => {
                    self.replace(id, &format!("{part} + [{name}]"), true, 3.2, "joined");
                    self.replace(id, &format!("[{name}] + {part}"), true, 3.2, "joined");
                    if own == Some(Kind::List) || own.is_none() {
                        self.replace(id, &format!("{part} + {name}"), true, 3.0, "joined");
                        self.replace(id, &format!("{name} + {part}"), true, 3.1, "joined");
                    }
                }
                Some(Kind::Text) if own == Some(Kind::Text) || own.is_none() => {
                    self.replace(id, &format!("{part} + {name}"), true, 3.0, "joined");
                    self.replace(id, &format!("{name} + {part}"), true, 3.0, "joined");
                }
                None if own == Some(Kind::List) => {
                    self.replace(id, &format!("{name} + {part}"), true, 3.6, "joined");
                    self.replace(id, &format!("[{name}] + {part}"), true, 3.8, "joined");
                }
                Some(Kind::Set) if own == Some(Kind::Set) => {
                    self.replace(id, &format!("{part} | {name}"), true, 3.0, "joined");
                    self.replace(id, &format!("{part} & {name}"), true, 3.0, "joined");
                    self.replace(id, &format!("{part} - {name}"), true, 3.0, "joined");
                }
                _ => {}
            }
        }
        let inner = self.unit.kind(id);
        if kind == Some(Kind::List) && !matches!(inner, ExprKind::Collection { .. }) {
            self.replace(id, &format!("[{}]", self.program.text(id)), false, 3.4, "joined");
        }
    }

    fn empty_list(&mut self, id: ExprId) {
        if !self.is_python() {
            return;
        }
        self.replace(id, "[[]]", false, 2.2, "list");
        for name in self.scope(id) {
            self.replace(id, &format!("[{name}]"), false, 2.2, "list");
        }
        for value in ["[0]", "[1]", "None", "{}", "set()"] {
            self.replace(id, value, false, 2.8, "list");
        }
    }

    fn swapped_items(&mut self, values: &[ExprId], items: &[formicary_syntax::Item<'_>]) {
        if items.iter().any(|item| item.key.is_some()) || values.len() > 4 {
            return;
        }
        for pair in values.windows(2) {
            let (a, b) = (self.unit.expr(pair[0]).span, self.unit.expr(pair[1]).span);
            let between = self.unit.text(Span { start: a.end, end: b.start });
            let text = format!("{}{between}{}", self.unit.text(b), self.unit.text(a));
            self.propose(a.to(b), &text, 1.5, "items-swapped");
        }
    }

    /// Bounds of a slice left out, put in, moved.
    fn slices(&mut self, id: ExprId, base: ExprId, index: ExprId) {
        let before = self.program.text(base).to_owned();
        if let ExprKind::Subscript { base: inner, index: Some(first) } = self.unit.kind(base) {
            let (inner, first, second) =
                (self.program.text(*inner), self.program.text(*first), self.program.text(index));
            self.propose(
                self.unit.expr(id).span,
                &format!("{inner}[{second}][{first}]"),
                1.6,
                "indices-swapped",
            );
        }
        if !matches!(self.unit.kind(index), ExprKind::Slice(_)) {
            if self.is_python() && !matches!(self.program.role(id), Role::Target) {
                let index = self.program.text(index).to_owned();
                for (text, cost) in [
                    (format!("{index}:"), 2.4),
                    (format!(":{index}"), 2.4),
                    (format!("{index}:{index} + 1"), 3.6),
                ] {
                    self.replace(id, &format!("{before}[{text}]"), false, cost, "slice");
                }
                self.propose(self.unit.expr(id).span, &format!("{before}[-1]"), 1.8, "index");
                self.propose(self.unit.expr(id).span, &format!("{before}[0]"), 1.8, "index");
                self.propose(self.unit.expr(id).span, &format!("{before}[-{index}]"), 2.4, "index");
                self.propose(self.unit.expr(id).span, &format!("{before}[-{index} - 1]"), 2.8, "index");
            }
            return;
        }
        let text = self.program.text(index);
        let bounds: Vec<&str> = text.splitn(3, ':').collect();
        if bounds.len() < 2 || text.matches(':').count() > 2 {
            return;
        }
        let (low, high) = (bounds[0].trim(), bounds[1].trim());
        let step = bounds.get(2).map(|step| step.trim()).unwrap_or("");
        let write = |low: &str, high: &str, step: &str| {
            let tail = if step.is_empty() { String::new() } else { format!(":{step}") };
            format!("{before}[{low}:{high}{tail}]")
        };
        let shift = |bound: &str, by: &str| {
            if bound.is_empty() {
                by.trim_start_matches([' ', '+']).to_owned()
            } else {
                format!("{bound}{by}")
            }
        };
        let mut made = vec![
            (write("", high, step), 2.0),
            (write(low, "", step), 2.0),
            (write(high, low, step), 2.2),
            (write(&shift(low, " + 1"), high, step), 1.6),
            (write(low, &shift(high, " + 1"), step), 1.6),
            (
                write(
                    low,
                    &shift(high, " - 1").replace("- 1", if high.is_empty() { "-1" } else { "- 1" }),
                    step,
                ),
                1.6,
            ),
        ];
        if !low.is_empty() {
            made.push((write(&shift(low, " - 1"), high, step), 1.7));
            if !low.starts_with('-') && high.is_empty() {
                made.push((write("", &format!("-{low}"), step), 2.1));
                made.push((write(low, &format!("-{low}"), step), 2.4));
                made.push((write("", low, step), 1.8));
            }
        } else if !high.is_empty() {
            made.push((write(high, "", step), 1.8));
            if let Some(positive) = high.strip_prefix('-') {
                made.push((write(positive, "", step), 2.1));
                made.push((write(positive, high, step), 2.4));
            } else {
                made.push((write(&format!("-{high}"), "", step), 2.2));
            }
        }
        if step.is_empty() {
            made.push((write(low, high, "-1"), 2.4));
            made.push((write(low, high, "2"), 2.8));
        } else {
            made.push((write(low, high, ""), 2.0));
            made.push((write(low, high, &format!("-{step}")), 2.0));
        }
        for name in self.scope_of(id, Kind::Number) {
            made.push((write(&name, high, step), 2.4));
            made.push((write(low, &name, step), 2.4));
            made.push((write(&shift(&name, " + 1"), high, step), 2.9));
        }
        for (text, cost) in made {
            self.replace(id, &text, false, cost, "slice");
        }
    }

    /// Another expression of the same function in its place.
    fn taken_from_elsewhere(&mut self, id: ExprId) {
        let role = self.program.role(id);
        if !matches!(
            role,
            Role::Value | Role::Argument | Role::Operand | Role::Condition | Role::Iterable | Role::Index
        ) {
            return;
        }
        let (function, own) = (self.unit.expr(id).function, self.unit.expr(id).span);
        let kind = self.program.kind_of(id);
        let mut texts: Vec<(String, bool)> = Vec::new();
        for (index, expr) in self.unit.expressions.iter().enumerate() {
            let other = ExprId(index as u32);
            let there = self.program.role(other);
            let alike = matches!(
                expr.kind,
                ExprKind::Call { .. }
                    | ExprKind::Subscript { .. }
                    | ExprKind::Attribute { .. }
                    | ExprKind::Binary { .. }
                    | ExprKind::Compare { .. }
            );
            if expr.function != function
                || !alike
                || matches!(there, Role::Fixed | Role::Callee | Role::Effect)
                || own.contains(expr.span)
                || expr.span.contains(own)
            {
                continue;
            }
            let other_kind = self.program.kind_of(other);
            let fits = match (kind, other_kind) {
                (Some(a), Some(b)) => a == b,
                _ => (there == Role::Condition) == (role == Role::Condition),
            };
            let text = self.program.text(other);
            if fits
                && text.len() < 60
                && !text.contains('\n')
                && texts.len() < 24
                && !texts.iter().any(|(t, _)| t == text)
            {
                texts.push((text.to_owned(), self.program.is_composite(other)));
            }
        }
        let cost = if kind.is_some() { 3.0 } else { 3.5 };
        for (text, composite) in texts {
            self.replace(id, &text, composite, cost, "from-elsewhere");
        }
    }
}
