//! Refactorings of Java.
//!
//! | module | what it holds |
//! |---|---|
//! | [`names`] | every name of a file that stands by itself, with what it stands for |
//! | `project` | the types of all files, and the types of expressions |
//! | `members`, `classes` | another name for methods and fields, for types |
//! | [`rename`] | another name, in every file that uses it |

mod classes;
mod members;
pub(super) mod names;
mod project;
pub(super) mod rename;
#[cfg(test)]
mod tests;

const RESERVED: &[&str] = &[
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extends",
    "false",
    "final",
    "finally",
    "float",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "record",
    "return",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "transient",
    "true",
    "try",
    "var",
    "void",
    "volatile",
    "while",
    "yield",
    "_",
];

/// Whether a word can be a name.
pub(super) fn is_name(word: &str) -> bool {
    let mut characters = word.chars();
    let first = characters.next().is_some_and(|c| c.is_alphabetic() || c == '_' || c == '$');
    first && characters.all(|c| c.is_alphanumeric() || c == '_' || c == '$') && !RESERVED.contains(&word)
}
