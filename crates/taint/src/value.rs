//! What is known of a value at some place of a function: where it comes from, which constant it is, what is in it.

use super::classes::Classes;
use super::shared::{Shared, Vars};
use formicary_syntax::{FunctionId, Span};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Where a value may come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Label {
    /// Foreign data, by its number.
    Source(u32),
    /// A parameter of the function that is looked at; [`RECEIVER`] for `this`.
    Param(u16),
    /// The result of a call that only the project can resolve.
    Call(u32),
}

/// The number of `self` and `this` among the parameters.
pub(super) const RECEIVER: u16 = u16::MAX;

/// A label with what was done about it on the way.
#[derive(Debug, Clone)]
pub(super) struct Mark {
    pub label: Label,
    pub cleared: Classes,
    pub trail: Option<Rc<Trail>>,
}

/// The way of a value, last step first.
#[derive(Debug)]
pub(super) struct Trail {
    pub span: Span,
    pub message: String,
    pub before: Option<Rc<Trail>>,
    pub length: u32,
}

/// Where a value may come from, sorted by label.
#[derive(Debug, Clone, Default)]
pub(super) struct Taint(pub Vec<Mark>);

/// Beyond this many origins more do not matter.
const MOST_MARKS: usize = 24;

impl Taint {
    pub(super) fn of(label: Label) -> Self {
        Self(vec![Mark { label, cleared: Classes::NONE, trail: None }])
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes up the marks of another; `true` when something changed.
    pub(super) fn absorb(&mut self, other: &Self) -> bool {
        let mut changed = false;
        for mark in &other.0 {
            match self.0.binary_search_by_key(&mark.label, |own| own.label) {
                Ok(at) => {
                    let both = self.0[at].cleared.and(mark.cleared);
                    changed |= both != self.0[at].cleared;
                    self.0[at].cleared = both;
                }
                Err(at) if self.0.len() < MOST_MARKS => {
                    self.0.insert(at, mark.clone());
                    changed = true;
                }
                Err(_) => {}
            }
        }
        changed
    }

    pub(super) fn clear(&mut self, classes: Classes) {
        for mark in &mut self.0 {
            mark.cleared = mark.cleared.or(classes);
        }
        self.0.retain(|mark| mark.cleared.and(Classes::ALL) != Classes::ALL);
    }

    pub(super) fn same(&self, other: &Self) -> bool {
        self.0.len() == other.0.len()
            && self.0.iter().zip(&other.0).all(|(a, b)| a.label == b.label && a.cleared == b.cleared)
    }

    /// Notes a step on the way of all its marks.
    pub(super) fn step(&mut self, span: Span, message: &str) {
        for mark in &mut self.0 {
            let (length, last) =
                mark.trail.as_ref().map_or((0, None), |trail| (trail.length, Some(trail.span)));
            if length < 10 && last != Some(span) {
                let before = mark.trail.take();
                mark.trail =
                    Some(Rc::new(Trail { span, message: message.to_owned(), before, length: length + 1 }));
            }
        }
    }
}

/// A constant.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Const {
    Int(i128),
    Text(Rc<str>),
    Char(char),
    Bool(bool),
    Null,
}

/// Which constants a value may be.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) enum Consts {
    #[default]
    Unknown,
    One(Const),
    Few(Rc<[Const]>),
}

impl Consts {
    pub(super) fn all(&self) -> &[Const] {
        match self {
            Self::Unknown => &[],
            Self::One(one) => std::slice::from_ref(one),
            Self::Few(few) => few,
        }
    }

    fn join(&self, other: &Self) -> Self {
        if self == other {
            return self.clone();
        }
        if matches!(self, Self::Unknown) || matches!(other, Self::Unknown) {
            return Self::Unknown;
        }
        let mut all = self.all().to_vec();
        for one in other.all() {
            if !all.contains(one) {
                all.push(one.clone());
            }
        }
        if all.len() > 6 { Self::Unknown } else { Self::Few(all.into()) }
    }
}

/// The number of an object in [`State::heap`].
pub(super) type ObjectId = u32;

/// What is known of a value.
#[derive(Debug, Clone, Default)]
pub(super) struct Value {
    pub taint: Taint,
    pub consts: Consts,
    /// What a text begins with.
    pub prefix: Option<Rc<str>>,
    /// The objects that it may be.
    pub objects: Vec<ObjectId>,
    /// Its type or where it was imported from, as a dotted name.
    pub kind: Option<Rc<str>>,
    /// The function that it is.
    pub function: Option<FunctionId>,
    /// The line of a settings file that it was read from.
    pub setting: Option<Rc<Setting>>,
}

/// A line of a settings file, as the code asks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Setting {
    pub key: Rc<str>,
    /// What holds where no file has it.
    pub otherwise: Option<Rc<str>>,
}

impl Value {
    pub(super) fn constant(constant: Const) -> Self {
        let prefix = match &constant {
            Const::Text(text) => Some(text.clone()),
            _ => None,
        };
        Self { consts: Consts::One(constant), prefix, ..Self::default() }
    }

    pub(super) fn text(text: &str) -> Self {
        Self::constant(Const::Text(text.into()))
    }

    pub(super) fn tainted(taint: Taint) -> Self {
        Self { taint, ..Self::default() }
    }

    pub(super) fn of_kind(kind: &str) -> Self {
        Self { kind: Some(kind.into()), ..Self::default() }
    }

    pub(super) fn one(&self) -> Option<&Const> {
        match &self.consts {
            Consts::One(one) if self.taint.is_empty() => Some(one),
            _ => None,
        }
    }

    pub(super) fn as_text(&self) -> Option<Rc<str>> {
        match self.one()? {
            Const::Text(text) => Some(text.clone()),
            Const::Char(char) => Some(char.to_string().into()),
            _ => None,
        }
    }

    pub(super) fn as_int(&self) -> Option<i128> {
        match self.one()? {
            Const::Int(number) => Some(*number),
            _ => None,
        }
    }

    /// Whether it counts as true, where that is known.
    pub(super) fn truth(&self) -> Option<bool> {
        Some(match self.one()? {
            Const::Int(number) => *number != 0,
            Const::Text(text) => !text.is_empty(),
            Const::Char(_) => true,
            Const::Bool(truth) => *truth,
            Const::Null => false,
        })
    }

    pub(super) fn join(mut self, other: &Self) -> Self {
        self.taint.absorb(&other.taint);
        self.consts = self.consts.join(&other.consts);
        if self.prefix != other.prefix {
            self.prefix = None;
        }
        for object in &other.objects {
            if !self.objects.contains(object) && self.objects.len() < 4 {
                self.objects.push(*object);
            }
        }
        if self.kind != other.kind {
            // A null joined with an object is the object.
            self.kind = match (&self.kind, &other.kind) {
                (Some(kind), None) | (None, Some(kind)) => Some(kind.clone()),
                _ => None,
            };
        }
        self.function = self.function.or(other.function);
        self.setting = self.setting.or_else(|| other.setting.clone());
        self
    }

    pub(super) fn same(&self, other: &Self) -> bool {
        self.taint.same(&other.taint)
            && self.consts == other.consts
            && self.objects == other.objects
            && self.prefix == other.prefix
    }
}

/// What something is filed under.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    Int(i128),
    Text(Rc<str>),
}

impl Key {
    pub(super) fn of(value: &Value) -> Option<Self> {
        match value.one()? {
            Const::Int(number) => Some(Self::Int(*number)),
            Const::Text(text) => Some(Self::Text(text.clone())),
            Const::Char(char) => Some(Self::Text(char.to_string().into())),
            Const::Bool(_) | Const::Null => None,
        }
    }
}

/// An object, list, dictionary or builder.
#[derive(Debug, Clone, Default)]
pub(super) struct Object {
    /// The elements of a list, while all are known.
    pub list: Option<Vec<Value>>,
    /// Entries and fields by name.
    pub fields: BTreeMap<Key, Value>,
    /// Everything else that is in it.
    pub rest: Value,
    /// Whether fields that were never written hold nothing: it was made here.
    pub whole: bool,
}

impl Object {
    fn join(&mut self, other: &Self) {
        self.list = match (self.list.take(), &other.list) {
            (Some(mut own), Some(others)) if own.len() == others.len() => {
                for (value, other) in own.iter_mut().zip(others) {
                    *value = std::mem::take(value).join(other);
                }
                Some(own)
            }
            (own, others) => {
                for value in own.iter().flatten().chain(others.iter().flatten()) {
                    self.rest.taint.absorb(&value.taint);
                }
                None
            }
        };
        for (key, value) in &other.fields {
            match self.fields.get_mut(key) {
                Some(own) => *own = std::mem::take(own).join(value),
                None => {
                    self.fields.insert(key.clone(), value.clone());
                }
            }
        }
        self.rest = std::mem::take(&mut self.rest).join(&other.rest);
        self.whole &= other.whole;
    }

    fn same(&self, other: &Self) -> bool {
        let lists = match (&self.list, &other.list) {
            (Some(a), Some(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b)),
            (None, None) => true,
            _ => false,
        };
        lists
            && self.rest.same(&other.rest)
            && self.fields.len() == other.fields.len()
            && self.fields.iter().zip(&other.fields).all(|((a, x), (b, y))| a == b && x.same(y))
    }

    /// The list as things that may be anywhere in it.
    pub(super) fn blur(&mut self) {
        if let Some(list) = self.list.take() {
            for value in list {
                self.rest = if self.rest.taint.is_empty() && self.rest.objects.is_empty() {
                    Value { consts: Consts::Unknown, ..value }
                } else {
                    std::mem::take(&mut self.rest).join(&value)
                };
            }
        }
    }
}

/// What holds at one place.
#[derive(Debug, Clone, Default)]
pub(super) struct State<'a> {
    pub vars: Vars<'a>,
    pub heap: Shared<ObjectId, Rc<Object>>,
    /// What tests have shown about where values come from.
    pub shown: Vec<(Label, Classes)>,
}

impl State<'_> {
    /// What holds when either held.
    pub(super) fn join(mut self, other: Self) -> Self {
        self.vars.join(&other.vars);
        if !self.heap.is(&other.heap) {
            for (id, object) in other.heap.iter() {
                match self.heap.get(id) {
                    Some(own) if Rc::ptr_eq(own, object) => {}
                    Some(_) => {
                        if let Some(own) = self.heap.get_mut(id) {
                            Rc::make_mut(own).join(object);
                        }
                    }
                    None => self.heap.insert(*id, object.clone()),
                }
            }
        }
        self.shown.retain_mut(|(label, classes)| {
            let others = other.shown.iter().find(|(one, _)| one == label).map_or(Classes::NONE, |(_, c)| *c);
            *classes = classes.and(others);
            *classes != Classes::NONE
        });
        self
    }

    pub(super) fn same(&self, other: &Self) -> bool {
        let heaps = || {
            self.heap.is(&other.heap)
                || self.heap.len() == other.heap.len()
                    && self.heap.iter().all(|(id, object)| {
                        other.heap.get(id).is_some_and(|own| Rc::ptr_eq(own, object) || own.same(object))
                    })
        };
        self.vars.same(&other.vars) && heaps()
    }

    /// Notes what a test has shown.
    pub(super) fn show(&mut self, taint: &Taint, classes: Classes) {
        for mark in &taint.0 {
            match self.shown.iter_mut().find(|(label, _)| *label == mark.label) {
                Some((_, known)) => *known = known.or(classes),
                None => self.shown.push((mark.label, classes)),
            }
        }
    }

    /// All that tests have shown.
    pub(super) fn shown(&self) -> Vec<(Label, Classes)> {
        self.shown.clone()
    }

    /// Goes back to what was shown before; gives what was shown since.
    pub(super) fn replace_shown(&mut self, shown: Vec<(Label, Classes)>) -> Vec<(Label, Classes)> {
        std::mem::replace(&mut self.shown, shown)
    }

    /// Notes what two tests have shown alike.
    pub(super) fn show_common(&mut self, one: &[(Label, Classes)], other: &[(Label, Classes)]) {
        for (label, classes) in one {
            let Some((_, also)) = other.iter().find(|(also, _)| also == label) else { continue };
            let both = classes.and(*also);
            match self.shown.iter_mut().find(|(known, _)| known == label) {
                Some((_, known)) => *known = known.or(both),
                None => self.shown.push((*label, both)),
            }
        }
    }

    pub(super) fn shown_for(&self, label: Label) -> Classes {
        self.shown.iter().find(|(one, _)| *one == label).map_or(Classes::NONE, |(_, classes)| *classes)
    }

    /// An object to change.
    pub(super) fn object(&mut self, id: ObjectId) -> Option<&mut Object> {
        self.heap.get_mut(&id).map(Rc::make_mut)
    }

    /// Everything that reaches into a value, through objects too.
    pub(super) fn deep(&self, value: &Value) -> Taint {
        let mut taint = value.taint.clone();
        let mut seen: Vec<ObjectId> = Vec::new();
        let mut open: Vec<ObjectId> = value.objects.clone();
        while let Some(id) = open.pop() {
            if seen.contains(&id) || seen.len() > 40 {
                continue;
            }
            seen.push(id);
            let Some(object) = self.heap.get(&id) else { continue };
            let inside = object.list.iter().flatten().chain(object.fields.values()).chain([&object.rest]);
            for value in inside {
                taint.absorb(&value.taint);
                open.extend(&value.objects);
            }
        }
        taint
    }
}
