//! What a tool itself proposes as edits.

use crate::{Candidate, Case, TextEdit};
use formicary_model::ErrorDiagnosis;
use formicary_model::review::Confidence;

/// The edits that come with an error.
pub(super) fn suggested(case: &Case, error: &ErrorDiagnosis) -> Vec<Candidate> {
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
