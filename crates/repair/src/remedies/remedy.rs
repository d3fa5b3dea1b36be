//! What a remedy is: a row with its name, the failure that it answers, what it proposes, and examples.

use super::spot::Spot;
use crate::Candidate;
use formicary_model::Language;

/// What a failure of a known kind usually needs.
pub struct Remedy {
    /// The second word of its candidates' origin.
    pub name: &'static str,
    /// One line: what it does.
    pub about: &'static str,
    /// The languages that it is for.
    pub languages: &'static [Language],
    /// Kinds of errors that it answers, or [`OTHERWISE`]. Empty: it looks at every line although nothing failed there.
    pub answers: &'static [&'static str],
    /// Words of which the message must hold one; empty where the kind is enough.
    pub says: &'static [&'static str],
    /// What it proposes.
    pub way: Way,
    /// Failures with the text that one of its candidates makes.
    pub examples: &'static [Example],
}

/// How a remedy finds its candidates.
pub enum Way {
    /// Every place of a pattern on the failing line is replaced, each for itself: the pattern, what is written, the cost.
    Replace(&'static [(&'static str, &'static str, f64)]),
    /// A function that looks at the place.
    Propose(fn(&Spot<'_>) -> Vec<Candidate>),
}

/// A failure and its remedy: the error's kind, its message, the text before and after. The failing line is the one that
/// begins with `▸`, or the last.
pub type Example = (&'static str, &'static str, &'static str, &'static str);

impl Remedy {
    /// Its candidates for an error, which it may not answer at all.
    pub fn candidates(&self, spot: &Spot<'_>) -> Vec<Candidate> {
        let answers = match self.answers {
            [] => spot.kind.is_empty(),
            OTHERWISE => !spot.kind.is_empty() && !spot.answered,
            kinds => kinds.contains(&spot.kind),
        };
        let is_meant = answers
            && self.languages.contains(&spot.case.language)
            && (self.says.is_empty() || self.says.iter().any(|words| spot.says(words)));
        if !is_meant {
            return Vec::new();
        }
        let spot = Spot { remedy: self.name, ..*spot };
        match self.way {
            Way::Replace(rows) => {
                rows.iter().flat_map(|(pattern, new, cost)| spot.replace(pattern, new, *cost)).collect()
            }
            Way::Propose(propose) => propose(&spot),
        }
    }
}

/// Every kind of error that no other row of the language names.
pub const OTHERWISE: &[&str] = &["*"];

/// Python.
pub const PYTHON: &[Language] = &[Language::Python];
/// JavaScript and TypeScript.
pub const SCRIPT: &[Language] = &[Language::JavaScript, Language::TypeScript];
/// Java.
pub const JAVA: &[Language] = &[Language::Java];
/// C and C++.
pub const NATIVE: &[Language] = &[Language::C, Language::Cpp];
/// C alone.
pub const C: &[Language] = &[Language::C];
/// C++ alone.
pub const CPP: &[Language] = &[Language::Cpp];
/// Go.
pub const GO: &[Language] = &[Language::Go];
/// Rust.
pub const RUST: &[Language] = &[Language::Rust];
/// Bash.
pub const BASH: &[Language] = &[Language::Bash];
