//! Words and marks without which a file cannot match: files that lack them are never parsed.

use super::check::Check;

/// What a file must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Needs {
    Nothing,
    Word(String),
    /// This mark behind a `]`.
    AfterIndex(String),
    All(Vec<Self>),
    Any(Vec<Self>),
}

impl Needs {
    pub fn of(check: &Check) -> Self {
        match check {
            Check::Pattern(pattern) => {
                let words = pattern.words().into_iter().map(|word| Self::Word(word.to_owned()));
                let marks =
                    pattern.after_an_index().into_iter().map(|mark| Self::AfterIndex(mark.to_owned()));
                Self::All(words.chain(marks).collect())
            }
            Check::All(checks) => Self::All(checks.iter().map(Self::of).collect()),
            Check::Any(checks) => Self::Any(checks.iter().map(Self::of).collect()),
            Check::Related(related) => Self::of(&related.check),
            Check::Kind(_) | Check::Regex(_) | Check::Not(_) | Check::Nth(_) => Self::Nothing,
        }
    }

    /// Every word in it.
    pub fn words<'n>(&'n self, out: &mut Vec<&'n str>) {
        match self {
            Self::Nothing | Self::AfterIndex(_) => {}
            Self::Word(word) => out.push(word),
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.words(out)),
        }
    }

    /// Whether they are met by a file with this text, of which it is known which words it holds.
    pub fn met(&self, text: &str, holds: &impl Fn(&str) -> bool) -> bool {
        match self {
            Self::Nothing => true,
            Self::Word(word) => holds(word),
            Self::AfterIndex(mark) => is_after_a_bracket(text, mark),
            Self::All(parts) => parts.iter().all(|part| part.met(text, holds)),
            Self::Any(parts) => parts.iter().any(|part| part.met(text, holds)),
        }
    }
}

// Between the two may stand what the matcher does not look at; behind a comment anything may.
fn is_after_a_bracket(text: &str, mark: &str) -> bool {
    let skipped = |c: char| c.is_whitespace() || "\\,;(){}[]\"'".contains(c);
    text.split(']').skip(1).any(|rest| {
        // Brackets in a row: what follows the last of them follows the first too.
        let rest = rest.trim_start_matches(skipped);
        rest.starts_with(mark) || rest.starts_with(['#', '/'])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_behind_an_index_is_seen_through_spaces_and_comments() {
        for (text, expected) in [
            ("a[1] = 2", true),
            ("a[1]\\\n    = 2", true),
            ("a[b[1]]=2", true),
            ("(a[1]) = 2", true),
            ("a[1] /* x */ = 2", true),
            ("a = b[1]", false),
            ("a[1].b = 2", false),
            ("", false),
        ] {
            assert_eq!(is_after_a_bracket(text, "="), expected, "{text}");
        }
    }
}
