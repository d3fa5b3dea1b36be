//! The grammars, and which file is read by which.

use formicary_model::Language;

/// A language as its grammar knows it: JSX and TSX have grammars of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dialect {
    /// Python 3.
    Python,
    /// JavaScript, JSX included.
    JavaScript,
    /// TypeScript.
    TypeScript,
    /// TypeScript with JSX.
    Tsx,
    /// Java.
    Java,
    /// C.
    C,
    /// C++.
    Cpp,
    /// Go.
    Go,
    /// Rust.
    Rust,
    /// Bash and POSIX shell.
    Bash,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Python,
        Self::JavaScript,
        Self::TypeScript,
        Self::Tsx,
        Self::Java,
        Self::C,
        Self::Cpp,
        Self::Go,
        Self::Rust,
        Self::Bash,
    ];

    /// The language that people would name.
    pub const fn language(self) -> Language {
        match self {
            Self::Python => Language::Python,
            Self::JavaScript => Language::JavaScript,
            Self::TypeScript | Self::Tsx => Language::TypeScript,
            Self::Java => Language::Java,
            Self::C => Language::C,
            Self::Cpp => Language::Cpp,
            Self::Go => Language::Go,
            Self::Rust => Language::Rust,
            Self::Bash => Language::Bash,
        }
    }

    /// The dialect in which code of a language is read when no file name says more.
    pub const fn of(language: Language) -> Self {
        match language {
            Language::Python => Self::Python,
            Language::JavaScript => Self::JavaScript,
            Language::TypeScript => Self::TypeScript,
            Language::Java => Self::Java,
            Language::C => Self::C,
            Language::Cpp => Self::Cpp,
            Language::Go => Self::Go,
            Language::Rust => Self::Rust,
            Language::Bash => Self::Bash,
        }
    }

    /// The dialect of a file by its name, and by its first line where the name says nothing.
    pub fn of_file(path: &str, text: &str) -> Option<Self> {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let Some((_, ending)) = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()) else {
            return Self::of_first_line(text);
        };
        Some(match ending.to_ascii_lowercase().as_str() {
            "py" | "pyw" | "pyi" => Self::Python,
            "js" | "mjs" | "cjs" | "jsx" => Self::JavaScript,
            "ts" | "mts" | "cts" => Self::TypeScript,
            "tsx" => Self::Tsx,
            "java" => Self::Java,
            "c" => Self::C,
            "h" if looks_like_cpp(text) => Self::Cpp,
            "h" => Self::C,
            "cpp" | "cc" | "cxx" | "c++" | "hpp" | "hh" | "hxx" | "ipp" | "inl" => Self::Cpp,
            "go" => Self::Go,
            "rs" => Self::Rust,
            "sh" | "bash" | "bats" => Self::Bash,
            _ => return None,
        })
    }

    fn of_first_line(text: &str) -> Option<Self> {
        let line = text.lines().next()?.strip_prefix("#!")?;
        let program =
            line.split_whitespace().find(|word| !word.ends_with("/env") && !word.starts_with('-'))?;
        match program.rsplit('/').next()?.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') {
            "python" => Some(Self::Python),
            "node" | "nodejs" => Some(Self::JavaScript),
            "bash" | "sh" | "dash" | "ksh" => Some(Self::Bash),
            _ => None,
        }
    }
}

/// Headers are C unless they say something that only C++ understands.
fn looks_like_cpp(text: &str) -> bool {
    text.lines().take(2_000).map(str::trim_start).any(|line| {
        let class = line.strip_prefix("class ").is_some_and(|rest| !rest.contains('*'));
        class
            || [
                "namespace ",
                "template <",
                "template<",
                "using namespace",
                "public:",
                "private:",
                "protected:",
            ]
            .iter()
            .any(|word| line.starts_with(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_find_their_dialect() {
        let cases = [
            ("a/b.py", "", Some(Dialect::Python)),
            ("b.TSX", "", Some(Dialect::Tsx)),
            ("x.h", "int a;", Some(Dialect::C)),
            ("x.h", "namespace a {}", Some(Dialect::Cpp)),
            ("run", "#!/usr/bin/env python3\n", Some(Dialect::Python)),
            ("run", "#!/bin/sh -e\n", Some(Dialect::Bash)),
            ("a.md", "", None),
            (".bashrc", "", None),
        ];
        for (path, text, expected) in cases {
            assert_eq!(Dialect::of_file(path, text), expected, "{path}");
        }
    }
}
