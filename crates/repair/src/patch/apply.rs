//! Hunks found where they belong: where they say, else nearby, else with white space forgiven, else with less context.

use super::parse::{FilePatch, Hunk, HunkLine, Patch};
use std::collections::BTreeMap;

/// Lines of context that may differ at each end of a hunk.
const FUZZ: usize = 2;

/// A text after its patch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AppliedPatch {
    /// The text.
    pub text: String,
    /// What was not where the diff says, in words.
    pub notes: Vec<String>,
}

/// A hunk that fits nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HunkFailure {
    /// Which of the file's hunks, from 1.
    pub hunk: usize,
    /// Its line in the diff.
    pub at: usize,
    /// Why.
    pub why: String,
}

/// Why a patch does not apply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatchFailure {
    /// A file that it changes is not there.
    #[error("{0} does not exist")]
    Missing(String),
    /// A file that it makes is there already.
    #[error("{0} exists already")]
    Exists(String),
    /// Hunks that fit nowhere.
    #[error("{path}: {}", .hunks.iter().map(|hunk| format!("hunk {} (line {} of the diff): {}", hunk.hunk, hunk.at, hunk.why)).collect::<Vec<_>>().join("; "))]
    Hunks {
        /// The file.
        path: String,
        /// The hunks.
        hunks: Vec<HunkFailure>,
    },
}

/// What becomes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileChange {
    /// It has this text.
    Written(String),
    /// It goes.
    Removed,
}

/// The files of a patch after it; all or nothing. `read` gives the text of a path.
pub fn apply(
    patch: &Patch,
    read: impl Fn(&str) -> Option<String>,
) -> Result<BTreeMap<String, FileChange>, PatchFailure> {
    let mut changes: BTreeMap<String, FileChange> = BTreeMap::new();
    for file in &patch.files {
        // A later part of the diff sees what an earlier one made.
        let text = |path: &str| match changes.get(path) {
            Some(FileChange::Written(text)) => Some(text.clone()),
            Some(FileChange::Removed) => None,
            None => read(path),
        };
        let old = match &file.old_path {
            Some(path) => text(path).ok_or_else(|| PatchFailure::Missing(path.clone()))?,
            None => match &file.new_path {
                Some(path) if text(path).is_some_and(|text| !text.is_empty()) => {
                    return Err(PatchFailure::Exists(path.clone()));
                }
                _ => String::new(),
            },
        };
        if file.new_path != file.old_path
            && let (Some(_), Some(path)) = (&file.old_path, &file.new_path)
            && text(path).is_some()
        {
            return Err(PatchFailure::Exists(path.clone()));
        }
        let name = file.new_path.as_ref().or(file.old_path.as_ref()).cloned().unwrap_or_default();
        let applied = apply_to(&old, file).map_err(|hunks| PatchFailure::Hunks { path: name, hunks })?;
        if let Some(path) = file.old_path.as_ref().filter(|path| file.new_path.as_ref() != Some(*path)) {
            changes.insert(path.clone(), FileChange::Removed);
        }
        if let Some(path) = &file.new_path {
            changes.insert(path.clone(), FileChange::Written(applied.text));
        }
    }
    Ok(changes)
}

/// One file's text after its hunks. All hunks that fit nowhere are told, not only the first.
pub fn apply_to(text: &str, patch: &FilePatch) -> Result<AppliedPatch, Vec<HunkFailure>> {
    let crlf = text.contains("\r\n");
    let mut ends_in_newline = text.is_empty() || text.ends_with('\n');
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut applied = AppliedPatch::default();
    let mut failures = Vec::new();
    let mut moved: i64 = 0;
    let mut done = 0;
    for (index, hunk) in patch.hunks.iter().enumerate() {
        let expected = (hunk.old_start.saturating_sub(1) as i64 + moved).max(0) as usize;
        match find(&lines, hunk, expected, done) {
            Some(found) => {
                if found.start != expected + found.skipped || found.loose {
                    let how =
                        if found.loose { ", differences in white space or context forgiven" } else { "" };
                    applied.notes.push(format!(
                        "hunk {} was applied at line {}{how}",
                        index + 1,
                        found.start + 1
                    ));
                }
                let (new, old_count) = replacement(&lines, hunk, &found);
                let at_end = found.start + old_count == lines.len();
                moved = found.start as i64 - (hunk.old_start.saturating_sub(1) + found.skipped) as i64
                    + new.len() as i64
                    - old_count as i64;
                done = found.start + new.len();
                lines.splice(found.start..found.start + old_count, new);
                if at_end && hunk.no_newline != (false, false) {
                    ends_in_newline = !hunk.no_newline.1;
                }
            }
            None => {
                failures.push(HunkFailure { hunk: index + 1, at: hunk.at, why: why(&lines, hunk, expected) })
            }
        }
    }
    if !failures.is_empty() {
        return Err(failures);
    }
    let end = if crlf { "\r\n" } else { "\n" };
    applied.text = lines.join(end);
    if ends_in_newline && !lines.is_empty() {
        applied.text.push_str(end);
    }
    Ok(applied)
}

struct Found {
    start: usize,
    /// Lines of the hunk that are left out at its beginning, and at its end.
    skipped: usize,
    cut: usize,
    loose: bool,
}

fn old_lines(hunk: &Hunk) -> Vec<&str> {
    let old = hunk.lines.iter().filter_map(|line| match line {
        HunkLine::Context(text) | HunkLine::Removed(text) => Some(text.trim_end_matches('\r')),
        HunkLine::Added(_) => None,
    });
    old.collect()
}

/// Where a hunk's old lines stand: exactly, then with white space at line ends forgiven, then with less context.
fn find(lines: &[String], hunk: &Hunk, expected: usize, from: usize) -> Option<Found> {
    let old = old_lines(hunk);
    let head = hunk.lines.iter().take_while(|line| matches!(line, HunkLine::Context(_))).count();
    let tail = hunk.lines.iter().rev().take_while(|line| matches!(line, HunkLine::Context(_))).count();
    for fuzz in 0..=FUZZ {
        let (skipped, cut) = (fuzz.min(head), fuzz.min(tail));
        if fuzz > 0 && (skipped + cut == 0 || skipped + cut >= old.len()) {
            break;
        }
        let wanted = &old[skipped..old.len() - cut];
        if wanted.is_empty() {
            let start = expected.clamp(from, lines.len().max(from));
            // A hunk with nothing but new lines says where it goes; @@ -0,0 is the beginning.
            let start = if hunk.old_start == 0 { 0 } else { (start + 1).min(lines.len()) };
            return Some(Found { start, skipped, cut, loose: false });
        }
        for loose in [false, true] {
            let same = |have: &str, want: &str| match loose {
                false => have == want,
                true => have.split_whitespace().eq(want.split_whitespace()),
            };
            let fits = |start: usize| {
                lines
                    .get(start..start + wanted.len())
                    .is_some_and(|have| have.iter().zip(wanted).all(|(have, want)| same(have, want)))
            };
            let target = expected + skipped;
            let mut places: Vec<usize> = (from..lines.len()).filter(|start| fits(*start)).collect();
            places.sort_by_key(|start| start.abs_diff(target));
            if let Some(start) = places.first() {
                return Some(Found { start: *start, skipped, cut, loose: loose || fuzz > 0 });
            }
        }
    }
    None
}

/// The new lines, with context as the file has it, and how many lines they replace.
fn replacement(lines: &[String], hunk: &Hunk, found: &Found) -> (Vec<String>, usize) {
    let inner = &hunk.lines[found.skipped..hunk.lines.len() - found.cut];
    let mut new = Vec::new();
    let mut old = 0;
    for line in inner {
        match line {
            HunkLine::Context(text) => {
                new.push(lines.get(found.start + old).cloned().unwrap_or_else(|| text.clone()));
                old += 1;
            }
            HunkLine::Removed(_) => old += 1,
            HunkLine::Added(text) => new.push(text.trim_end_matches('\r').to_owned()),
        }
    }
    (new, old)
}

/// Why a hunk fits nowhere.
fn why(lines: &[String], hunk: &Hunk, expected: usize) -> String {
    let new: Vec<&str> = hunk
        .lines
        .iter()
        .filter_map(|line| match line {
            HunkLine::Context(text) | HunkLine::Added(text) => Some(text.trim_end_matches('\r')),
            HunkLine::Removed(_) => None,
        })
        .collect();
    if !new.is_empty()
        && lines.windows(new.len()).any(|have| have.iter().zip(&new).all(|(have, want)| have == want))
    {
        return "it seems to be applied already".into();
    }
    let old = old_lines(hunk);
    let differs = old
        .iter()
        .enumerate()
        .find(|(index, want)| lines.get(expected + index).is_none_or(|have| have != *want));
    match differs {
        Some((index, want)) => match lines.get(expected + index) {
            Some(have) => format!("line {} is {have:?}, the diff wants {want:?}", expected + index + 1),
            None => format!(
                "the file has only {} lines, the diff wants {want:?} at line {}",
                lines.len(),
                expected + index + 1
            ),
        },
        None => "another hunk changed these lines".into(),
    }
}
