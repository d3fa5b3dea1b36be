//! Which of several patches that pass is the right one: the small, the near, and the one that others agree with.

use crate::{Candidate, Case};
use std::collections::HashMap;

/// How the failing tests of a program fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailsBy {
    /// By exceptions and endless loops alone.
    Crashes,
    /// By wrong answers too.
    Answers,
}

/// Orders survivors, the best first. `said` holds what each answers on inputs near those of the tests, under its place
/// in the list; the program as it was is under `original`. Where that fails by crashes alone, what it answers without a
/// crash is probably right.
pub fn ranked(
    case: &Case,
    survivors: Vec<Candidate>,
    said: &HashMap<usize, Vec<String>>,
    original: usize,
    failure: FailsBy,
) -> Vec<(f64, Candidate)> {
    let before = said.get(&original);
    let mut families: HashMap<&[String], usize> = HashMap::new();
    for index in 0..survivors.len() {
        if let Some(answers) = said.get(&index) {
            *families.entry(answers.as_slice()).or_default() += 1;
        }
    }
    // Where the program gave an answer before, and another now. The fault alone should make the difference.
    let changed = |answers: &[String]| {
        share(answers, |at| before.is_some_and(|b| !fails(b, at) && answers.get(at) != b.get(at)))
    };
    let least = (0..survivors.len())
        .filter_map(|index| said.get(&index).filter(|answers| !answers.is_empty()))
        .map(|answers| changed(answers))
        .fold(f64::INFINITY, f64::min);
    let mut scored: Vec<(f64, Candidate)> = survivors
        .into_iter()
        .enumerate()
        .map(|(index, candidate)| {
            let mut score = candidate.cost + size(case, &candidate);
            if let Some(answers) = said.get(&index).filter(|answers| !answers.is_empty()) {
                let agree = families.get(answers.as_slice()).copied().unwrap_or(1) as f64;
                score -= 0.45 * agree.ln();
                // The examples of a docstring are tests that nobody ran.
                let wrong = answers.iter().filter(|answer| *answer == "!shown").count();
                score += 0.7 * wrong.min(3) as f64;
                let worse = share(answers, |at| fails(answers, at) && before.is_some_and(|b| !fails(b, at)));
                score += 1.5 * worse + if worse > 0.0 { 0.6 } else { 0.0 };
                if let (FailsBy::Crashes, Some(before)) = (failure, before) {
                    let other = share(answers, |at| !fails(before, at) && answers.get(at) != before.get(at));
                    score += 2.0 * other + if other > 0.0 { 0.5 } else { 0.0 };
                }
                score += 0.8 * (changed(answers) - least);
                score -=
                    0.3 * share(answers, |at| !fails(answers, at) && before.is_some_and(|b| fails(b, at)));
            }
            (score, candidate)
        })
        .collect();
    scored.sort_by(|a, b| a.0.total_cmp(&b.0));
    scored
}

fn fails(answers: &[String], at: usize) -> bool {
    answers.get(at).is_some_and(|answer| answer.starts_with('!'))
}

fn share(answers: &[String], holds: impl Fn(usize) -> bool) -> f64 {
    (0..answers.len()).filter(|at| holds(*at)).count() as f64 / answers.len() as f64
}

/// What a change's length costs.
fn size(case: &Case, candidate: &Candidate) -> f64 {
    let one = |edit: &super::TextEdit| {
        let old =
            case.files.get(edit.file).and_then(|file| file.text.get(edit.start..edit.end)).unwrap_or("");
        let same = old.bytes().zip(edit.replacement.bytes()).take_while(|(a, b)| a == b).count();
        let grown = edit.replacement.len().abs_diff(old.len());
        0.012 * (grown as f64) + 0.004 * (edit.replacement.len().saturating_sub(same) as f64)
    };
    candidate.edits.iter().map(one).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TextEdit;
    use formicary_model::Language;

    #[test]
    fn agreement_and_safety_outweigh_a_little_cost() {
        let case =
            Case { language: Language::Python, files: Vec::new(), evidence: None, suspects: Vec::new() };
        let candidate = |cost: f64, text: &str| Candidate {
            edits: vec![TextEdit { file: 0, start: 0, end: 0, replacement: text.into() }],
            origin: String::new(),
            cost,
            confidence: 0.5,
            explanation: text.into(),
        };
        let said: HashMap<usize, Vec<String>> =
            [(0, ["!X", "b"]), (1, ["a", "b"]), (2, ["a", "b"]), (9, ["a", "c"])]
                .map(|(index, answers)| (index, answers.map(String::from).to_vec()))
                .into();
        let order = ranked(
            &case,
            vec![candidate(1.0, "a"), candidate(1.2, "b"), candidate(1.4, "c")],
            &said,
            9,
            FailsBy::Answers,
        );
        assert_eq!(order.iter().map(|(_, c)| c.explanation.as_str()).collect::<Vec<_>>(), ["b", "c", "a"]);
    }
}
