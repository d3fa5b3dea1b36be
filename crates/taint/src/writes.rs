//! Assignments: to names, fields, entries and patterns, and the objects behind them.

use super::engine::{Engine, MOST_OBJECTS};
use super::value::{Consts, Key, Object, ObjectId, Taint, Value};
use formicary_model::Language;
use formicary_syntax::expression::ItemKey;
use formicary_syntax::{ExprId, ExprKind, Span};
use std::rc::Rc;

impl<'a> Engine<'_, '_, 'a> {
    /// Gives the parts of a parameter that is written as a pattern: `{ a }`, `Query(a)`.
    pub(super) fn take_apart(&mut self, pattern: ExprId, value: Value) {
        match self.unit.kind(pattern) {
            ExprKind::Collection { .. } => self.assign(pattern, value),
            _ => self.bind(pattern, &value),
        }
    }

    /// Writes a value to a target of any shape.
    pub(super) fn assign(&mut self, target: ExprId, value: Value) {
        let unit = self.unit;
        let span = unit.expr(target).span;
        match unit.kind(target) {
            ExprKind::Name(name) => self.assign_name(name, value, span),
            ExprKind::Attribute { base, name, .. } => {
                self.sink_of_write(*base, name, None, &value, span);
                let key = Key::Text((*name).into());
                self.write(*base, Some(key), value);
            }
            ExprKind::Subscript { base, index } => {
                let index = index.map(|index| self.eval(index)).unwrap_or_default();
                self.sink_of_write(*base, "[]=", Some(&index), &value, span);
                self.write(*base, Key::of(&index), value);
            }
            ExprKind::Collection { items, .. } => {
                let pairs: Vec<(Option<Key>, ExprId)> = items
                    .iter()
                    .enumerate()
                    .map(|(at, item)| {
                        let key = match &item.key {
                            Some(ItemKey::Name(name)) => Key::Text((*name).into()),
                            _ => Key::Int(at as i128),
                        };
                        (Some(key), item.value)
                    })
                    .collect();
                for (key, target) in pairs {
                    // Go's first result is the one that matters; the others say whether it went well.
                    if self.language == Language::Go && value.objects.is_empty() && key == Some(Key::Int(0)) {
                        self.assign(target, value.clone());
                        continue;
                    }
                    let mut part = self.member(&value, key.as_ref());
                    if let (Some(kind), Some(Key::Text(name))) = (&value.kind, &key) {
                        part.kind = Some(format!("{kind}.{name}").into());
                        let asked = super::models::Asked {
                            of_something: true,
                            kind: Some(kind),
                            name: None,
                            imported: false,
                        };
                        if let Some(super::models::Does::Source(classes)) = self
                            .models
                            .find(name, asked)
                            .find(|does| matches!(does, super::models::Does::Source(_)))
                        {
                            let what = format!("`{kind}.{name}`");
                            part = self.foreign(unit.expr(target).span, what, classes);
                        }
                    }
                    self.assign(target, part);
                }
            }
            ExprKind::Assign { target, .. } => self.assign(*target, value),
            ExprKind::Spread(inner)
            | ExprKind::Unary { operand: inner, .. }
            | ExprKind::Cast { value: inner, .. } => {
                let inner = *inner;
                self.assign(inner, value);
            }
            ExprKind::Other(parts) => {
                for part in parts.clone() {
                    self.assign(part, Value::tainted(value.taint.clone()));
                }
            }
            _ => {}
        }
    }

    fn assign_name(&mut self, name: &'a str, mut value: Value, span: Span) {
        if !value.taint.is_empty() {
            self.secret(name, &value, span);
            value.taint.step(span, &format!("flows into `{name}`"));
        }
        // `x = data` without declaration in a method of Java means the field where no such variable is.
        let field = !self.state.vars.contains_key(name) && self.is_field(name);
        if field && let Some(this) = self.this() {
            self.write_value(&this, Some(Key::Text(name.into())), value);
            return;
        }
        self.state.vars.insert(name, value);
    }

    /// Puts something into an object.
    pub(super) fn write(&mut self, base: ExprId, key: Option<Key>, value: Value) {
        let mut holder = self.eval(base);
        if holder.objects.is_empty()
            && let Some(id) =
                self.make(base, Object { rest: Value::tainted(holder.taint.clone()), ..Object::default() })
        {
            // From here on it is known what is in it.
            holder.objects = vec![id];
            holder.taint = Taint::default();
            self.put_back(base, holder.clone());
        }
        self.write_value(&holder, key, value);
    }

    /// Gives the variable or field of an expression its value again, without any note of it.
    pub(super) fn put_back(&mut self, id: ExprId, value: Value) {
        let unit = self.unit;
        match unit.kind(id) {
            ExprKind::Name(name) => {
                self.state.vars.insert(name, value);
            }
            ExprKind::Attribute { base, name, .. } => {
                let holder = self.eval(*base);
                self.write_value(&holder, Some(Key::Text((*name).into())), value);
            }
            ExprKind::Subscript { base, index: Some(index) } => {
                let holder = self.eval(*base);
                let key = Key::of(&self.eval(*index));
                self.write_value(&holder, key, value);
            }
            ExprKind::Unary { operand, .. } => self.put_back(*operand, value),
            _ => {}
        }
    }

    pub(super) fn write_value(&mut self, holder: &Value, key: Option<Key>, value: Value) {
        let only = holder.objects.len() == 1;
        for id in &holder.objects {
            let Some(object) = self.state.object(*id) else { continue };
            match &key {
                Some(Key::Int(at)) if object.list.is_some() => {
                    let slot = usize::try_from(*at).ok();
                    let found = slot.and_then(|at| object.list.as_mut().and_then(|list| list.get_mut(at)));
                    match found {
                        Some(old) if only => *old = value.clone(),
                        Some(old) => *old = std::mem::take(old).join(&value),
                        None => {
                            object.rest.taint.absorb(&value.taint);
                        }
                    }
                }
                Some(key) if only => {
                    object.fields.insert(key.clone(), value.clone());
                }
                Some(key) => {
                    let old = object.fields.remove(key).unwrap_or_default();
                    object.fields.insert(key.clone(), old.join(&value));
                }
                None => {
                    object.blur();
                    object.rest = std::mem::take(&mut object.rest).join(&value);
                    for old in object.fields.values_mut() {
                        old.consts = Consts::Unknown;
                    }
                }
            }
        }
    }

    /// A new object for an expression.
    pub(super) fn make(&mut self, at: ExprId, object: Object) -> Option<ObjectId> {
        let next = self.objects.len() as ObjectId;
        if self.objects.len() > MOST_OBJECTS {
            self.cut = true;
            return None;
        }
        let id = *self.objects.entry((self.context, at.0)).or_insert(next);
        self.state.heap.insert(id, Rc::new(object));
        Some(id)
    }

    pub(super) fn this(&self) -> Option<Value> {
        self.state.vars.get("this").or_else(|| self.state.vars.get("self")).cloned()
    }

    fn is_field(&self, name: &str) -> bool {
        matches!(self.language, Language::Java | Language::Cpp)
            && self
                .frames
                .last()
                .and_then(|frame| frame.class)
                .is_some_and(|class| self.unit.class(class).fields.iter().any(|(field, _)| *field == name))
    }
}
