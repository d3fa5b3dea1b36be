//! Words without which a file cannot match: files that lack them are never parsed.

use super::check::Check;

/// Which words a file must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Needs {
    Nothing,
    Word(String),
    All(Vec<Self>),
    Any(Vec<Self>),
}

impl Needs {
    pub fn of(check: &Check) -> Self {
        match check {
            Check::Pattern(pattern) => {
                Self::All(pattern.words().into_iter().map(|word| Self::Word(word.to_owned())).collect())
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
            Self::Nothing => {}
            Self::Word(word) => out.push(word),
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.words(out)),
        }
    }

    /// Whether they are met by a file of which it is known what it holds.
    pub fn met(&self, holds: &impl Fn(&str) -> bool) -> bool {
        match self {
            Self::Nothing => true,
            Self::Word(word) => holds(word),
            Self::All(parts) => parts.iter().all(|part| part.met(holds)),
            Self::Any(parts) => parts.iter().any(|part| part.met(holds)),
        }
    }
}
