//! Which words can be names: the languages' keywords stand in one place, `clones::words`, and this adds what only matters here.

use formicary_clones::tokens::Class;
use formicary_clones::words::class;
use formicary_syntax::Dialect;

// Keywords only where the grammar expects them.
const SOFT: &[&str] = &["abstract", "as", "async", "case", "namespace", "of", "readonly", "type"];

const JAVA: &[&str] = &[
    "_", "boolean", "byte", "char", "const", "double", "float", "int", "long", "record", "short", "var",
    "void",
];
const SCRIPT: &[&str] = &["arguments", "eval", "package"];
const C: &[&str] = &["char", "double", "float", "int", "long", "short", "signed", "unsigned", "void"];
const RUST: &[&str] = &[
    "Self", "_", "abstract", "become", "box", "do", "final", "gen", "macro", "override", "priv", "try",
    "typeof", "unsized", "virtual", "yield",
];

/// Whether a word can be a name.
pub(super) fn is_name(dialect: Dialect, word: &str) -> bool {
    let script = matches!(dialect, Dialect::JavaScript | Dialect::TypeScript | Dialect::Tsx);
    let (dollar, more) = match dialect {
        Dialect::Java => (true, JAVA),
        _ if script => (true, SCRIPT),
        Dialect::C | Dialect::Cpp => (false, C),
        Dialect::Rust => (false, RUST),
        Dialect::Go => (false, ["_"].as_slice()),
        _ => (false, [].as_slice()),
    };
    let fits = |c: char| c == '_' || c == '$' && dollar;
    let mut characters = word.chars();
    let first = characters.next().is_some_and(|c| c.is_alphabetic() || fits(c));
    let soft = SOFT.contains(&word) && (script || dialect == Dialect::Python && word == "case");
    first
        && characters.all(|c| c.is_alphanumeric() || fits(c))
        && !more.contains(&word)
        && (soft || is_free(dialect, word))
}

// No keyword, and no literal of this very language.
fn is_free(dialect: Dialect, word: &str) -> bool {
    match class(dialect, word.as_bytes()) {
        Class::Name => true,
        Class::Literal => match dialect {
            Dialect::Python => !matches!(word, "None" | "True" | "False"),
            Dialect::Rust => !matches!(word, "true" | "false" | "None"),
            _ => matches!(word, "None" | "True" | "False" | "nil"),
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_no_names() {
        for (dialect, yes, no) in [
            (Dialect::Python, "case", "lambda"),
            (Dialect::Python, "größe", "None"),
            (Dialect::Java, "$value", "int"),
            (Dialect::Java, "of", "synchronized"),
            (Dialect::JavaScript, "type", "arguments"),
            (Dialect::TypeScript, "_", "undefined"),
            (Dialect::C, "value_2", "unsigned"),
            (Dialect::Go, "value", "_"),
            (Dialect::Rust, "value", "Self"),
            (Dialect::Rust, "as_it_is", "$value"),
        ] {
            assert!(is_name(dialect, yes), "{yes}");
            assert!(!is_name(dialect, no), "{no}");
            assert!(!is_name(dialect, "") && !is_name(dialect, "2nd") && !is_name(dialect, "a b"));
        }
    }
}
