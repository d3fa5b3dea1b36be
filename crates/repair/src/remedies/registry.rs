//! Every remedy, language by language.
//!
//! A remedy is a row in a file of its family: its name, its languages, the failure that it answers, what it proposes, and
//! examples. The examples are tests: one of the row's candidates makes of each text the one beside it.

use super::remedy::Remedy;
use super::spot::Spot;
use super::{bash, go, java, javascript, native, python, rust};
use crate::{Candidate, Case};
use formicary_model::ErrorDiagnosis;
use formicary_model::Language;

/// The families of all languages.
const LANGUAGES: &[&[&[Remedy]]] = &[
    python::FAMILIES,
    javascript::FAMILIES,
    java::FAMILIES,
    native::FAMILIES,
    go::FAMILIES,
    rust::FAMILIES,
    bash::FAMILIES,
];

/// All remedies.
pub fn all() -> impl Iterator<Item = &'static Remedy> {
    LANGUAGES.iter().copied().flatten().copied().flatten()
}

/// The remedies of one language.
fn of(language: Language) -> impl Iterator<Item = &'static Remedy> {
    all().filter(move |remedy| remedy.languages.contains(&language))
}

/// What the remedies of its language propose for an error.
pub(super) fn candidates(case: &Case, error: &ErrorDiagnosis) -> Vec<Candidate> {
    let Some(spot) = spot(case, error) else { return Vec::new() };
    of(case.language).flat_map(|remedy| remedy.candidates(&spot)).collect()
}

/// The place of an error, and whether a remedy names its kind.
fn spot<'a>(case: &'a Case, error: &'a ErrorDiagnosis) -> Option<Spot<'a>> {
    let spot = Spot::of(case, error)?;
    let answered = of(case.language).any(|remedy| remedy.answers.contains(&spot.kind));
    Some(Spot { answered, ..spot })
}

/// What they propose for lines that look wrong although nothing failed there.
pub(super) fn suspicions(case: &Case) -> Vec<Candidate> {
    let quiet: Vec<&Remedy> = of(case.language).filter(|remedy| remedy.answers.is_empty()).collect();
    let mut found = Vec::new();
    for (index, file) in case.files.iter().enumerate().filter(|(_, file)| file.editable && !quiet.is_empty())
    {
        let mut start = 0;
        for (line, text) in (1..).zip(file.text.split_inclusive('\n')) {
            let here = text.strip_suffix('\n').unwrap_or(text);
            let spot = Spot::quiet(case, index, line, here, start);
            start += text.len();
            found.extend(quiet.iter().flat_map(|remedy| remedy.candidates(&spot)));
            if found.len() >= SUSPICIONS {
                break;
            }
        }
    }
    found.truncate(SUSPICIONS);
    found.iter_mut().for_each(|candidate| candidate.confidence = 0.4);
    found
}

/// Suspicions at most.
const SUSPICIONS: usize = 20;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CaseFile;
    use crate::remedies::remedy::Example;
    use formicary_model::review::Confidence;
    use formicary_model::{ErrorCategory, ErrorPlace};
    use std::collections::BTreeSet;

    /// What a remedy makes of an example's text.
    fn made(remedy: &Remedy, example: &Example) -> Vec<String> {
        let (kind, message, before, _) = *example;
        let language = remedy.languages[0];
        let marked = before.lines().position(|line| line.starts_with('▸'));
        let text = before.replacen('▸', "", 1);
        let line = marked.unwrap_or_else(|| text.lines().count().saturating_sub(1)) as u32 + 1;
        let path = format!("main.{}", language.extensions()[0]);
        let file = CaseFile { path: path.clone(), text, editable: true };
        let case = Case { language, files: vec![file], evidence: None, suspects: Vec::new() };
        let error = ErrorDiagnosis {
            language: Some(language.id().into()),
            error_type: kind.into(),
            message: message.into(),
            category: ErrorCategory::Other,
            place: Some(ErrorPlace {
                file: path,
                line,
                column: None,
                end_column: None,
                function: None,
                frame: Vec::new(),
            }),
            stack: Vec::new(),
            root_cause: String::new(),
            suggestions: Vec::new(),
            confidence: Confidence::High,
            chain: Vec::new(),
            hang: None,
            causes: Vec::new(),
            fingerprint: String::new(),
        };
        let own = match kind {
            "" => suspicions(&case),
            _ => remedy.candidates(&spot(&case, &error).unwrap()),
        };
        own.iter().filter_map(|candidate| Some(case.applied(&candidate.edits)?.remove(0).1)).collect()
    }

    #[test]
    fn examples_of_remedies_hold() {
        let mut failed = Vec::new();
        for remedy in all() {
            for example in remedy.examples {
                let made = made(remedy, example);
                if !made.iter().any(|text| text == example.3) {
                    let (name, language) = (remedy.name, remedy.languages[0].id());
                    failed.push(format!(
                        "{language} {name}: {:?}\n  expected {:?}\n  made {made:#?}",
                        example.2, example.3
                    ));
                }
            }
        }
        assert!(failed.is_empty(), "{} examples\n{}", failed.len(), failed.join("\n"));
    }

    #[test]
    fn rows_are_complete() {
        for remedy in all() {
            let name = remedy.name;
            let words =
                name.split('-').all(|word| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase()));
            assert!(words, "{name} is no name");
            assert!(remedy.about.starts_with(|c: char| c.is_ascii_uppercase()), "{name}: {}", remedy.about);
            assert!(!remedy.languages.is_empty() && !remedy.examples.is_empty(), "{name}");
            let kinds: BTreeSet<&str> = remedy.answers.iter().copied().collect();
            assert_eq!(kinds.len(), remedy.answers.len(), "{name}");
        }
        assert!(all().count() > 200);
    }
}
