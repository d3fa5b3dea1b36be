//! What holds at a place, shared until somebody writes: at every branch the state is kept for the other way, and most ways
//! change little of it.

use super::value::{Consts, Value};
use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::rc::Rc;

/// A map that is copied when it is written while others hold it.
#[derive(Debug)]
pub(super) struct Shared<K, V>(Rc<FxHashMap<K, V>>);

impl<K, V> Clone for Shared<K, V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<K, V> Default for Shared<K, V> {
    fn default() -> Self {
        Self(Rc::default())
    }
}

impl<K: Eq + Hash + Clone, V: Clone> Shared<K, V> {
    /// Whether both are the very same.
    pub(super) fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    pub(super) fn get(&self, key: &K) -> Option<&V> {
        self.0.get(key)
    }

    pub(super) fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        // What is not there is no reason to copy.
        if self.0.contains_key(key) { Rc::make_mut(&mut self.0).get_mut(key) } else { None }
    }

    pub(super) fn insert(&mut self, key: K, value: V) {
        Rc::make_mut(&mut self.0).insert(key, value);
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.0.iter()
    }
}

/// Variables by name.
#[derive(Debug, Clone, Default)]
pub(super) struct Vars<'a>(Shared<&'a str, Rc<Value>>);

impl<'a> Vars<'a> {
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.0.0.get(name).map(Rc::as_ref)
    }

    pub(super) fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        if !self.contains_key(name) {
            return None;
        }
        Rc::make_mut(&mut self.0.0).get_mut(name).map(Rc::make_mut)
    }

    pub(super) fn contains_key(&self, name: &str) -> bool {
        self.0.0.contains_key(name)
    }

    pub(super) fn insert(&mut self, name: &'a str, value: Value) {
        self.0.insert(name, Rc::new(value));
    }

    pub(super) fn remove(&mut self, name: &str) {
        if self.contains_key(name) {
            Rc::make_mut(&mut self.0.0).remove(name);
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// All of them.
    pub(super) fn all(&self) -> impl Iterator<Item = (&'a str, &Value)> {
        self.0.iter().map(|(name, value)| (*name, value.as_ref()))
    }

    /// Takes over what another has under the names that are wanted and known here.
    pub(super) fn follow(&mut self, other: &Self, wanted: impl Fn(&str) -> bool) {
        if self.0.is(&other.0) {
            return;
        }
        let changed: Vec<(&'a str, Rc<Value>)> = self
            .0
            .iter()
            .filter_map(|(name, own)| {
                let new = other.0.get(name).filter(|new| !Rc::ptr_eq(own, new) && wanted(name))?;
                Some((*name, new.clone()))
            })
            .collect();
        for (name, value) in changed {
            self.0.insert(name, value);
        }
    }

    /// What they are when either held.
    pub(super) fn join(&mut self, other: &Self) {
        if self.0.is(&other.0) {
            return;
        }
        for (name, value) in other.0.iter() {
            match self.0.get(name) {
                Some(own) if Rc::ptr_eq(own, value) || own.same(value) => {}
                Some(_) => {
                    if let Some(own) = self.get_mut(name) {
                        *own = std::mem::take(own).join(value);
                    }
                }
                None => {
                    // Not set on the other way: what it may be is no longer one constant.
                    self.insert(name, Value { consts: Consts::Unknown, ..(**value).clone() });
                }
            }
        }
        let only_here: Vec<&'a str> = self
            .all()
            .filter(|(name, value)| value.consts != Consts::Unknown && !other.contains_key(name))
            .map(|(name, _)| name)
            .collect();
        for name in only_here {
            if let Some(value) = self.get_mut(name) {
                value.consts = Consts::Unknown;
            }
        }
    }

    pub(super) fn same(&self, other: &Self) -> bool {
        self.0.is(&other.0)
            || self.0.len() == other.0.len()
                && self.0.iter().all(|(name, value)| {
                    other.0.get(name).is_some_and(|own| Rc::ptr_eq(own, value) || own.same(value))
                })
    }
}
