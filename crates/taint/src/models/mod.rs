//! What is known about libraries, as data: which calls bring foreign data in, which are dangerous with it, which make it
//! harmless, and which hand it on. One table a language; frameworks are sections of it.
//!
//! A name is `qualifier.word`. The qualifier is matched with the end of what the receiver is: the module that it was
//! imported from, its declared or constructed type, or its own name. `*.word` is any receiver, `word` alone is a plain
//! function.

mod bash;
mod c;
mod go;
mod java;
mod python;
mod rust;
mod script;

use super::classes::{Class, Classes};
use formicary_model::Language;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// A part of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The argument at a place.
    Arg(u8),
    /// All arguments from a place on.
    From(u8),
    /// The argument of a keyword.
    Key(&'static str),
    /// What the method is called on.
    Receiver,
}

/// What a call, or the reading of an attribute, does.
#[derive(Debug, Clone, Copy)]
pub(super) enum Does {
    /// Brings in data that somebody else wrote; for these classes.
    Source(Classes),
    /// Fills an argument with such data (`fgets`).
    Fills(u8, Classes),
    /// Is dangerous with foreign data in these places.
    Sink(Class, &'static [Place]),
    /// Starts a program: the places are its name and its arguments, or a list of both.
    Starts(&'static [Place]),
    /// Does nothing of what the same word does elsewhere.
    Harmless,
    /// Gives something harmless whatever it is given.
    Clean,
    /// Makes its arguments harmless for these classes.
    Clears(Classes),
    /// Hands on what it is given.
    Pass,
    /// Puts its arguments into the receiver, and gives the receiver.
    Into,
    /// Copies arguments from a place on into an earlier one (`strcpy`).
    Copies(u8, u8),
    /// Gives something of this type.
    Makes(&'static str),
    /// Takes the name of a hash; weak ones are found.
    Hash(u8),
    /// Takes the name of a cipher; weak ones are found.
    Cipher(u8),
}

/// Names and what they do.
pub(super) struct Entry {
    pub names: &'static [&'static str],
    pub does: Does,
}

const fn entry(does: Does, names: &'static [&'static str]) -> Entry {
    Entry { names, does }
}

const fn source(names: &'static [&'static str]) -> Entry {
    entry(Does::Source(Classes::FOREIGN), names)
}

const fn local(names: &'static [&'static str]) -> Entry {
    entry(Does::Source(Classes::LOCAL), names)
}

const fn random(names: &'static [&'static str]) -> Entry {
    entry(Does::Source(Class::Random.only()), names)
}

const fn sink(class: Class, places: &'static [Place], names: &'static [&'static str]) -> Entry {
    entry(Does::Sink(class, places), names)
}

const fn clears(classes: Classes, names: &'static [&'static str]) -> Entry {
    entry(Does::Clears(classes), names)
}

const fn clean(names: &'static [&'static str]) -> Entry {
    entry(Does::Clean, names)
}

const fn pass(names: &'static [&'static str]) -> Entry {
    entry(Does::Pass, names)
}

const fn makes(kind: &'static str, names: &'static [&'static str]) -> Entry {
    entry(Does::Makes(kind), names)
}

const FIRST: &[Place] = &[Place::Arg(0)];
const SECOND: &[Place] = &[Place::Arg(1)];
const EVERY: &[Place] = &[Place::From(0)];
const ITSELF: &[Place] = &[Place::Receiver];

/// What markup can do.
const MARKUP: Classes = Class::Xss.only().with(Class::Template);
/// What an address in percent signs cannot do.
const ADDRESS: Classes =
    Class::Xss.only().with(Class::Header).with(Class::Log).with(Class::Path).with(Class::Redirect);

/// The tables of one language, by the last word of the name.
pub(super) struct Models {
    by_word: FxHashMap<&'static str, Vec<(&'static str, Does)>>,
}

/// What a word is asked of.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Asked<'r> {
    /// Whether there is a receiver at all.
    pub of_something: bool,
    /// What the receiver is: a dotted name.
    pub kind: Option<&'r str>,
    /// What the receiver is called.
    pub name: Option<&'r str>,
    /// Whether the receiver is only where the word was imported from.
    pub imported: bool,
}

impl Models {
    fn new(tables: &[&'static [Entry]]) -> Self {
        let mut by_word: FxHashMap<&'static str, Vec<(&'static str, Does)>> = FxHashMap::default();
        for entry in tables.iter().flat_map(|table| table.iter()) {
            for name in entry.names {
                let (qualifier, word) = name.rsplit_once('.').unwrap_or(("", name));
                by_word.entry(word).or_default().push((qualifier, entry.does));
            }
        }
        Self { by_word }
    }

    /// The tables of a language.
    pub(super) fn of(language: Language) -> &'static Self {
        static PYTHON: OnceLock<Models> = OnceLock::new();
        static JAVA: OnceLock<Models> = OnceLock::new();
        static SCRIPT: OnceLock<Models> = OnceLock::new();
        static GO: OnceLock<Models> = OnceLock::new();
        static C: OnceLock<Models> = OnceLock::new();
        static RUST: OnceLock<Models> = OnceLock::new();
        static BASH: OnceLock<Models> = OnceLock::new();
        match language {
            Language::Python => PYTHON.get_or_init(|| Self::new(&[python::TABLE])),
            Language::Java => JAVA.get_or_init(|| Self::new(&[java::TABLE])),
            Language::JavaScript | Language::TypeScript => SCRIPT.get_or_init(|| Self::new(&[script::TABLE])),
            Language::Go => GO.get_or_init(|| Self::new(&[go::TABLE])),
            Language::C | Language::Cpp => C.get_or_init(|| Self::new(&[c::TABLE])),
            Language::Rust => RUST.get_or_init(|| Self::new(&[rust::TABLE])),
            Language::Bash => BASH.get_or_init(|| Self::new(&[bash::TABLE])),
        }
    }

    /// Whether a word is in the tables at all.
    pub(super) fn knows(&self, word: &str) -> bool {
        self.by_word.contains_key(word)
    }

    /// Whether a word may bring in foreign data.
    pub(super) fn may_be_source(&self, word: &str) -> bool {
        self.by_word.get(word).is_some_and(|entries| {
            entries.iter().any(|(_, does)| matches!(does, Does::Source(_) | Does::Fills(..)))
        })
    }

    /// Everything that a word does when it is asked of this.
    pub(super) fn find(&self, word: &str, asked: Asked<'_>) -> impl Iterator<Item = Does> {
        let entries = self.by_word.get(word).map_or(&[][..], Vec::as_slice);
        // What is known to be harmless of this kind hides what the word does of any.
        let hidden =
            entries.iter().any(|(qualifier, does)| matches!(does, Does::Harmless) && fits(qualifier, asked));
        entries
            .iter()
            .filter(move |(qualifier, _)| fits(qualifier, asked) && !(hidden && *qualifier == "*"))
            .map(|(_, does)| *does)
    }
}

fn fits(qualifier: &str, asked: Asked<'_>) -> bool {
    match qualifier {
        "" => !asked.of_something || asked.imported,
        "*" => asked.of_something && !asked.imported,
        _ => {
            asked.kind.is_some_and(|kind| ends_with(kind, qualifier))
                || asked.name.is_some_and(|name| name.eq_ignore_ascii_case(qualifier))
        }
    }
}

/// Whether a dotted name ends with another, at a dot or slash.
fn ends_with(name: &str, end: &str) -> bool {
    name.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with(['.', '/', ':']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_at_dots() {
        let asked = |kind| Asked { of_something: true, kind: Some(kind), ..Asked::default() };
        assert!(fits("os", asked("os")) && fits("exec", asked("os/exec")) && fits("b.c", asked("a.b.c")));
        assert!(!fits("os", asked("pos")) && !fits("", asked("os")) && fits("*", asked("x")));
        assert!(fits("", Asked::default()) && !fits("*", Asked::default()));
    }
}
