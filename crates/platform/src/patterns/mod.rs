//! The structural engines: search, rewrite, the index, clones, what a change consists of, refactorings.

pub mod clones;
mod index;
mod refactor;
mod refactorings;
mod rewrite;
mod search;

pub use clones::Clones;
pub use index::{Calls, Dependencies, Symbols};
pub use refactor::Refactor;
pub use refactorings::Refactorings;
pub use rewrite::{Rewrite, Undo};
pub use search::Search;

use crate::workspace::Workspace;
use formicary_model::SourceFile;
use formicary_model::patterns::FileChange;

/// Gives files that came along back as they are now. What was written of them is gone in a moment.
fn written_back(
    workspace: &Workspace,
    changes: &[FileChange],
    files: &mut Vec<SourceFile>,
    (written, undo): (&mut bool, &mut Option<String>),
) {
    if !workspace.is_project() {
        *files = workspace.changed(changes.iter().map(|change| change.file.as_str()));
        (*written, *undo) = (false, None);
    }
}
