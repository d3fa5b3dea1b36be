//! One setting's value: read from TOML or text, checked against its kind, compared for strictness, shown to people.

use crate::table::Kind;
use formicary_model::suggest;
use formicary_model::units::{parse_bytes, parse_number, parse_seconds, show_bytes, show_seconds};
use serde::{Serialize, Serializer};
use std::path::{Path, PathBuf};
use toml::de::DeValue;

/// The value of a setting.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Nobody set it and it has no default.
    Unset,
    /// A number of whatever unit its kind has.
    Number(f64),
    /// A word.
    Text(String),
    /// A path, absolute.
    Path(PathBuf),
    /// Paths, absolute.
    Paths(Vec<PathBuf>),
}

impl Kind {
    /// What it takes, for people.
    pub fn expected(self) -> String {
        match self {
            Self::Seconds { .. } => "a duration such as 30 or \"2m\"".into(),
            Self::Bytes { .. } => "a size such as 1048576 or \"512MiB\"".into(),
            Self::Number { whole: true, .. } => "a whole number".into(),
            Self::Number { .. } => "a number".into(),
            Self::Choice(words) => format!("one of {}", words.join(", ")),
            Self::Word => "a word".into(),
            Self::Path => "a path".into(),
            Self::Paths => "a list of paths".into(),
        }
    }

    /// The bounds, for people; empty where there are none.
    pub fn bounds(self) -> String {
        match self {
            Self::Seconds { min, max } => format!("{} to {}", show_seconds(min), show_seconds(max)),
            Self::Bytes { min, max } => format!("{} to {}", show_bytes(min), show_bytes(max)),
            Self::Number { min, max, .. } => format!("{min} to {max}"),
            _ => String::new(),
        }
    }

    /// The number, if it lies within the bounds.
    pub fn check_number(self, number: f64) -> Result<f64, String> {
        let (min, max) = match self {
            Self::Seconds { min, max } | Self::Bytes { min, max } | Self::Number { min, max, .. } => {
                (min, max)
            }
            _ => return Err(format!("expected {}", self.expected())),
        };
        // Written so that NaN is refused too.
        if !(number >= min && number <= max) {
            return Err(format!("outside {}", self.bounds()));
        }
        let whole = matches!(self, Self::Bytes { .. } | Self::Number { whole: true, .. });
        if whole && number.fract() != 0.0 {
            return Err("not a whole number".into());
        }
        Ok(number)
    }

    /// A number with its unit, for people.
    pub fn show_number(self, number: f64) -> String {
        match self {
            Self::Seconds { .. } => show_seconds(number),
            Self::Bytes { .. } => show_bytes(number),
            _ => number.to_string(),
        }
    }
}

impl Value {
    /// Reads a value as it stands in an environment variable or a flag.
    pub fn from_text(kind: Kind, text: &str, base: &Path, home: Option<&Path>) -> Result<Self, String> {
        let number = match kind {
            Kind::Seconds { .. } => parse_seconds(text),
            Kind::Bytes { .. } => parse_bytes(text),
            Kind::Number { .. } => parse_number(text),
            Kind::Choice(words) => return choose(words, text),
            Kind::Word if text.trim().is_empty() => return Err("it is empty".into()),
            Kind::Word => return Ok(Self::Text(text.into())),
            Kind::Path => return absolute(text, base, home).map(Self::Path),
            Kind::Paths => {
                let parts = text.split(':').filter(|part| !part.is_empty());
                return parts.map(|p| absolute(p, base, home)).collect::<Result<_, _>>().map(Self::Paths);
            }
        };
        number
            .and_then(|n| kind.check_number(n).map_err(|why| format!("{:?} is {why}", text)))
            .map(Self::Number)
    }

    /// Reads a value as it stands in a TOML file.
    pub fn from_toml(
        kind: Kind,
        value: &DeValue<'_>,
        base: &Path,
        home: Option<&Path>,
    ) -> Result<Self, String> {
        let numeric = matches!(kind, Kind::Seconds { .. } | Kind::Bytes { .. } | Kind::Number { .. });
        let wrong_type = || format!("expected {}, found {}", kind.expected(), value.type_str());
        match value {
            DeValue::Integer(integer) if numeric => {
                let number = i64::from_str_radix(&integer.as_str().replace('_', ""), integer.radix())
                    .map_err(|_| format!("{} is too large", integer.as_str()))?;
                let why = |why| format!("{number} is {why}");
                kind.check_number(number as f64).map(Self::Number).map_err(why)
            }
            DeValue::Float(float) if numeric => {
                let number = parse_number(float.as_str())?;
                kind.check_number(number).map(Self::Number).map_err(|why| format!("{number} is {why}"))
            }
            DeValue::String(text) if !matches!(kind, Kind::Paths) => Self::from_text(kind, text, base, home),
            DeValue::Array(items) if kind == Kind::Paths => {
                let paths = items.iter().map(|item| match item.get_ref() {
                    DeValue::String(text) => absolute(text, base, home),
                    other => Err(format!("expected a list of paths, found {} in it", other.type_str())),
                });
                paths.collect::<Result<_, _>>().map(Self::Paths)
            }
            _ => Err(wrong_type()),
        }
    }

    /// Whether this value protects less than `own`: a higher limit, a more permissive word.
    pub fn looser_than(&self, own: &Self, kind: Kind) -> bool {
        match (self, own, kind) {
            (Self::Number(asked), Self::Number(own), _) => asked > own,
            (Self::Text(asked), Self::Text(own), Kind::Choice(words)) => {
                let rank = |word: &str| words.iter().position(|w| *w == word);
                rank(asked) < rank(own)
            }
            _ => self != own,
        }
    }

    /// The value for people.
    pub fn show(&self, kind: Kind) -> String {
        match self {
            Self::Unset => "unset".into(),
            Self::Number(number) => kind.show_number(*number),
            Self::Text(text) => masked(text),
            Self::Path(path) => path.display().to_string(),
            Self::Paths(paths) => paths.iter().map(|p| p.display().to_string()).collect::<Vec<_>>().join(":"),
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Unset => serializer.serialize_none(),
            Self::Number(number) if number.fract() == 0.0 => serializer.serialize_u64(*number as u64),
            Self::Number(number) => serializer.serialize_f64(*number),
            Self::Text(text) => serializer.serialize_str(&masked(text)),
            Self::Path(path) => path.serialize(serializer),
            Self::Paths(paths) => paths.serialize(serializer),
        }
    }
}

/// Text as it may be shown, since what is shown may be pasted anywhere: an address keeps its host and loses who we are there.
fn masked(text: &str) -> String {
    text.split(',').map(masked_address).collect::<Vec<_>>().join(",")
}

fn masked_address(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else { return text.to_owned() };
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let host = authority.rfind('@').map_or(0, |at| at + 1);
    let path = match path.split_once("password=") {
        Some((before, after)) => {
            let rest = after.split_once('&').map_or_else(String::new, |(_, rest)| format!("&{rest}"));
            format!("{before}password=***{rest}")
        }
        None => path.to_owned(),
    };
    format!("{scheme}://{}{path}", &authority[host..])
}

fn choose(words: &[&str], text: &str) -> Result<Value, String> {
    let word = text.trim().to_ascii_lowercase().replace('_', "-");
    if words.contains(&word.as_str()) {
        return Ok(Value::Text(word));
    }
    let meant = suggest::nearest(&word, words.iter().copied());
    let meant = meant.map(|near| format!(", did you mean {near}?")).unwrap_or_default();
    Err(format!("{text:?} is not one of {}{meant}", words.join(", ")))
}

fn absolute(text: &str, base: &Path, home: Option<&Path>) -> Result<PathBuf, String> {
    if text.is_empty() || text.contains('\0') {
        return Err(format!("{text:?} is not a path"));
    }
    match (text.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => Ok(home.join(rest)),
        (Some(_), None) => Err(format!("{text:?} needs a home folder, and there is none")),
        (None, _) => Ok(base.join(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_shown_without_who_we_are_there() {
        let cases = [
            ("postgres://me:secret@db:5432/audit", "postgres://db:5432/audit"),
            (
                "postgres://db/audit?user=me&password=secret&sslmode=on",
                "postgres://db/audit?user=me&password=***&sslmode=on",
            ),
            ("nats://token@one:4222,nats://a:b@two:4222", "nats://one:4222,nats://two:4222"),
            ("nats://host", "nats://host"),
            ("native", "native"),
        ];
        for (text, shown) in cases {
            assert_eq!(masked(text), shown);
        }
    }
}
