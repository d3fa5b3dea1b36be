//! Variables, attributes, calls and their arguments, taken for one another.

use super::Maker;
use formicary_diagnose::program::{Kind, Role, Types};
use formicary_model::Language;
use formicary_syntax::{CollectionKind, ExprId, ExprKind, FunctionId, Literal, StmtKind, Unit};

/// The types that declarations tell.
pub(super) fn declared_types(unit: &Unit<'_>, file: usize, types: &mut Types) {
    let name_of = |function: Option<FunctionId>| function.map_or("<module>", |id| unit.function(id).name);
    let mut note = |function: Option<FunctionId>, name: &str, annotation: &str| {
        let key = (format!("{file}:{}", name_of(function)), name.to_owned());
        types.entry(key).or_insert_with(|| vec![annotation.to_owned()]);
    };
    for (index, function) in unit.functions.iter().enumerate() {
        for parameter in &function.parameters {
            if let Some(annotation) = parameter.annotation {
                note(Some(FunctionId(index as u32)), parameter.name, annotation);
            }
        }
    }
    for (_, stmt) in unit.stmts() {
        let StmtKind::Assign { targets, annotation, value, operator: None, .. } = &stmt.kind else {
            continue;
        };
        let told = annotation.filter(|text| !matches!(*text, "auto" | "var" | "let" | "const"));
        let Some(told) = told.or_else(|| value.and_then(|value| first_value(unit, value))) else { continue };
        for name in targets.iter().filter_map(|target| unit.name_of(*target)) {
            note(stmt.function, name, told);
        }
    }
}

/// The type of what a variable is first given, where it is plain to see.
fn first_value(unit: &Unit<'_>, value: ExprId) -> Option<&'static str> {
    Some(match unit.kind(value) {
        ExprKind::Literal(Literal::Integer(_) | Literal::Float(_)) => "int",
        ExprKind::Literal(Literal::Text(_)) | ExprKind::Template(_) => "str",
        ExprKind::Literal(Literal::Boolean(_)) | ExprKind::Compare { .. } => "bool",
        ExprKind::Collection { kind: CollectionKind::List, .. } => "list",
        ExprKind::Collection { kind: CollectionKind::Dict | CollectionKind::Object, .. } => "dict",
        ExprKind::Attribute { name: "length", .. } => "int",
        ExprKind::Call { callee, .. } => match unit.last_name(*callee)? {
            "Set" | "set" => "set",
            "Map" | "dict" => "dict",
            "list" | "Array" => "list",
            _ => return None,
        },
        _ => return None,
    })
}

impl Maker<'_, '_> {
    pub(super) fn names(&mut self, id: ExprId) {
        self.variable_for_expression(id);
        match self.unit.kind(id).clone() {
            ExprKind::Name(name) => self.variable(id, name),
            ExprKind::Attribute { base, name, name_span, .. } => {
                self.twins(name, name_span, 1.2);
                self.attribute(id, base, name, name_span);
            }
            ExprKind::Call { callee, arguments, .. } => {
                if let ExprKind::Name(name) = self.unit.kind(callee) {
                    self.twins(name, self.unit.expr(callee).span, 1.2);
                    self.other_callee(callee, name, arguments.len());
                }
                let plain: Vec<ExprId> =
                    arguments.iter().filter(|argument| argument.name.is_none()).map(|a| a.value).collect();
                self.swapped_arguments(&plain);
                self.put_in_front(id, callee, &plain);
                self.keywords(id, callee, &plain, arguments.len());
            }
            _ => {}
        }
    }

    /// A variable where something longer stands; another place to write to.
    fn variable_for_expression(&mut self, id: ExprId) {
        let longer = matches!(
            self.unit.kind(id),
            ExprKind::Call { .. } | ExprKind::Subscript { .. } | ExprKind::Attribute { .. }
        );
        let function = self.unit.expr(id).function;
        match self.program.role(id) {
            Role::Value | Role::Argument | Role::Operand | Role::Index | Role::Iterable if longer => {
                let own = self.program.kind_of(id);
                for name in self.program.variables(function).to_vec() {
                    let kind = self.program.kind_of_name(function, name);
                    let cost = match (own, kind) {
                        (Some(a), Some(b)) if a == b => 2.6,
                        (Some(_), Some(_)) => continue,
                        _ => 3.5,
                    };
                    self.replace(id, name, false, cost, "variable");
                }
            }
            Role::Target => {
                let mut places: Vec<String> = Vec::new();
                for expr in &self.unit.expressions {
                    let text = self.unit.text(expr.span);
                    let place = matches!(expr.kind, ExprKind::Subscript { .. } | ExprKind::Attribute { .. });
                    if place
                        && expr.function == function
                        && text.len() < 40
                        && !text.contains([':', '('])
                        && places.len() < 8
                        && !places.iter().any(|known| known == text)
                    {
                        places.push(text.to_owned());
                    }
                }
                for place in places {
                    self.propose(self.unit.expr(id).span, &place, 2.9, "target");
                }
            }
            _ => {}
        }
    }

    fn twins(&mut self, name: &str, span: formicary_syntax::Span, cost: f64) {
        for family in self.program.words.twins.iter().filter(|family| family.contains(&name)) {
            for other in family.iter().filter(|other| **other != name) {
                let extra = if family.len() > 2 { 0.4 } else { 0.0 };
                self.propose(span, other, cost + extra, "twin");
            }
        }
    }

    fn variable(&mut self, id: ExprId, name: &str) {
        let role = self.program.role(id);
        if matches!(role, Role::Fixed | Role::Effect) {
            return;
        }
        let function = self.unit.expr(id).function;
        if role == Role::Callee {
            return;
        }
        let own = self.program.kind_of_name(function, name);
        for other in self.program.variables(function).to_vec() {
            if other == name {
                continue;
            }
            let kind = self.program.kind_of_name(function, other);
            let cost = match (own, kind) {
                (Some(a), Some(b)) if a == b && self.hold_others(function, name, other) => 1.9,
                (Some(a), Some(b)) if a == b => 1.2,
                (Some(Kind::Null), _) | (_, Some(Kind::Null)) | (None, _) | (_, None) => 1.9,
                _ => 3.2,
            };
            let cost = cost + if self.is_written(id) { 1.3 } else { 0.0 };
            self.propose(self.unit.expr(id).span, other, cost, "variable");
        }
        if role == Role::Value {
            self.or_else(id, name, own);
        }
        if role != Role::Target {
            // An element or an attribute of the same object where the whole was taken.
            if own == Some(Kind::Number) && matches!(role, Role::Value | Role::Argument) {
                for other in self.program.variables(function).to_vec() {
                    if self.program.kind_of_name(function, other) == Some(Kind::List) && other != name {
                        self.propose(self.unit.expr(id).span, &format!("{other}[{name}]"), 3.0, "element");
                        self.propose(self.unit.expr(id).span, &format!("len({other})"), 3.2, "element");
                    }
                }
            }
        }
    }

    /// Another object where there is none.
    fn or_else(&mut self, id: ExprId, name: &str, own: Option<Kind>) {
        if !matches!(own, None | Some(Kind::Null | Kind::Object | Kind::List | Kind::Text)) {
            return;
        }
        let function = self.unit.expr(id).function;
        for other in self.program.variables(function).to_vec() {
            let kind = self.program.kind_of_name(function, other);
            let alike = kind == own || kind == Some(Kind::Null) || own == Some(Kind::Null);
            if other == name || !alike {
                continue;
            }
            let text = match self.unit.dialect.language() {
                Language::Python => format!("{name} or {other}"),
                Language::JavaScript | Language::TypeScript => format!("{name} || {other}"),
                Language::Java if own == Some(Kind::Object) => format!("{name} != null ? {name} : {other}"),
                _ => return,
            };
            self.replace(id, &text, true, 2.9, "or-else");
        }
    }

    /// Whether a variable is what a statement writes to, or the list or map that it writes into.
    fn is_written(&self, id: ExprId) -> bool {
        match (self.program.role(id), self.program.parent(id)) {
            (Role::Target, _) => true,
            (Role::Base, Some(whole)) => {
                matches!(self.unit.kind(whole), ExprKind::Subscript { .. }) && self.is_written(whole)
            }
            _ => false,
        }
    }

    /// Whether two lists or maps were never seen with elements of the same kind.
    fn hold_others(&self, function: Option<FunctionId>, one: &str, other: &str) -> bool {
        let held = |name: &str| -> Vec<&String> {
            let types = self.program.types_of(function, name);
            types.into_iter().flatten().filter(|text| text.contains('[') && !text.contains("None")).collect()
        };
        let (one, other) = (held(one), held(other));
        !one.is_empty() && !other.is_empty() && !one.iter().any(|text| other.contains(text))
    }

    fn attribute(&mut self, id: ExprId, base: ExprId, name: &str, span: formicary_syntax::Span) {
        let function = self.unit.expr(id).function;
        let mut others: Vec<String> = Vec::new();
        if let Some(types) = self.unit.name_of(base).and_then(|base| self.program.types_of(function, base)) {
            for kind in types {
                others.extend(self.facts.attributes.get(kind).into_iter().flatten().cloned());
            }
        }
        // What the program itself says of other objects.
        let called = self.program.role(id) == Role::Callee;
        for (index, expr) in self.unit.expressions.iter().enumerate() {
            if let ExprKind::Attribute { name: other, .. } = &expr.kind
                && (self.program.role(ExprId(index as u32)) == Role::Callee) == called
                && others.len() < 14
            {
                others.push((*other).to_owned());
            }
        }
        for other in others {
            if other != name {
                self.propose(span, &other, 2.0, "attribute");
            }
        }
        if self.program.role(id) != Role::Callee && self.program.role(id) != Role::Fixed {
            let text = self.program.text(base).to_owned();
            self.replace(id, &text, false, 2.2, "attribute");
        }
    }

    fn other_callee(&mut self, callee: ExprId, name: &str, arguments: usize) {
        let span = self.unit.expr(callee).span;
        for function in &self.unit.functions {
            let fits = function.parameters.len() == arguments;
            if !function.lambda
                && fits
                && function.name != name
                && !function.name.is_empty()
                && !function.name.starts_with("test")
            {
                self.propose(span, function.name, 2.6, "call");
            }
        }
    }

    fn swapped_arguments(&mut self, plain: &[ExprId]) {
        for first in 0..plain.len().min(5) {
            for second in first + 1..plain.len().min(5) {
                let (a, b) = (self.unit.expr(plain[first]).span, self.unit.expr(plain[second]).span);
                let between = self.unit.text(formicary_syntax::Span { start: a.end, end: b.start });
                let text = format!("{}{between}{}", self.unit.text(b), self.unit.text(a));
                self.propose(a.to(b), &text, 1.3, "arguments-swapped");
            }
        }
    }

    /// Keywords and further arguments that change what a well-known function does.
    fn keywords(&mut self, id: ExprId, callee: ExprId, plain: &[ExprId], count: usize) {
        let Some(name) = self.unit.last_name(callee) else { return };
        let span = self.unit.expr(id).span;
        let text = self.program.text(id);
        let Some(inner) = text.strip_suffix(')') else { return };
        let comma = if count == 0 { "" } else { ", " };
        let function = self.unit.expr(id).function;
        match (self.unit.dialect, name) {
            (formicary_syntax::Dialect::Python, "sorted" | "sort" | "min" | "max") => {
                let has = |word: &str| text.contains(&format!("{word}="));
                if matches!(name, "sorted" | "sort") && !has("reverse") {
                    self.propose(span, &format!("{inner}{comma}reverse=True)"), 2.6, "keyword");
                }
                if !has("key") {
                    for key in ["len", "str", "abs", "lambda x: x[0]", "lambda x: x[1]", "lambda x: -x"] {
                        self.propose(span, &format!("{inner}{comma}key={key})"), 3.4, "keyword");
                    }
                }
            }
            (formicary_syntax::Dialect::Python, "range") if count == 1 => {
                let only = self.program.part(plain[0]);
                self.propose(span, &format!("range(1, {only})"), 1.6, "range");
                self.propose(span, &format!("range(1, {only} + 1)"), 1.7, "range");
                self.propose(span, &format!("range({only} - 1, -1, -1)"), 2.4, "range");
                for other in self.program.variables(function).to_vec() {
                    if self.program.kind_of_name(function, other) == Some(Kind::Number) {
                        self.propose(span, &format!("range({other}, {only})"), 2.4, "range");
                        self.propose(span, &format!("range({other} + 1, {only})"), 2.6, "range");
                    }
                }
            }
            (formicary_syntax::Dialect::Python, "insert") if count == 2 => {
                if let ExprKind::Attribute { base, .. } = self.unit.kind(callee) {
                    let (list, value) = (self.program.text(*base), self.program.text(plain[1]));
                    self.propose(span, &format!("{list}.append({value})"), 1.9, "twin");
                }
            }
            (formicary_syntax::Dialect::Python, "append") if count == 1 => {
                if let ExprKind::Attribute { base, .. } = self.unit.kind(callee) {
                    let (list, value) = (self.program.text(*base), self.program.text(plain[0]));
                    self.propose(span, &format!("{list}.insert(0, {value})"), 2.2, "twin");
                }
            }
            (formicary_syntax::Dialect::Python, "range") if count == 2 => {
                let (low, high) = (self.program.part(plain[0]), self.program.text(plain[1]));
                let from = match high.strip_suffix("+ 1") {
                    Some(whole) => whole.trim().to_owned(),
                    None => format!("{} - 1", self.program.part(plain[1])),
                };
                self.propose(span, &format!("range({from}, {low} - 1, -1)"), 2.4, "range");
                self.propose(span, &format!("{inner}, 2)"), 2.6, "range");
                self.propose(span, &format!("{inner}, -1)"), 2.6, "range");
                for other in self.program.variables(function).to_vec() {
                    if self.program.kind_of_name(function, other) == Some(Kind::Number) {
                        self.propose(span, &format!("{inner}, {other})"), 2.8, "range");
                    }
                }
            }
            (formicary_syntax::Dialect::Python, "split") if count == 0 => {
                self.propose(span, &format!("{inner}' ')"), 3.0, "keyword");
            }
            (formicary_syntax::Dialect::Python, "get") if count == 1 => {
                for value in ["0", "[]", "''", "1"] {
                    self.propose(span, &format!("{inner}, {value})"), 2.6, "keyword");
                }
            }
            (formicary_syntax::Dialect::Python, "round") if count == 1 => {
                for digits in ["2", "1", "0", "3"] {
                    self.propose(span, &format!("{inner}, {digits})"), 2.6, "keyword");
                }
            }
            (formicary_syntax::Dialect::Python, "int") if count == 1 => {
                self.propose(span, &format!("{inner}, 2)"), 2.8, "keyword");
            }
            (formicary_syntax::Dialect::Python, "pop") if count == 0 => {
                self.propose(span, &format!("{inner}0)"), 2.0, "keyword");
            }
            (formicary_syntax::Dialect::Python, "pop" | "split" | "strip" | "rstrip" | "lstrip")
                if count == 1 && !plain.is_empty() =>
            {
                self.propose(self.unit.expr(plain[0]).span, "", 2.0, "argument-dropped");
            }
            (formicary_syntax::Dialect::Python, "enumerate") if count == 1 => {
                self.propose(span, &format!("{inner}, 1)"), 2.2, "keyword");
            }
            (formicary_syntax::Dialect::JavaScript | formicary_syntax::Dialect::TypeScript, "sort")
                if count == 0 =>
            {
                self.propose(span, &format!("{inner}(a, b) => a - b)"), 1.8, "keyword");
                self.propose(span, &format!("{inner}(a, b) => b - a)"), 2.0, "keyword");
            }
            _ => {}
        }
        if count > 1 {
            // One argument less.
            if let Some(last) = plain.last() {
                let before = plain.get(plain.len().wrapping_sub(2));
                if let Some(before) = before {
                    let gone = formicary_syntax::Span {
                        start: self.unit.expr(*before).span.end,
                        end: self.unit.expr(*last).span.end,
                    };
                    self.propose(gone, "", 2.6, "argument-dropped");
                }
            }
        }
        let ExprKind::Call { arguments, .. } = self.unit.kind(id) else { return };
        for pair in arguments.windows(2) {
            if let Some(word) = pair[1].name {
                let gone = formicary_syntax::Span {
                    start: self.unit.expr(pair[0].value).span.end,
                    end: self.unit.expr(pair[1].value).span.end,
                };
                let _ = word;
                self.propose(gone, "", 2.4, "argument-dropped");
            }
        }
    }
}
