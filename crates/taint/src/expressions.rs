//! What an expression gives at the place where it stands.

use super::classes::Classes;
use super::constants;
use super::engine::Engine;
use super::models::{Asked, Does};
use super::names::is_number;
use super::value::{Const, Consts, Key, Label, Object, RECEIVER, Taint, Value};
use formicary_model::Language;
use formicary_syntax::expression::ItemKey;
use formicary_syntax::{CollectionKind, ExprId, ExprKind, Item, Operator, Part, Span};
use std::collections::BTreeMap;

impl<'a> Engine<'_, '_, 'a> {
    pub(super) fn eval(&mut self, id: ExprId) -> Value {
        self.deeper(|this| this.eval_inside(id))
    }

    fn eval_inside(&mut self, id: ExprId) -> Value {
        let unit = self.unit;
        let span = unit.expr(id).span;
        match unit.kind(id) {
            ExprKind::Name(name) => self.name(name, span),
            ExprKind::Literal(literal) => constants::literal(literal),
            ExprKind::Template(parts) => self.template(parts),
            ExprKind::Attribute { base, name, .. } => {
                let holder = self.eval(*base);
                self.attribute(&holder, unit.last_name(*base), name, span)
            }
            ExprKind::Subscript { base, index } => self.subscript(*base, *index),
            ExprKind::Call { callee, arguments, kind } => self.call(id, *callee, arguments, *kind),
            ExprKind::Binary { .. } => self.chain(id),
            ExprKind::Logical { operator, left, right } => self.logical(*operator, *left, *right),
            ExprKind::Compare { left, rest } => self.compare(*left, rest),
            ExprKind::Unary { operator, operand } => self.unary(*operator, *operand),
            ExprKind::Conditional { test, then, otherwise } => self.conditional(*test, *then, *otherwise),
            ExprKind::Lambda(function) => Value { function: Some(*function), ..Value::default() },
            ExprKind::Collection { kind, items } => self.collection(id, *kind, items),
            ExprKind::Comprehension { elements, clauses, .. } => {
                for clause in clauses {
                    let over = self.eval(clause.iterable);
                    let element = self.element(&over);
                    self.assign(clause.target, element);
                    for condition in &clause.conditions {
                        self.eval(*condition);
                        self.assume(*condition, true);
                    }
                }
                let mut rest = Value::default();
                for element in elements {
                    let value = self.eval(*element);
                    rest.taint.absorb(&self.state.deep(&value));
                }
                let taint = rest.taint.clone();
                match self.make(id, Object { rest, ..Object::default() }) {
                    Some(object) => Value { objects: vec![object], ..Value::default() },
                    None => Value::tainted(taint),
                }
            }
            ExprKind::Assign { target, operator, value } => {
                let mut value = self.eval(*value);
                if let Some(operator) = operator {
                    let current = self.eval(*target);
                    value = self.binary(*operator, &current, &value);
                }
                self.assign(*target, value.clone());
                value
            }
            ExprKind::Update { target, increment } => {
                let current = self.eval(*target);
                let one = Value::constant(Const::Int(1));
                let operator = if *increment { Operator::Add } else { Operator::Subtract };
                let next = self.binary(operator, &current, &one);
                self.assign(*target, next);
                current
            }
            ExprKind::Await(inner) => self.eval(*inner),
            ExprKind::Spread(inner) => {
                let value = self.eval(*inner);
                let taint = self.state.deep(&value);
                Value { taint, ..Value::default() }
            }
            ExprKind::Yield(inner) => {
                let value = inner.map(|inner| self.eval(inner)).unwrap_or_default();
                let taint = self.state.deep(&value);
                if let Some(frame) = self.frames.last_mut() {
                    let result = frame.result.take().unwrap_or_default();
                    frame.result = Some(result.join(&Value::tainted(taint)));
                }
                Value::default()
            }
            ExprKind::Cast { value, to } => {
                let mut value = self.eval(*value);
                if is_number(to) && !matches!(self.language, Language::Python) {
                    value.taint.clear(Classes::FOREIGN);
                }
                value
            }
            ExprKind::Block(block) => {
                if self.language == Language::Java {
                    return self.yielding(|this| this.block(block));
                }
                self.block(block);
                std::mem::take(&mut self.last)
            }
            ExprKind::Statement(stmt) => {
                if self.language == Language::Java {
                    return self.yielding(|this| this.block(&[*stmt]));
                }
                self.block(&[*stmt]);
                std::mem::take(&mut self.last)
            }
            ExprKind::Slice(parts) | ExprKind::Other(parts) => {
                let mut taint = Taint::default();
                let mut only = None;
                for part in parts {
                    let value = self.eval(*part);
                    taint.absorb(&self.state.deep(&value));
                    only = Some(value);
                }
                match (parts.len(), only) {
                    (1, Some(value)) => value,
                    _ => Value::tainted(taint),
                }
            }
            ExprKind::Type(written) => Value::of_kind(written),
        }
    }

    /// Java's `switch` as a value: what it yields does not leave the function.
    fn yielding(&mut self, inside: impl FnOnce(&mut Self)) -> Value {
        let (returns, result) = match self.frames.last_mut() {
            Some(frame) => (frame.returns.take(), frame.result.take()),
            None => return Value::default(),
        };
        let answers = std::mem::replace(&mut self.answers, false);
        inside(self);
        self.answers = answers;
        let mut value = std::mem::take(&mut self.last);
        let Some(frame) = self.frames.last_mut() else { return value };
        let (own, yielded) = (frame.returns.take(), frame.result.take());
        frame.returns = returns;
        frame.result = result;
        if let Some(yielded) = yielded {
            value = if self.live { value.join(&yielded) } else { yielded };
        }
        self.merge(own);
        value
    }

    fn name(&mut self, name: &'a str, span: Span) -> Value {
        if let Some(value) = self.state.vars.get(name) {
            return value.clone();
        }
        if self.language == Language::Bash {
            return self.shell_name(name, span);
        }
        if let Some(class) = self.frames.last().and_then(|frame| frame.class)
            && matches!(self.language, Language::Java | Language::Cpp)
            && self.unit.class(class).fields.iter().any(|(field, _)| *field == name)
        {
            return self.field_of_this(name);
        }
        if let Some(value) = self.globals.get(name) {
            return value.clone();
        }
        if let Some(path) = self.names.imports.get(name) {
            return Value { kind: Some(path.clone()), ..Value::default() };
        }
        if let Some([only]) = self.names.functions.get(name).map(Vec::as_slice) {
            return Value { function: Some(*only), kind: Some(name.into()), ..Value::default() };
        }
        Value::of_kind(name)
    }

    fn shell_name(&mut self, name: &'a str, span: Span) -> Value {
        let positional = name.chars().all(|c| c.is_ascii_digit()) && name != "0" || matches!(name, "@" | "*");
        let request =
            name.starts_with("HTTP_") || matches!(name, "QUERY_STRING" | "PATH_INFO" | "REQUEST_URI");
        if positional && self.frames.len() > 1 {
            return Value::default();
        }
        if request {
            return self.foreign(span, format!("`${name}`"), Classes::FOREIGN);
        }
        if positional && !name.is_empty() {
            if let Some(place) = name.parse::<u16>().ok().filter(|_| self.in_function()) {
                return Value::tainted(Taint::of(Label::Param(place.saturating_sub(1))));
            }
            let value = self.foreign(span, format!("`${name}`"), Classes::LOCAL);
            // It is the same wherever it is read.
            self.state.vars.insert(name, value.clone());
            return value;
        }
        self.globals.get(name).cloned().unwrap_or_default()
    }

    pub(super) fn in_function(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.function.is_some())
    }

    fn field_of_this(&mut self, name: &'a str) -> Value {
        let this = self.this().unwrap_or_default();
        let span = Span { start: 0, end: 0 };
        self.attribute(&this, Some("this"), name, span)
    }

    /// `holder.name`.
    pub(super) fn attribute(
        &mut self,
        holder: &Value,
        called: Option<&str>,
        name: &str,
        span: Span,
    ) -> Value {
        if self.models.knows(name) {
            let asked =
                Asked { of_something: true, kind: holder.kind.as_deref(), name: called, imported: false };
            let source = self.models.find(name, asked).find_map(|does| match does {
                Does::Source(classes) => Some(classes),
                _ => None,
            });
            if let Some(classes) = source
                && span.end > 0
            {
                let what = format!("`{}`", short(self.unit.text(span)));
                let mut value = self.foreign(span, what, classes);
                value.kind = Some(name.into());
                return value;
            }
        }
        if matches!(name, "length" | "size" | "len") {
            return Value::default();
        }
        let key = Key::Text(name.into());
        let mut value = self.member(holder, Some(&key));
        let is_this = matches!(called, Some("this" | "self"));
        if is_this && let Some(class) = self.frames.last().and_then(|frame| frame.class) {
            // What a field is declared as, or always holds.
            let written = holder
                .objects
                .first()
                .and_then(|id| self.state.heap.get(id))
                .is_some_and(|object| object.fields.contains_key(&key));
            if !written && let Some(known) = self.fields.get(&(class, name)) {
                return known.clone();
            }
            let declared = self.unit.class(class).fields.iter().find(|(field, _)| *field == name);
            if let Some((_, Some(written))) = declared {
                self.annotate(&mut value, written);
            }
        }
        if value.kind.is_none() && value.function.is_none() {
            value.kind = match &holder.kind {
                Some(kind) if kind.len() < 80 && !is_this => Some(format!("{kind}.{name}").into()),
                _ => Some(name.into()),
            };
        }
        value
    }

    /// What is filed in a value under a key; everything that may be in it where the key is not known.
    pub(super) fn member(&mut self, holder: &Value, key: Option<&Key>) -> Value {
        let mut found: Option<Value> = None;
        for id in &holder.objects {
            let Some(object) = self.state.heap.get(id) else { continue };
            let part = match key {
                Some(Key::Int(at)) if object.list.is_some() => {
                    let list = object.list.as_deref().unwrap_or_default();
                    let at = if *at < 0 { *at + list.len() as i128 } else { *at };
                    usize::try_from(at).ok().and_then(|at| list.get(at)).cloned().unwrap_or_default()
                }
                Some(key) => match object.fields.get(key) {
                    Some(value) => {
                        let mut value = value.clone();
                        value.taint.absorb(&object.rest.taint);
                        value
                    }
                    None if object.list.is_some() => {
                        let mut value = object.rest.clone();
                        for element in object.list.iter().flatten() {
                            value.taint.absorb(&element.taint);
                        }
                        value
                    }
                    None => Value { consts: Consts::Unknown, ..object.rest.clone() },
                },
                None => {
                    let mut all = object.rest.clone();
                    all.consts = Consts::Unknown;
                    for value in object.list.iter().flatten().chain(object.fields.values()) {
                        all.taint.absorb(&value.taint);
                        all.objects.extend(value.objects.iter().take(2));
                    }
                    all.objects.truncate(4);
                    all
                }
            };
            found = Some(match found {
                Some(found) => found.join(&part),
                None => part,
            });
        }
        let mut value = found.unwrap_or_default();
        value.taint.absorb(&holder.taint);
        value
    }

    /// What a loop over a value gives.
    pub(super) fn element(&mut self, over: &Value) -> Value {
        let lists = over.objects.iter().filter_map(|id| self.state.heap.get(id)?.list.as_ref());
        let mut joined: Option<Value> = None;
        for value in lists.flatten() {
            joined = Some(match joined {
                Some(joined) => joined.join(value),
                None => value.clone(),
            });
        }
        let mut value = joined.unwrap_or_default();
        value.taint.absorb(&self.state.deep(over));
        if let [id] = over.objects.as_slice()
            && let Some(object) = self.state.heap.get(id)
            && value.objects.is_empty()
        {
            value.objects = object.rest.objects.clone();
        }
        value
    }

    fn subscript(&mut self, base: ExprId, index: Option<ExprId>) -> Value {
        let unit = self.unit;
        let holder = self.eval(base);
        let Some(index_id) = index else { return Value::tainted(self.state.deep(&holder)) };
        if let ExprKind::Slice(parts) = unit.kind(index_id) {
            for part in parts {
                self.eval(*part);
            }
            let objects = holder.objects.clone();
            for id in &objects {
                // A part of a list is a list of which no more is known.
                if let Some(object) = self.state.heap.get(id).cloned() {
                    let mut part = (*object).clone();
                    part.blur();
                    part.fields.clear();
                    if let Some(new) = self.make(index_id, part) {
                        return Value { objects: vec![new], taint: holder.taint.clone(), ..Value::default() };
                    }
                }
            }
            return Value { taint: holder.taint, ..Value::default() };
        }
        let index = self.eval(index_id);
        let key = Key::of(&index);
        if let (Some(text), Some(Key::Int(at))) = (holder.as_text(), &key) {
            return constants::index(&text, *at).map(Value::constant).unwrap_or_default();
        }
        // `f(x)["a"]` of foreign data, `process.env["A"]`.
        if let Some(Key::Text(name)) = &key {
            let asked = Asked {
                of_something: true,
                kind: holder.kind.as_deref(),
                name: unit.last_name(base),
                imported: false,
            };
            let source = self.models.find(name, asked).find_map(|does| match does {
                Does::Source(classes) => Some(classes),
                _ => None,
            });
            if let Some(classes) = source {
                let span = unit.expr(base).span.to(unit.expr(index_id).span);
                return self.foreign(span, format!("`{}`", short(unit.text(span))), classes);
            }
        }
        self.member(&holder, key.as_ref())
    }

    fn template(&mut self, parts: &[Part<'a>]) -> Value {
        let mut whole = Value::text("");
        for part in parts {
            let value = match part {
                Part::Text(text) => Value::text(text),
                Part::Value(value) => self.eval(*value),
            };
            whole = self.binary(Operator::Add, &whole, &value);
        }
        whole
    }

    /// `a + b + c …` without going down for every part.
    fn chain(&mut self, id: ExprId) -> Value {
        let unit = self.unit;
        let mut links = Vec::new();
        let mut at = id;
        while let ExprKind::Binary { operator, left, right } = unit.kind(at) {
            links.push((*operator, *right));
            at = *left;
        }
        let mut value = self.eval(at);
        for (operator, right) in links.into_iter().rev() {
            let right = self.eval(right);
            value = self.binary(operator, &value, &right);
        }
        value
    }

    pub(super) fn binary(&mut self, operator: Operator, left: &Value, right: &Value) -> Value {
        let mut taint = self.state.deep(left);
        taint.absorb(&self.state.deep(right));
        let consts = if taint.is_empty() {
            constants::fold(&left.consts, &right.consts, |a, b| constants::binary(operator, a, b))
        } else {
            Consts::Unknown
        };
        let prefix = match (&consts, operator) {
            (Consts::One(Const::Text(text)), _) => Some(text.clone()),
            (_, Operator::Add) => match (left.as_text(), &right.prefix, &left.prefix) {
                // The left is known in full: what is known of the right goes on.
                (Some(text), Some(more), _) if text.len() + more.len() < 400 => {
                    Some(format!("{text}{more}").into())
                }
                (Some(text), _, _) => Some(text),
                (None, _, prefix) => prefix.clone(),
            },
            // `"https://host/%s" % x`.
            (_, Operator::Modulo) => {
                left.prefix.as_ref().map(|text| text.split('%').next().unwrap_or("").into())
            }
            _ => None,
        };
        let kind = match operator {
            // `folder / name` of Python's paths.
            Operator::Divide => left.kind.clone(),
            _ => None,
        };
        // `list + list`.
        let objects =
            if operator == Operator::Add && taint.is_empty() { left.objects.clone() } else { Vec::new() };
        Value { taint, consts, prefix, objects, kind, ..Value::default() }
    }

    fn logical(&mut self, operator: Operator, left: ExprId, right: ExprId) -> Value {
        let first = self.eval(left);
        match (operator, first.truth()) {
            (Operator::And, Some(false)) | (Operator::Or, Some(true)) => return first,
            (Operator::And, Some(true)) | (Operator::Or, Some(false)) => return self.eval(right),
            (Operator::Coalesce, Some(_)) if first.one() != Some(&Const::Null) => return first,
            _ => {}
        }
        let before = self.state.clone();
        match operator {
            Operator::And => self.assume(left, true),
            Operator::Or => self.assume(left, false),
            _ => {}
        }
        let second = self.eval(right);
        // `cd x || exit`: the right side may not come back.
        let own = std::mem::replace(&mut self.state, before);
        if self.live {
            self.merge(Some(own));
        }
        self.live = true;
        // Of `a and b` nothing false is of interest as a value: it is `b`.
        if operator == Operator::And {
            return second;
        }
        first.join(&second)
    }

    fn compare(&mut self, left: ExprId, rest: &[(Operator, ExprId)]) -> Value {
        let first = self.eval(left);
        let mut before = first;
        let mut all = Some(true);
        for (operator, operand) in rest {
            let next = self.eval(*operand);
            let holds = match (before.one(), next.one()) {
                (Some(a), Some(b)) => constants::compare(*operator, a, b),
                _ => None,
            };
            all = match (all, holds) {
                (Some(true), Some(holds)) => Some(holds),
                (Some(false), _) => Some(false),
                _ => None,
            };
            before = next;
        }
        all.map(|truth| Value::constant(Const::Bool(truth))).unwrap_or_default()
    }

    fn unary(&mut self, operator: Operator, operand: ExprId) -> Value {
        let value = self.eval(operand);
        match operator {
            Operator::Not => {
                value.truth().map(|truth| Value::constant(Const::Bool(!truth))).unwrap_or_default()
            }
            Operator::Negate => match value.as_int() {
                Some(number) => Value::constant(Const::Int(number.saturating_neg())),
                None => Value { consts: Consts::Unknown, ..value },
            },
            Operator::TypeOf | Operator::SizeOf | Operator::Delete | Operator::Void => Value::default(),
            _ => value,
        }
    }

    fn conditional(&mut self, test: ExprId, then: ExprId, otherwise: ExprId) -> Value {
        match self.eval(test).truth() {
            Some(true) => self.eval(then),
            Some(false) => self.eval(otherwise),
            None => {
                let before = self.state.clone();
                self.assume(test, true);
                let mut first = self.eval(then);
                self.settle(&mut first);
                let after = std::mem::replace(&mut self.state, before);
                self.assume(test, false);
                let mut second = self.eval(otherwise);
                self.settle(&mut second);
                self.merge(Some(after));
                first.join(&second)
            }
        }
    }

    /// What tests have shown about a value stays with it when the way where they hold ends.
    fn settle(&self, value: &mut Value) {
        for mark in &mut value.taint.0 {
            mark.cleared = mark.cleared.or(self.state.shown_for(mark.label));
        }
        value.taint.clear(Classes::NONE);
    }

    fn collection(&mut self, id: ExprId, kind: CollectionKind, items: &[Item<'a>]) -> Value {
        let unit = self.unit;
        let mut object = Object { whole: true, ..Object::default() };
        let mut list = Vec::new();
        let mut fields: BTreeMap<Key, Value> = BTreeMap::new();
        let mut type_of = None;
        let mut exact = true;
        for item in items {
            if let Some(ItemKey::Name("")) = item.key {
                type_of = unit.last_name(item.value);
                continue;
            }
            let spread = matches!(unit.kind(item.value), ExprKind::Spread(_));
            let value = self.eval(item.value);
            if spread {
                exact = false;
                object.rest.taint.absorb(&value.taint);
                continue;
            }
            match &item.key {
                Some(ItemKey::Name(name)) => {
                    fields.insert(Key::Text((*name).into()), value);
                }
                Some(ItemKey::Value(key)) => {
                    // Go's struct literals name their fields.
                    let key = match (unit.name_of(*key), self.language, kind) {
                        (Some(name), Language::Go, CollectionKind::Object) => Some(Key::Text(name.into())),
                        _ => Key::of(&self.eval(*key)),
                    };
                    match key {
                        Some(key) => {
                            fields.insert(key, value);
                        }
                        None => {
                            object.rest.taint.absorb(&self.state.deep(&value));
                        }
                    }
                }
                None => list.push(value),
            }
        }
        if exact && fields.is_empty() && !matches!(kind, CollectionKind::Dict | CollectionKind::Object) {
            object.list = Some(list);
        } else {
            for value in list {
                object.rest.taint.absorb(&self.state.deep(&value));
            }
        }
        object.fields = fields;
        let kind = type_of.map(Into::into);
        match self.make(id, object) {
            Some(made) => Value { objects: vec![made], kind, ..Value::default() },
            None => Value::default(),
        }
    }

    /// `this` of a function whose receiver is not known.
    pub(super) fn unknown_this(&mut self, kind: Option<&str>) -> Value {
        let taint = Taint::of(Label::Param(RECEIVER));
        let object = Object { rest: Value::tainted(taint), ..Object::default() };
        let id = self.objects.len() as u32;
        self.objects.insert((u32::MAX, 0), id);
        self.state.heap.insert(id, std::rc::Rc::new(object));
        Value { objects: vec![id], kind: kind.map(Into::into), ..Value::default() }
    }
}

/// The beginning of a text, for messages.
pub(super) fn short(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= 50 { line } else { line.chars().take(47).collect::<String>() + "…" }
}
