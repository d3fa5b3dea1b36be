//! Every example of every rule is a test.

use super::{RULES, Rule};
use crate::source::{Options, SourceFile};
use formicary_model::Language;
use std::collections::BTreeMap;

fn found(rule: &Rule, language: Language, code: &str) -> usize {
    let mut source = SourceFile::new(format!("example.{}", language.extensions()[0]), code);
    source.dialect = Some(formicary_syntax::Dialect::of(language));
    let analysis = crate::analyze_file(&source, &Options::default()).unwrap();
    assert!(analysis.notes.is_empty(), "{}: {:?} in {code}", rule.info.name, analysis.notes);
    analysis.findings.iter().filter(|finding| finding.rule == rule.info.name).count()
}

#[test]
fn examples_hold() {
    let mut wrong = Vec::new();
    for rule in RULES {
        assert!(!rule.info.examples.is_empty(), "{} has no example", rule.info.name);
        for (language, bad, good) in rule.info.examples {
            assert!(rule.info.languages.contains(language), "{} does not know {language}", rule.info.name);
            if found(rule, *language, bad) == 0 {
                wrong.push(format!("{} misses in {language}: {bad}", rule.info.name));
            }
            if found(rule, *language, good) != 0 {
                wrong.push(format!("{} is wrong in {language} about: {good}", rule.info.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn names_are_unique_and_described() {
    let mut names: Vec<&str> = RULES.iter().map(|rule| rule.info.name).collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
    for rule in RULES {
        let info = rule.info;
        for text in [info.title, info.why, info.suggestion] {
            assert!(!text.is_empty(), "{}", info.name);
        }
    }
}

#[test]
fn every_language_has_enough_rules() {
    let mut counts = BTreeMap::new();
    for rule in RULES.iter().filter(|rule| rule.info.category == formicary_model::review::Category::Lint) {
        for language in rule.info.languages {
            *counts.entry(*language).or_insert(0) += 1;
        }
    }
    for language in Language::ALL {
        let wanted = if language == Language::Python { 25 } else { 10 };
        let count = counts.get(&language).copied().unwrap_or(0);
        assert!(count >= wanted, "{language} has {count} lint rules");
    }
}
