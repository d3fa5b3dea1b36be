//! What can be done to a captured text before it goes into a template.

use regex::Regex;
use serde::Deserialize;

/// One transform of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Transform {
    /// Replaces what a regular expression matches.
    Replace {
        /// The metavariable.
        source: String,
        /// The regular expression.
        replace: String,
        /// What stands in its place; `$1` and `${name}` are groups.
        by: String,
    },
    /// Takes characters from here to there; negative numbers count from the end.
    #[serde(rename_all = "camelCase")]
    Substring {
        /// The metavariable.
        source: String,
        /// The first character.
        #[serde(default)]
        start_char: Option<i64>,
        /// The character after the last.
        #[serde(default)]
        end_char: Option<i64>,
    },
    /// Writes names in another case.
    #[serde(rename_all = "camelCase")]
    Convert {
        /// The metavariable.
        source: String,
        /// The case.
        to_case: Case,
    },
}

/// How names are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Case {
    /// `lowercase`
    LowerCase,
    /// `UPPERCASE`
    UpperCase,
    /// `Capitalize`
    Capitalize,
    /// `camelCase`
    CamelCase,
    /// `snake_case`
    SnakeCase,
    /// `kebab-case`
    KebabCase,
    /// `PascalCase`
    PascalCase,
}

impl Transform {
    /// The metavariable that it takes, without its dollars.
    pub fn source(&self) -> &str {
        let (Self::Replace { source, .. } | Self::Substring { source, .. } | Self::Convert { source, .. }) =
            self;
        source.trim_start_matches('$')
    }

    /// Whether it can be done at all.
    pub(crate) fn verify(&self) -> Result<(), String> {
        match self {
            Self::Replace { replace, .. } => match Regex::new(replace) {
                Ok(_) => Ok(()),
                Err(error) => Err(format!("regex {replace}: {error}")),
            },
            Self::Substring { .. } | Self::Convert { .. } => Ok(()),
        }
    }

    /// The text that it makes of another.
    pub fn apply(&self, text: &str) -> String {
        match self {
            Self::Replace { replace, by, .. } => match Regex::new(replace) {
                Ok(regex) => regex.replace_all(text, by.as_str()).into_owned(),
                Err(_) => text.to_owned(),
            },
            Self::Substring { start_char, end_char, .. } => {
                let characters: Vec<char> = text.chars().collect();
                let length = i64::try_from(characters.len()).unwrap_or(i64::MAX);
                let place = |at: i64| {
                    usize::try_from(if at < 0 { length + at } else { at }.clamp(0, length)).unwrap_or(0)
                };
                let (start, end) = (place(start_char.unwrap_or(0)), place(end_char.unwrap_or(length)));
                characters.get(start..end.max(start)).unwrap_or_default().iter().collect()
            }
            Self::Convert { to_case, .. } => to_case.of(text),
        }
    }
}

impl Case {
    fn of(self, text: &str) -> String {
        let words = words(text);
        let capital = |word: &String| {
            let mut characters = word.chars();
            let first: String = characters.next().into_iter().flat_map(char::to_uppercase).collect();
            first + characters.as_str()
        };
        match self {
            Self::LowerCase => text.to_lowercase(),
            Self::UpperCase => text.to_uppercase(),
            Self::Capitalize => capital(&text.to_owned()),
            Self::SnakeCase => words.join("_"),
            Self::KebabCase => words.join("-"),
            Self::PascalCase => words.iter().map(capital).collect(),
            Self::CamelCase => {
                let mut all = words.iter();
                all.next().cloned().unwrap_or_default() + &all.map(capital).collect::<String>()
            }
        }
    }
}

/// The words of a name in lower case: `parseHTTPHeader` and `parse_http_header` have the same three.
fn words(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    for (at, character) in characters.iter().enumerate() {
        if !character.is_alphanumeric() {
            words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
            continue;
        }
        let before = at.checked_sub(1).map(|at| characters[at]);
        let after = characters.get(at + 1);
        let begins = character.is_uppercase()
            && (before.is_some_and(|c| c.is_lowercase() || c.is_numeric())
                || before.is_some_and(char::is_uppercase) && after.is_some_and(|c| c.is_lowercase()));
        if begins && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        word.extend(character.to_lowercase());
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_change_their_case() {
        for (case, expected) in [
            (Case::SnakeCase, "parse_http_header"),
            (Case::KebabCase, "parse-http-header"),
            (Case::CamelCase, "parseHttpHeader"),
            (Case::PascalCase, "ParseHttpHeader"),
        ] {
            for text in ["parseHTTPHeader", "parse_http_header", "ParseHttpHeader"] {
                assert_eq!(case.of(text), expected, "{text}");
            }
        }
    }

    #[test]
    fn parts_of_texts_are_taken() {
        let cut = |start_char, end_char| {
            Transform::Substring { source: "$A".into(), start_char, end_char }.apply("'äbc'")
        };
        assert_eq!(cut(Some(1), Some(-1)), "äbc");
        assert_eq!(cut(None, Some(99)), "'äbc'");
        assert_eq!(cut(Some(4), Some(2)), "");
        let replace = Transform::Replace { source: "A".into(), replace: "^get_(.*)".into(), by: "$1".into() };
        assert_eq!(replace.apply("get_name"), "name");
    }
}
