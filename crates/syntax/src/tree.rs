//! The grammar's own tree, for engines that compare structure rather than meaning.
//!
//! Same grammars, same bounds as [`crate::parse`]: what is refused there is refused here, with the same words.

use crate::dialect::Dialect;
use crate::lang::grammar;
use crate::lower::{Bounds, grow, refused};
use crate::unit::NoteKind;
use tree_sitter::{Language, Tree};

/// The tree of a text; broken code gives a tree with error nodes. `Err` says why the text was not read at all.
pub fn tree(dialect: Dialect, source: &str, bounds: Bounds) -> Result<Tree, NoteKind> {
    match refused(source, bounds) {
        Some(kind) => Err(kind),
        None => grow(grammar(dialect), source, bounds).ok_or(NoteKind::TooSlow),
    }
}

/// The grammar's kinds and fields by number.
pub fn grammar_of(dialect: Dialect) -> &'static Language {
    &grammar(dialect).language
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_large_is_refused_and_what_is_broken_is_not() {
        let bounds = Bounds { bytes: 10, ..Bounds::default() };
        assert_eq!(tree(Dialect::Python, "a = 1 + 2 + 3", bounds).err(), Some(NoteKind::TooLarge));
        let tree = tree(Dialect::Python, "a = (", bounds).unwrap();
        assert!(tree.root_node().has_error());
    }
}
