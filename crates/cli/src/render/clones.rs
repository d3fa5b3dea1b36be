//! Copies for people.

use crate::terminal::{CAUTION, FAINT, HEADING};
use formicary_model::clones::{CloneGroup, ClonePlace, CloneReport, InconsistentEdit};
use formicary_model::review::{Note, NoteKind};
use formicary_model::visible::one_line;
use formicary_platform::review::counted;
use std::fmt::Write as _;

/// The groups, the heaviest first, and the figures.
pub fn report(report: &CloneReport, most: usize) -> String {
    let mut text = String::new();
    for edit in &report.inconsistent {
        inconsistent(&mut text, edit);
    }
    let open: Vec<&CloneGroup> = report.groups.iter().filter(|group| !group.known).collect();
    for group in open.iter().take(most) {
        show(&mut text, group);
    }
    if open.len() > most {
        let _ = writeln!(text, "{FAINT}… and {} groups more; --limit shows them{FAINT:#}", open.len() - most);
    }
    text.push_str(&notes(&report.notes));
    let known = report.groups.len() - open.len();
    let _ = write!(text, "{} of copies", counted(open.len(), "group"));
    if known > 0 {
        let _ = write!(text, ", {known} known ones");
    }
    let _ = writeln!(
        text,
        "; {} of {} lines in {} stand elsewhere too: {:.2} %",
        report.duplicated_lines,
        report.lines,
        counted(report.files, "file"),
        report.duplication_percent
    );
    text
}

/// What could not be looked at. Links lead to what is looked at anyway.
pub fn notes(notes: &[Note]) -> String {
    let line = |note: &Note| {
        let line = note.line.map(|line| format!(":{line}")).unwrap_or_default();
        let file = note.file.as_deref().map(|file| format!("{}{line}: ", one_line(file))).unwrap_or_default();
        format!("{FAINT}{file}{}{FAINT:#}\n", one_line(&note.message))
    };
    notes.iter().filter(|note| note.kind != NoteKind::Link).map(line).collect()
}

fn show(text: &mut String, group: &CloneGroup) {
    let _ = writeln!(
        text,
        "{HEADING}{} {}{HEADING:#}, type {}, {:.0} % alike, {} places",
        group.kind.word(),
        group.level.word(),
        group.kind.number(),
        group.similarity * 100.0,
        group.places.len()
    );
    for place in group.places.iter().take(8) {
        let _ = write!(text, "  {}", at(place));
        if !place.differing_lines.is_empty() {
            let _ = write!(text, "  {FAINT}differs in {}{FAINT:#}", lines(&place.differing_lines));
        }
        text.push('\n');
    }
    if group.places.len() > 8 {
        let _ = writeln!(text, "  {FAINT}… {} more{FAINT:#}", group.places.len() - 8);
    }
    if let Some(suggestion) = &group.suggestion {
        let _ = writeln!(text, "  {FAINT}→ {}{FAINT:#}", one_line(suggestion));
    }
}

fn inconsistent(text: &mut String, edit: &InconsistentEdit) {
    let _ = writeln!(
        text,
        "{CAUTION}edited here only:{CAUTION:#} {} (lines {})",
        at(&edit.edited),
        lines(&edit.changed_lines)
    );
    for place in &edit.untouched {
        let _ = writeln!(text, "  not here: {}", at(place));
    }
}

fn at(place: &ClonePlace) -> String {
    let name = place.name.as_ref().map(|name| format!(" {}", one_line(name))).unwrap_or_default();
    format!("{}:{}-{}{name}", one_line(&place.file), place.first_line, place.last_line)
}

/// `3, 5-7`.
pub fn lines(lines: &[u32]) -> String {
    let runs: Vec<String> = lines
        .chunk_by(|a, b| a + 1 == *b)
        .map(|run| match (run.first(), run.last()) {
            (Some(a), Some(b)) if a != b => format!("{a}-{b}"),
            (Some(a), _) => a.to_string(),
            _ => String::new(),
        })
        .collect();
    if runs.len() > 6 {
        format!("{} and {} more", runs[..6].join(", "), runs.len() - 6)
    } else {
        runs.join(", ")
    }
}
