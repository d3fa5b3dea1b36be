//! Patches by rule: what an error of a known kind usually wants, and what the tools themselves propose.
//!
//! | module | what it holds |
//! |---|---|
//! | `spot` | the place of an error in its text, and candidates made from it |
//! | one file a language | the rules of its errors |

mod bash;
mod go;
mod java;
mod javascript;
mod native;
mod python;
mod python_syntax;
mod python_types;
mod rust;
mod spot;

use crate::{Candidate, Case, Strategy, TextEdit};
use formicary_diagnose::failures::{self, SourceText};
use formicary_model::review::Confidence;
use formicary_model::{ErrorDiagnosis, Language};
use spot::Spot;

/// Errors of one run for which patches are proposed.
const ERRORS: usize = 8;
/// Candidates at the most.
const MOST: usize = 200;

/// Rules per error, and the tools' own suggestions.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rules;

impl Strategy for Rules {
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
            let mut own = suggested(case, error);
            if let Some(spot) = Spot::of(case, error) {
                own.extend(by_rule(&spot));
            }
            own.retain(|candidate| case.applied(&candidate.edits).is_some());
            own.sort_by(|a, b| a.cost.total_cmp(&b.cost));
            firsts.extend(own.first().cloned());
            found.extend(own);
        }
        found.extend(python::suspicions(case));
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

fn by_rule(spot: &Spot<'_>) -> Vec<Candidate> {
    match spot.case.language {
        Language::Python => python::candidates(spot),
        Language::JavaScript | Language::TypeScript => javascript::candidates(spot),
        Language::Java => java::candidates(spot),
        Language::C | Language::Cpp => native::candidates(spot),
        Language::Go => go::candidates(spot),
        Language::Rust => rust::candidates(spot),
        Language::Bash => bash::candidates(spot),
    }
}

/// What the tool itself proposes as edits.
fn suggested(case: &Case, error: &ErrorDiagnosis) -> Vec<Candidate> {
    let mut found = Vec::new();
    for suggestion in error.suggestions.iter().filter(|suggestion| !suggestion.edits.is_empty()) {
        let edits: Option<Vec<TextEdit>> = suggestion
            .edits
            .iter()
            .map(|edit| {
                let file =
                    case.files.iter().position(|file| file.path == edit.file).or_else(|| only(case))?;
                let span = &edit.edit.span;
                Some(TextEdit {
                    file,
                    start: span.start_byte as usize,
                    end: span.end_byte as usize,
                    replacement: edit.edit.replacement.clone(),
                })
            })
            .collect();
        let Some(edits) = edits else { continue };
        let (cost, confidence) = match suggestion.confidence {
            Confidence::High => (0.5, 0.95),
            Confidence::Medium => (1.2, 0.6),
            Confidence::Low => (2.5, 0.3),
        };
        let candidate = |edits| Candidate {
            edits,
            origin: format!("tools/{}", suggestion.origin),
            cost,
            confidence,
            explanation: suggestion.text.clone(),
        };
        // A help with several places to choose from proposes each of them for itself.
        let overlapping = case.applied(&edits).is_none();
        let alternatives = edits.len() > 1 && edits.windows(2).all(|pair| pair[0].start == pair[1].start);
        match overlapping || alternatives {
            true => found.extend(edits.into_iter().map(|edit| candidate(vec![edit]))),
            false => found.push(candidate(edits)),
        }
    }
    found
}

/// The only file of a case: a tool may have seen it under another name.
fn only(case: &Case) -> Option<usize> {
    (case.files.len() == 1).then_some(0)
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
