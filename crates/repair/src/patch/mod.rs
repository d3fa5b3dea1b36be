//! Patches as unified diffs: written, read, and applied with patience.
//!
//! | module | what it holds |
//! |---|---|
//! | `parse` | a unified diff read, with the line of what is wrong in it |
//! | `apply` | hunks found where they belong, and why one is not |
//!
//! Nothing here touches a file: texts come in and go out.

mod apply;
mod parse;

pub use apply::{AppliedPatch, FileChange, HunkFailure, PatchFailure, apply, apply_to};
pub use parse::{FilePatch, Hunk, HunkLine, ParseError, Patch, parse};

/// The unified diff between two texts of one file; empty where they are the same.
pub fn diff(path: &str, old: &str, new: &str) -> String {
    similar::TextDiff::from_lines(old, new)
        .unified_diff()
        .context_radius(3)
        .header(&format!("a/{path}"), &format!("b/{path}"))
        .to_string()
}

#[cfg(test)]
mod tests;
