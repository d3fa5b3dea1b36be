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
use formicary_search::Source;
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
