//! Patches by rule: what an error of a known kind usually needs, and what the tools themselves propose.
//!
//! | module | what it holds |
//! |---|---|
//! | [`registry`] | every remedy |
//! | [`remedy`] | what a remedy is |
//! | `spot` | the place of an error in its text, and candidates made from it |
//! | `tokens` | brackets, quotes and braces, for several languages |
//! | `tools` | what a tool proposes as edits |
//! | one directory a language | its remedies, one file a family |

mod bash;
mod go;
mod java;
mod javascript;
mod native;
mod python;
pub mod registry;
pub mod remedy;
mod rust;
mod spot;
mod tokens;
mod tools;

use crate::{Candidate, Case, Strategy, TextEdit};
use formicary_diagnose::failures::{self, SourceText};

/// Errors of one run for which patches are proposed.
const ERRORS: usize = 8;
/// Candidates at most.
const MOST: usize = 200;

/// Remedies per error, and the tools' own suggestions.
#[derive(Debug, Clone, Copy, Default)]
pub struct Remedies;

impl Strategy for Remedies {
    fn name(&self) -> &'static str {
        "rules"
    }

    fn candidates(&self, case: &Case) -> Vec<Candidate> {
        let sources: Vec<SourceText> = case
            .files
            .iter()
            .map(|file| SourceText { path: file.path.clone(), text: file.text.clone() })
            .collect();
        let diagnosis =
            case.evidence.as_ref().map(|result| failures::of_result(result, &sources)).unwrap_or_default();
        let warnings = diagnosis.warnings.iter().filter(|_| diagnosis.errors.is_empty());
        let mut firsts = Vec::new();
        let mut found = Vec::new();
        for error in diagnosis.errors.iter().chain(warnings).take(ERRORS) {
            let mut own = tools::suggested(case, error);
            own.extend(registry::candidates(case, error));
            own.retain(|candidate| case.applied(&candidate.edits).is_some());
            own.sort_by(|a, b| a.cost.total_cmp(&b.cost));
            firsts.extend(own.first().cloned());
            found.extend(own);
        }
        found.extend(registry::suspicions(case));
        // Compilers tell several errors at once, and all must go before anything runs.
        found.extend(together(&firsts).filter(|candidate| case.applied(&candidate.edits).is_some()));
        found.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        let mut seen = std::collections::HashSet::new();
        found.retain(|candidate| {
            let editable = candidate
                .edits
                .iter()
                .all(|edit| case.files.get(edit.file).is_some_and(|file| file.editable));
            editable && seen.insert(candidate.edits.clone())
        });
        found.truncate(MOST);
        found
    }
}

/// The first candidate of every error in one.
fn together(firsts: &[Candidate]) -> impl Iterator<Item = Candidate> {
    let mut edits: Vec<TextEdit> = Vec::new();
    for candidate in firsts {
        let free = candidate.edits.iter().all(|new| {
            edits.iter().all(|old| {
                old.file != new.file
                    || old.end <= new.start && old != new
                    || new.end <= old.start && old != new
            })
        });
        if free {
            edits.extend(candidate.edits.iter().cloned());
        }
    }
    edits.sort();
    edits.dedup();
    let joined = (firsts.len() > 1).then(|| Candidate {
        edits,
        origin: "rules/together".into(),
        cost: 0.4,
        confidence: 0.5,
        explanation: format!("Does what is proposed for each of {} errors", firsts.len()),
    });
    joined.into_iter()
}
