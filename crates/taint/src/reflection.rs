//! Names that are given as text, and functions that hold some of their arguments already: Python's `getattr`, `setattr`
//! and `functools.partial`.

use super::calls::{Given, Site};
use super::engine::Engine;
use super::value::{Key, Object, Value};
use formicary_model::Language;
use std::collections::BTreeMap;

/// An entry that only objects of `functools.partial` have.
const PARTIAL: &str = "partial()";

impl<'a> Engine<'_, '_, 'a> {
    /// `getattr(x, "a")` is `x.a`, `setattr(x, "a", y)` is `x.a = y`; `partial(f, x)` remembers what it was given.
    pub(super) fn reflected(&mut self, site: &Site<'_, 'a>) -> Option<Value> {
        if self.language != Language::Python {
            return None;
        }
        let plain = site.base.is_none() && !site.imported;
        match (site.word, site.given.as_slice()) {
            ("getattr", [(None, holder), (None, name), rest @ ..]) if plain => {
                let name = name.as_text()?;
                let called = site.expressions.first().and_then(|id| self.unit.last_name(*id));
                let value = self.attribute(holder, called, &name, site.span);
                Some(match rest.first() {
                    Some((_, otherwise)) => value.join(otherwise),
                    None => value,
                })
            }
            ("setattr", [_, (None, name), (None, value)]) if plain => {
                let key = Key::Text(name.as_text()?);
                self.write(*site.expressions.first()?, Some(key), value.clone());
                Some(Value::default())
            }
            ("partial", [(None, function), given @ ..]) if site.qualifier.as_deref() == Some("functools") => {
                let placed = given.iter().filter(|(name, _)| name.is_none());
                let list = placed.map(|(_, value)| value.clone()).collect();
                let named = given
                    .iter()
                    .filter_map(|(name, value)| Some((Key::Text((*name)?.into()), value.clone())));
                let mut fields: BTreeMap<Key, Value> = named.collect();
                fields.insert(Key::Text(PARTIAL.into()), Value::default());
                let object = Object { list: Some(list), fields, whole: true, ..Object::default() };
                let id = self.make(site.id, object)?;
                let (function, kind) = (function.function, function.kind.clone());
                Some(Value { objects: vec![id], function, kind, ..Value::default() })
            }
            _ => None,
        }
    }

    /// What a function made by `partial` was given before; none for every other value.
    pub(super) fn bound(&self, callee: &Value) -> Option<Given<'a>> {
        let [id] = callee.objects.as_slice() else { return None };
        let object = self.state.heap.get(id)?;
        let marker = Key::Text(PARTIAL.into());
        object.fields.get(&marker)?;
        let mut given: Given<'a> = object.list.iter().flatten().map(|value| (None, value.clone())).collect();
        let parameters = callee.function.map(|id| &self.unit.function(id).parameters);
        for (key, value) in object.fields.iter().filter(|(key, _)| **key != marker) {
            let Key::Text(key) = key else { continue };
            let named = parameters.and_then(|all| all.iter().find(|parameter| *parameter.name == **key));
            given.push((named.map(|parameter| parameter.name), value.clone()));
        }
        Some(given)
    }
}
