//! The languages that Formicary knows without being told.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A built-in language. Users add others to the execution registry by a TOML table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// CPython 3.
    Python,
    /// Node.js.
    JavaScript,
    /// TypeScript, its types stripped before Node.js runs it.
    TypeScript,
    /// Java, any class name.
    Java,
    /// C.
    C,
    /// C++.
    Cpp,
    /// Go.
    Go,
    /// Rust.
    Rust,
    /// GNU Bash.
    Bash,
}

impl Language {
    /// All of them, in the order in which they are listed to people.
    pub const ALL: [Self; 9] = [
        Self::Python,
        Self::JavaScript,
        Self::TypeScript,
        Self::Java,
        Self::C,
        Self::Cpp,
        Self::Go,
        Self::Rust,
        Self::Bash,
    ];

    /// The identifier on the wire and on the command line.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::JavaScript => "javascript",
            Self::TypeScript => "typescript",
            Self::Java => "java",
            Self::C => "c",
            Self::Cpp => "cpp",
            Self::Go => "go",
            Self::Rust => "rust",
            Self::Bash => "bash",
        }
    }

    /// The name as people write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Python => "Python",
            Self::JavaScript => "JavaScript",
            Self::TypeScript => "TypeScript",
            Self::Java => "Java",
            Self::C => "C",
            Self::Cpp => "C++",
            Self::Go => "Go",
            Self::Rust => "Rust",
            Self::Bash => "Bash",
        }
    }

    /// Other words for it that are understood.
    pub const fn aliases(self) -> &'static [&'static str] {
        match self {
            Self::Python => &["py", "python3", "cpython"],
            Self::JavaScript => &["js", "node", "nodejs", "ecmascript"],
            Self::TypeScript => &["ts", "tsx"],
            Self::Java => &["jdk", "openjdk"],
            Self::C => &["c99", "c11", "c17"],
            Self::Cpp => &["c++", "cxx", "cc", "cplusplus"],
            Self::Go => &["golang"],
            Self::Rust => &["rs"],
            Self::Bash => &["sh", "shell"],
        }
    }

    /// File endings, without the dot; the first is the one Formicary writes.
    pub const fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Python => &["py", "pyw"],
            Self::JavaScript => &["js", "mjs", "cjs", "jsx"],
            Self::TypeScript => &["ts", "mts", "cts", "tsx"],
            Self::Java => &["java"],
            Self::C => &["c"],
            Self::Cpp => &["cpp", "cc", "cxx", "c++"],
            Self::Go => &["go"],
            Self::Rust => &["rs"],
            Self::Bash => &["sh", "bash"],
        }
    }

    /// The language of this identifier or alias, in any case.
    pub fn from_word(word: &str) -> Option<Self> {
        let word = word.to_ascii_lowercase();
        Self::ALL.into_iter().find(|l| l.id() == word || l.aliases().contains(&word.as_str()))
    }

    /// The language whose files end in `extension` (no dot).
    pub fn from_extension(extension: &str) -> Option<Self> {
        let extension = extension.to_ascii_lowercase();
        Self::ALL.into_iter().find(|l| l.extensions().contains(&extension.as_str()))
    }
}

impl std::fmt::Display for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_endings_are_unambiguous() {
        let mut words: Vec<&str> =
            Language::ALL.iter().flat_map(|l| l.aliases().iter().copied().chain([l.id()])).collect();
        let mut endings: Vec<&str> =
            Language::ALL.iter().flat_map(|l| l.extensions().iter().copied()).collect();
        for list in [&mut words, &mut endings] {
            let before = list.len();
            list.sort_unstable();
            list.dedup();
            assert_eq!(list.len(), before);
        }
    }

    #[test]
    fn the_wire_form_is_the_identifier() {
        for language in Language::ALL {
            assert_eq!(serde_json::to_string(&language).unwrap(), format!("\"{}\"", language.id()));
            assert_eq!(Language::from_word(&language.id().to_uppercase()), Some(language));
        }
    }
}
