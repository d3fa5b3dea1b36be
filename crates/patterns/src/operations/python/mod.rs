//! Refactorings of Python.
//!
//! | module | what it holds |
//! |---|---|
//! | [`names`] | every name of a file, with what it stands for |
//! | [`rename`] | another name, in every file that uses it |
//! | [`extract`] | an expression becomes a variable, statements become a function |
//! | [`inline`] | a variable becomes what it stands for |

pub(super) mod extract;
pub(super) mod inline;
mod names;
pub(super) mod rename;
#[cfg(test)]
mod tests;

/// Whether a word can be a name in Python.
fn is_name(word: &str) -> bool {
    const RESERVED: &[&str] = &[
        "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
        "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in",
        "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
    ];
    let mut characters = word.chars();
    let first = characters.next().is_some_and(|c| c.is_alphabetic() || c == '_');
    first && characters.all(|c| c.is_alphanumeric() || c == '_') && !RESERVED.contains(&word)
}
