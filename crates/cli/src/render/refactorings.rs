//! Refactorings for people.

use crate::terminal::{CAUTION, FAINT, HEADING};
use formicary_model::refactorings::{RefactoringPlace, RefactoringReport};
use formicary_model::visible::one_line;
use formicary_platform::review::counted;
use std::fmt::Write as _;
use std::path::Path;

/// Where the files of a version are: the file or directory that was named, or nothing for a revision.
#[derive(Debug, Clone, Copy)]
pub struct Versions<'a> {
    /// The version before.
    pub before: Option<&'a Path>,
    /// The version after.
    pub after: Option<&'a Path>,
}

/// A file of a version as it can be opened.
fn opened(version: Option<&Path>, file: &str) -> String {
    match version {
        Some(path) if path.is_dir() => one_line(&path.join(file).to_string_lossy()),
        Some(path) => one_line(&path.to_string_lossy()),
        None => one_line(file),
    }
}

/// The refactorings, then what they do not explain.
pub fn report(report: &RefactoringReport, versions: Versions<'_>) -> String {
    let mut text = String::new();
    for found in &report.refactorings {
        let _ = writeln!(
            text,
            "{HEADING}{}{HEADING:#}  {}  {FAINT}{} → {}{FAINT:#}",
            found.kind.words(),
            one_line(&found.description),
            at(versions.before, &found.before),
            at(versions.after, &found.after)
        );
    }
    if !report.unexplained.is_empty() {
        let _ = writeln!(text, "{CAUTION}not explained by these:{CAUTION:#}");
    }
    for file in &report.unexplained {
        let version = if file.added.is_empty() { versions.before } else { versions.after };
        let _ = write!(text, "  {}", opened(version, &file.file));
        for (sign, lines) in [("-", &file.removed), ("+", &file.added)] {
            if !lines.is_empty() {
                let _ = write!(text, " {sign}{}", super::clones::lines(lines));
            }
        }
        text.push('\n');
    }
    text.push_str(&super::clones::notes(&report.notes));
    let _ = writeln!(
        text,
        "{} in {} explain {} of {} changed lines",
        counted(report.refactorings.len(), "refactoring"),
        counted(report.changed_files, "file"),
        report.explained_lines,
        report.changed_lines
    );
    text
}

fn at(version: Option<&Path>, place: &RefactoringPlace) -> String {
    format!("{}:{}", opened(version, &place.file), place.first_line)
}
