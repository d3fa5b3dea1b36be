//! How a setting is declared: one line gives its type, its values, its default and what a project's file may do to it. The
//! table of settings, the typed [`Settings`](crate::table::Settings) and the keys of [`key!`](crate::key) come from it.

use crate::table;
use crate::value::Value;
use formicary_model::limits::LimitInfo;
use formicary_model::{LimitOverrides, Limits};
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What values a setting takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// Seconds within bounds.
    Seconds {
        /// Smallest.
        min: f64,
        /// Largest.
        max: f64,
    },
    /// Bytes within bounds.
    Bytes {
        /// Smallest.
        min: f64,
        /// Largest.
        max: f64,
    },
    /// A number within bounds.
    Number {
        /// Smallest.
        min: f64,
        /// Largest.
        max: f64,
        /// Whether fractions make sense.
        whole: bool,
    },
    /// One of these words, the most permissive first.
    Choice(&'static [&'static str]),
    /// A word.
    Word,
    /// A file or directory.
    Path,
    /// Files or directories.
    Paths,
}

/// What the file of a project, which may come from a hostile repository, may do to a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProjectRule {
    /// It may make it stricter: a lower limit, a stricter word.
    Stricter,
    /// It may not touch it.
    Never,
}

/// One setting.
#[derive(Debug, Clone)]
pub struct Setting {
    /// Its dotted key in configuration files.
    pub key: String,
    /// Its environment variable.
    pub variable: String,
    /// One line for people.
    pub about: String,
    /// What values it takes.
    pub kind: Kind,
    /// The value where nobody sets it.
    pub default: Value,
    /// What a project's file may do to it.
    pub project: ProjectRule,
}

/// The key of a setting that exists: [`key!`](crate::key) makes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key(#[doc(hidden)] pub &'static str);

impl Key {
    /// As configuration files write it.
    pub fn name(self) -> &'static str {
        self.0
    }

    /// Whether it is this setting's key, or that of a group which holds it.
    pub fn holds(self, key: &str) -> bool {
        key.strip_prefix(self.0).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }

    /// Reads a number as this setting takes it.
    pub fn parse_number(self, text: &str) -> Result<f64, String> {
        let setting = table::setting(self.0).ok_or("no such setting")?;
        match Value::from_text(setting.kind, text, Path::new("/"), None)? {
            Value::Number(number) => Ok(number),
            _ => Err(format!("expected {}", setting.kind.expected())),
        }
    }
}

/// The key of a setting by the path of its field: `key!(limits.wall_seconds)`. A misspelt one does not compile.
#[macro_export]
macro_rules! key {
    ($first:ident $(. $rest:ident)*) => {{
        let _ = |settings: &$crate::Settings| {
            let _ = &settings.$first $(. $rest)*;
        };
        $crate::Key(concat!(stringify!($first) $(, ".", stringify!($rest))*))
    }};
}

/// Resolved values by their keys.
pub(crate) type Values<'a> = BTreeMap<&'static str, &'a Value>;

/// What stands behind a field of the settings: one setting, or several below it.
pub(crate) trait Part<T> {
    fn declare(self, key: &str, about: &str, table: &mut Vec<Setting>);
    /// The field's value; nothing where a value is not of its kind, which reading has ruled out.
    fn read(self, key: &str, values: &Values<'_>) -> Option<T>;
}

/// A struct of settings.
pub(crate) trait Group: Sized {
    fn declare(prefix: &str, table: &mut Vec<Setting>);
    fn read(prefix: &str, values: &Values<'_>) -> Option<Self>;
}

/// The settings of a [`Group`], below the field's own key.
pub(crate) struct Below;

impl<T: Group> Part<T> for Below {
    fn declare(self, key: &str, _: &str, table: &mut Vec<Setting>) {
        T::declare(&format!("{key}."), table);
    }

    fn read(self, key: &str, values: &Values<'_>) -> Option<T> {
        T::read(&format!("{key}."), values)
    }
}

/// One setting whose value is a `T`.
pub(crate) struct Shape<T> {
    kind: Kind,
    default: Value,
    project: ProjectRule,
    read: fn(&Value) -> Option<T>,
    of: PhantomData<T>,
}

impl<T> Shape<T> {
    fn new(kind: Kind, default: Value, read: fn(&Value) -> Option<T>) -> Self {
        Self { kind, default, project: ProjectRule::Never, read, of: PhantomData }
    }

    /// A project's file may make it stricter.
    pub fn stricter(self) -> Self {
        Self { project: ProjectRule::Stricter, ..self }
    }
}

impl<T> Part<T> for Shape<T> {
    fn declare(self, key: &str, about: &str, table: &mut Vec<Setting>) {
        let variable = format!("FORMICARY_{}", key.to_uppercase().replace(['.', '-'], "_"));
        let about = about.trim().trim_end_matches('.').to_owned();
        let Self { kind, default, project, .. } = self;
        table.push(Setting { key: key.to_owned(), variable, about, kind, default, project });
    }

    fn read(self, key: &str, values: &Values<'_>) -> Option<T> {
        (self.read)(values.get(key)?)
    }
}

fn number_of(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => Some(*number),
        _ => None,
    }
}

pub(crate) fn seconds(min: f64, max: f64, default: f64) -> Shape<Duration> {
    Shape::new(Kind::Seconds { min, max }, Value::Number(default), |value| {
        Duration::try_from_secs_f64(number_of(value)?).ok()
    })
}

pub(crate) fn bytes(min: u64, max: u64, default: u64) -> Shape<u64> {
    let kind = Kind::Bytes { min: min as f64, max: max as f64 };
    Shape::new(kind, Value::Number(default as f64), |value| number_of(value).map(|number| number as u64))
}

/// A whole number.
pub(crate) fn count<T: TryFrom<u64>>(min: u64, max: u64, default: u64) -> Shape<T> {
    let kind = Kind::Number { min: min as f64, max: max as f64, whole: true };
    Shape::new(kind, Value::Number(default as f64), |value| T::try_from(number_of(value)? as u64).ok())
}

pub(crate) fn number(min: f64, max: f64, default: f64) -> Shape<f64> {
    Shape::new(Kind::Number { min, max, whole: false }, Value::Number(default), number_of)
}

pub(crate) fn word(default: &str) -> Shape<String> {
    Shape::new(Kind::Word, Value::Text(default.into()), |value| match value {
        Value::Text(word) => Some(word.clone()),
        _ => None,
    })
}

pub(crate) fn optional_word() -> Shape<Option<String>> {
    Shape::new(Kind::Word, Value::Unset, |value| match value {
        Value::Unset => Some(None),
        Value::Text(word) => Some(Some(word.clone())),
        _ => None,
    })
}

/// Words with commas between.
pub(crate) fn words(default: Option<&str>) -> Shape<Vec<String>> {
    let default = default.map_or(Value::Unset, |words| Value::Text(words.into()));
    Shape::new(Kind::Word, default, |value| match value {
        Value::Unset => Some(Vec::new()),
        Value::Text(text) => {
            let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
            Some(words.map(str::to_owned).collect())
        }
        _ => None,
    })
}

pub(crate) fn path() -> Shape<Option<PathBuf>> {
    Shape::new(Kind::Path, Value::Unset, |value| match value {
        Value::Unset => Some(None),
        Value::Path(path) => Some(Some(path.clone())),
        _ => None,
    })
}

pub(crate) fn paths() -> Shape<Vec<PathBuf>> {
    Shape::new(Kind::Paths, Value::Unset, |value| match value {
        Value::Unset => Some(Vec::new()),
        Value::Paths(paths) => Some(paths.clone()),
        _ => None,
    })
}

/// One of `words`, the most permissive first; [`choice!`] pairs them with their meanings.
pub(crate) fn one_of<T>(
    words: &'static [&'static str],
    default: &str,
    read: fn(&Value) -> Option<T>,
) -> Shape<T> {
    Shape::new(Kind::Choice(words), Value::Text(default.into()), read)
}

/// The limits of one phase, each a setting of its own.
pub(crate) struct OfPhase {
    pub defaults: Limits,
    /// What their descriptions end in.
    pub suffix: &'static str,
}

impl OfPhase {
    fn shape(info: &LimitInfo, default: f64) -> Shape<f64> {
        let (min, max) = (info.min, info.max);
        let kind = match info.unit {
            "s" => Kind::Seconds { min, max },
            "bytes" => Kind::Bytes { min, max },
            _ => Kind::Number { min, max, whole: info.name != "cores" },
        };
        Shape::new(kind, Value::Number(default), number_of).stricter()
    }
}

impl Part<Limits> for OfPhase {
    fn declare(self, key: &str, _: &str, table: &mut Vec<Setting>) {
        for (info, (name, default)) in Limits::TABLE.iter().zip(self.defaults.values()) {
            let about = format!("{}{}", info.about.trim().trim_end_matches('.'), self.suffix);
            Self::shape(info, default).declare(&format!("{key}.{name}"), &about, table);
        }
    }

    fn read(self, key: &str, values: &Values<'_>) -> Option<Limits> {
        let mut all = LimitOverrides::default();
        for (info, (name, default)) in Limits::TABLE.iter().zip(self.defaults.values()) {
            all.set(name, Self::shape(info, default).read(&format!("{key}.{name}"), values)?);
        }
        Some(self.defaults.with(&all))
    }
}

/// The image of each language, each a setting of its own.
pub(crate) struct OfLanguages(pub &'static [(&'static str, &'static str)]);

impl Part<BTreeMap<String, String>> for OfLanguages {
    fn declare(self, key: &str, _: &str, table: &mut Vec<Setting>) {
        for (language, image) in self.0 {
            let about = format!("The image of {language}, for runs with --image default");
            word(image).declare(&format!("{key}.{language}"), &about, table);
        }
    }

    fn read(self, key: &str, values: &Values<'_>) -> Option<BTreeMap<String, String>> {
        let one = |(language, image): &(&str, &str)| {
            let image = word(image).read(&format!("{key}.{language}"), values)?;
            Some(((*language).to_owned(), image))
        };
        self.0.iter().map(one).collect()
    }
}

/// One of several words with their meanings, the most permissive first.
macro_rules! choice {
    ($default:literal of $($word:literal => $meaning:expr),+ $(,)?) => {
        $crate::declaration::one_of(&[$($word),+], $default, |value| match value {
            $crate::Value::Text(word) => match word.as_str() {
                $($word => Some($meaning),)+
                _ => None,
            },
            _ => None,
        })
    };
}

/// Declares structs of settings; see [`crate::table`].
macro_rules! settings {
    ($(
        $(#[doc = $what:literal])+
        $group:ident {
            $( $(#[doc = $about:literal])+ $name:ident : $type:ty = $part:expr; )+
        }
    )+) => { $(
        $(#[doc = $what])+
        #[derive(Debug, Clone, PartialEq)]
        pub struct $group {
            $( $(#[doc = $about])+ pub $name: $type, )+
        }

        impl $crate::declaration::Group for $group {
            fn declare(prefix: &str, table: &mut Vec<Setting>) {
                $( Part::<$type>::declare(
                    $part,
                    &format!("{prefix}{}", stringify!($name)),
                    concat!($($about),+),
                    table,
                ); )+
            }

            fn read(prefix: &str, values: &Values<'_>) -> Option<Self> {
                Some(Self {
                    $( $name: Part::<$type>::read($part, &format!("{prefix}{}", stringify!($name)), values)?, )+
                })
            }
        }
    )+ };
}

pub(crate) use {choice, settings};
