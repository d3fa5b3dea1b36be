//! Refactorings of JavaScript and TypeScript.
//!
//! | module | what it holds |
//! |---|---|
//! | [`names`] | every name of a file, with what it stands for |
//! | [`paths`] | which file a module's name means |
//! | [`uses`] | who takes a name from a module |
//! | [`rename`] | another name, in every file that uses it |

pub(super) mod names;
mod paths;
pub(super) mod rename;
#[cfg(test)]
mod tests;
mod uses;

use super::Refused;
use crate::source::Source;
use formicary_syntax::Bounds;
use formicary_syntax::tree::tree;

fn grown(source: &Source) -> Result<tree_sitter::Tree, Refused> {
    let tree = tree(source.dialect(), source.text(), Bounds::default())
        .map_err(|kind| Refused::Wrong(format!("{}: {}", source.path(), kind.message())))?;
    if tree.root_node().has_error() {
        return Err(Refused::Wrong(format!(
            "{}: it does not parse; nothing in it is certain",
            source.path()
        )));
    }
    Ok(tree)
}

const RESERVED: &[&str] = &[
    "arguments",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "eval",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "let",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "undefined",
    "var",
    "void",
    "while",
    "with",
    "yield",
];

/// Whether a word can be a name.
pub(super) fn is_name(word: &str) -> bool {
    let mut characters = word.chars();
    let first = characters.next().is_some_and(|c| c.is_alphabetic() || c == '_' || c == '$');
    first && characters.all(|c| c.is_alphanumeric() || c == '_' || c == '$') && !RESERVED.contains(&word)
}
