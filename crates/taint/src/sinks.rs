//! Dangerous places: what arrives there, and whether it matters.

use super::classes::{Class, Classes};
use super::engine::{Engine, SinkDraft};
use super::models::{Asked, Does, Place};
use super::value::{Const, Key, Label, Taint, Value};
use formicary_lint::rules::security;
use formicary_syntax::{ExprId, Span};

impl Engine<'_, '_, '_> {
    /// Notes that a value arrives at a dangerous place.
    pub(super) fn arrive(&mut self, class: Class, value: &Value, span: Span, what: String) {
        let mut taint = self.state.deep(value);
        taint.0.retain(|mark| {
            let shown = self.state.shown_for(mark.label);
            let matters = match mark.label {
                Label::Source(number) => self
                    .draft
                    .sources
                    .get(number as usize)
                    .is_some_and(|source| Classes(source.classes).has(class)),
                Label::Param(_) | Label::Call(_) => class != Class::Random,
            };
            matters && !mark.cleared.or(shown).has(class)
        });
        if is_fixed_by_prefix(class, value.prefix.as_deref()) {
            taint = Taint::default();
        }
        let judged = self.judged.entry((span.start, class as u8)).or_insert(false);
        *judged |= !taint.is_empty();
        if taint.is_empty() || self.file.is_test() {
            return;
        }
        for mark in &mut taint.0 {
            mark.cleared = mark.cleared.or(self.state.shown_for(mark.label));
        }
        let next = self.draft.sinks.len();
        let at = *self.draft.sink_at.entry((span.start, class as u8)).or_insert(next);
        match self.draft.sinks.get_mut(at) {
            Some(sink) => {
                sink.taint.absorb(&taint);
            }
            None => self.draft.sinks.push(SinkDraft { class, span, what, taint }),
        }
    }

    /// The program and the arguments of a process that is started.
    pub(super) fn starts(
        &mut self,
        given: &[(Option<&str>, Value)],
        places: &[Place],
        span: Span,
        what: &str,
    ) {
        let shell = given.iter().any(|(name, value)| {
            *name == Some("shell") && value.truth() != Some(false)
                || value.objects.iter().any(|id| {
                    self.state.heap.get(id).is_some_and(|object| {
                        let shell = object.fields.get(&Key::Text("shell".into()));
                        shell.is_some_and(|value| value.truth() != Some(false))
                    })
                })
        });
        let mut words: Vec<Value> = Vec::new();
        let mut blurred = false;
        let chosen: Vec<Value> = places.iter().flat_map(|place| pick(given, *place)).cloned().collect();
        for value in chosen {
            if value.objects.is_empty() {
                words.push(value);
                continue;
            }
            for id in &value.objects {
                match self.state.heap.get(id).map(|object| (object.list.clone(), object.rest.clone())) {
                    Some((Some(list), rest)) => {
                        words.extend(list);
                        if !rest.taint.is_empty() {
                            words.push(rest);
                        }
                    }
                    Some((None, rest)) if !rest.taint.is_empty() => {
                        blurred = words.is_empty();
                        words.push(rest);
                    }
                    _ => {}
                }
            }
        }
        let Some(program) = words.first() else { return };
        let is_shell = shell
            || blurred
            || program.consts.all().iter().any(|one| match one {
                Const::Text(text) => is_shell(text),
                _ => false,
            });
        let dangerous = if is_shell { words } else { vec![program.clone()] };
        let mut all = Value::default();
        for word in &dangerous {
            all.taint.absorb(&self.state.deep(word));
        }
        self.arrive(Class::Command, &all, span, what.to_owned());
    }

    /// Writing an attribute or an entry can be dangerous by itself: `innerHTML`, `session[x]`.
    pub(super) fn sink_of_write(
        &mut self,
        base: ExprId,
        word: &str,
        key: Option<&Value>,
        value: &Value,
        span: Span,
    ) {
        if !self.models.knows(word) {
            return;
        }
        let holder = self.eval(base);
        let name = self.unit.last_name(base);
        let asked = Asked { of_something: true, kind: holder.kind.as_deref(), name, imported: false };
        let found: Vec<Does> = self.models.find(word, asked).collect();
        for does in found {
            if let Does::Sink(class, _) = does {
                if !concerns(class, word, key) {
                    continue;
                }
                let what = format!("`{}`", super::expressions::short(self.unit.text(span)));
                let mut all = value.clone();
                if let Some(key) = key {
                    all.taint.absorb(&key.taint);
                }
                self.arrive(class, &all, span, what);
            }
        }
    }

    /// A name that says that its value must not be guessed gets one that can be.
    pub(super) fn secret(&mut self, name: &str, value: &Value, span: Span) {
        let predictable = value.taint.0.iter().any(|mark| match mark.label {
            Label::Source(number) => self
                .draft
                .sources
                .get(number as usize)
                .is_some_and(|source| Classes(source.classes).has(Class::Random)),
            _ => false,
        });
        if predictable && is_secret(name) {
            self.arrive(Class::Random, value, span, format!("`{name}`"));
        }
    }
}

/// Whether an entry that is written is one of which the class speaks: a header that sends the visitor somewhere, an entry
/// whose name says that it must not be guessed.
fn concerns(class: Class, word: &str, key: Option<&Value>) -> bool {
    if word != "[]=" || !matches!(class, Class::Redirect | Class::Random) {
        return true;
    }
    let Some(name) = key.and_then(|key| key.as_text().or_else(|| key.prefix.clone())) else { return false };
    match class {
        Class::Redirect => name.eq_ignore_ascii_case("location"),
        _ => is_secret(&name),
    }
}

/// The arguments at a place.
pub(super) fn pick<'v>(given: &'v [(Option<&str>, Value)], place: Place) -> Vec<&'v Value> {
    match place {
        Place::Arg(at) => {
            let found = given.iter().filter(|(name, _)| name.is_none()).nth(usize::from(at));
            found.map(|(_, value)| value).into_iter().collect()
        }
        Place::From(at) => given
            .iter()
            .filter(|(name, _)| name.is_none())
            .skip(usize::from(at))
            .map(|(_, value)| value)
            .collect(),
        Place::Key(key) => {
            given.iter().filter(|(name, _)| *name == Some(key)).map(|(_, value)| value).collect()
        }
        Place::Receiver => Vec::new(),
    }
}

/// An address whose host is written in the program goes nowhere else.
fn is_fixed_by_prefix(class: Class, prefix: Option<&str>) -> bool {
    let Some(prefix) = prefix else { return false };
    let host =
        prefix.split_once("://").is_some_and(|(_, rest)| rest.find(['/', '?', '#']).is_some_and(|at| at > 0));
    let local = prefix.len() > 1 && prefix.starts_with('/') && !prefix[1..].starts_with(['/', '\\']);
    match class {
        Class::Request => host,
        Class::Redirect => host || local,
        _ => false,
    }
}

/// Programs that take a text and run what is in it.
pub(super) fn is_shell(program: &str) -> bool {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program).to_lowercase();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    matches!(
        name,
        "sh" | "bash"
            | "zsh"
            | "dash"
            | "ksh"
            | "ash"
            | "fish"
            | "cmd"
            | "powershell"
            | "pwsh"
            | "env"
            | "xargs"
            | "python"
            | "python3"
            | "perl"
            | "ruby"
            | "node"
            | "eval"
            | "ssh"
            | "sudo"
            | "su"
    ) || name.starts_with("sh -c")
        || name.starts_with("bash -c")
}

/// Whether a name says that its value must not be guessed; a cookie's value is one of those.
fn is_secret(name: &str) -> bool {
    security::is_secret(name) || name.to_lowercase().contains("cookie")
}
