//! Patches as people and tools read them.

use crate::{Candidate, Case};
use formicary_diagnose::localise::slices::slice;
use formicary_diagnose::localise::{Observation, spectrum};
use formicary_model::{PatchedFile, SuspiciousLine};
use formicary_syntax::{Dialect, parse};
use similar::TextDiff;
use std::collections::{HashMap, HashSet};

/// The files that a candidate changes, as it leaves them.
pub(super) fn patched_files(case: &Case, candidate: &Candidate) -> Vec<PatchedFile> {
    let changed = case.applied(&candidate.edits).unwrap_or_default();
    changed
        .into_iter()
        .map(|(file, text)| PatchedFile { path: case.files[file].path.clone(), text })
        .collect()
}

/// The change as a unified diff.
pub(super) fn diff(case: &Case, files: &[PatchedFile]) -> String {
    let mut out = String::new();
    for file in files {
        let old = case.files.iter().find(|own| own.path == file.path).map_or("", |own| own.text.as_str());
        let diff = TextDiff::from_lines(old, &file.text);
        let header = (format!("a/{}", file.path), format!("b/{}", file.path));
        out.push_str(&diff.unified_diff().context_radius(3).header(&header.0, &header.1).to_string());
    }
    out
}

/// Lines of changeable files that a run's output names, as in `at Sorting.sort(Sorting.java:12)`.
pub(super) fn named_lines(case: &Case, said: &str) -> Vec<(usize, u32)> {
    let mut found = Vec::new();
    for (index, file) in case.files.iter().enumerate().filter(|(_, file)| file.editable) {
        let name = file.path.rsplit('/').next().unwrap_or(&file.path);
        for (at, _) in said.match_indices(&format!("{name}:")).take(50) {
            let digits: String =
                said[at + name.len() + 1..].chars().take_while(char::is_ascii_digit).take(7).collect();
            if let Ok(line) = digits.parse() {
                found.push((index, line));
            }
        }
    }
    found
}

/// The most suspicious lines with their reasons: what ran where it failed, and what the failing value comes from. `failed`
/// are the lines that the failure itself names.
pub(super) fn suspects(
    case: &Case,
    observations: &[Observation],
    failed: &HashSet<(usize, u32)>,
) -> Vec<SuspiciousLine> {
    let scores = spectrum(observations);
    let mut sources: HashMap<(usize, u32), String> = HashMap::new();
    for (index, file) in case.files.iter().enumerate().filter(|(_, file)| file.editable) {
        let of_file = |lines: &mut dyn Iterator<Item = (usize, u32)>| -> HashSet<u32> {
            lines.filter(|(own, _)| *own == index).map(|(_, line)| line).collect()
        };
        let run = of_file(&mut scores.keys().copied());
        if run.is_empty() {
            continue;
        }
        let Some(dialect) = Dialect::of_file(&file.path, &file.text) else { continue };
        let found = slice(&parse(dialect, &file.text), &run, &of_file(&mut failed.iter().copied()));
        sources.extend(found.into_iter().map(|(line, name)| ((index, line), name)));
    }
    let mut lines: Vec<(bool, SuspiciousLine)> = scores
        .into_iter()
        .filter_map(|((file, line), score)| {
            let name = sources.get(&(file, line));
            let depends =
                name.map(|name| format!("; the failing value comes from `{name}`")).unwrap_or_default();
            let suspicious = SuspiciousLine {
                path: case.files.get(file)?.path.clone(),
                line,
                ochiai: score.ochiai,
                dstar: if score.dstar.is_finite() { score.dstar } else { 1e9 },
                reason: format!(
                    "run by {} failing and {} passing checks{depends}",
                    score.failed, score.passed
                ),
            };
            Some((name.is_none(), suspicious))
        })
        .collect();
    lines.sort_by(|(a_apart, a), (b_apart, b)| {
        b.ochiai.total_cmp(&a.ochiai).then(a_apart.cmp(b_apart)).then(a.line.cmp(&b.line))
    });
    lines.truncate(10);
    lines.into_iter().map(|(_, line)| line).collect()
}
