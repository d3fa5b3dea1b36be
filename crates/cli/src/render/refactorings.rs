//! Refactorings for people.

use crate::terminal::{CAUTION, FAINT, HEADING, printable};
use formicary_model::refactorings::{RefactoringPlace, RefactoringReport};
use std::fmt::Write as _;

/// The refactorings, then what they do not explain.
pub fn report(report: &RefactoringReport) -> String {
    let mut text = String::new();
    for found in &report.refactorings {
        let _ = writeln!(
            text,
            "{HEADING}{}{HEADING:#}  {}  {FAINT}{} → {}{FAINT:#}",
            found.kind.words(),
            printable(&found.description),
            at(&found.before),
            at(&found.after)
        );
    }
    if !report.unexplained.is_empty() {
        let _ = writeln!(text, "{CAUTION}not explained by these:{CAUTION:#}");
    }
    for file in &report.unexplained {
        let _ = write!(text, "  {}", printable(&file.file));
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
        "{} refactorings in {} files explain {} of {} changed lines",
        report.refactorings.len(),
        report.changed_files,
        report.explained_lines,
        report.changed_lines
    );
    text
}

fn at(place: &RefactoringPlace) -> String {
    format!("{}:{}", printable(&place.file), place.first_line)
}
