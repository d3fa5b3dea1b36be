//! Copies in the review: functions, files and long blocks that stand twice, and how much of the project that is.
//!
//! Only copies that are exact or renamed count here: they are certain and cheap to find. `formicary clones` knows more.

use crate::clones::of_texts;
use crate::engine::{SourceText, Watch};
use formicary_clones::{CloneOptions, Tests, detect};
use formicary_model::Language;
use formicary_model::clones::{CloneGroup, CloneLevel, ClonePlace, CloneType};
use formicary_model::review::{Category, Confidence, Finding, RuleInfo, Severity, Span, Step};

const RULE: &str = "duplicated-code";
const WHY: &str =
    "A fault that is mended in one copy stays in the others; every reader wonders what the difference is.";
const HELP: &str = "Keep one of them and call it from the other places.";

/// Places of one group that are told; the rest are more of the same.
const PLACES: usize = 20;

/// The rules of this page.
pub fn rules() -> Vec<RuleInfo> {
    vec![RuleInfo {
        name: RULE.into(),
        title: "code that stands elsewhere too".into(),
        why: WHY.into(),
        suggestion: HELP.into(),
        category: Category::Duplication,
        severity: Severity::Low,
        confidence: Confidence::High,
        cwe: Some(1041),
        languages: Language::ALL.to_vec(),
        fix: None,
        examples: Vec::new(),
    }]
}

/// What stands twice: a finding a place, and the share of lines in percent. Tests may repeat themselves.
pub fn check(sources: &[SourceText], watch: Watch<'_>) -> (Vec<Finding>, f64) {
    let options = CloneOptions {
        types: vec![CloneType::Exact, CloneType::Renamed],
        lines: 8,
        function_tokens: 60,
        block_tokens: 100,
        tests: Tests::LeftOut,
        ..CloneOptions::default()
    };
    let report = detect(&of_texts(sources), &options, watch.cancelled);
    let told = |group: &&CloneGroup| group.level != CloneLevel::Block || group.kind == CloneType::Exact;
    let findings = report.groups.iter().filter(told).flat_map(findings_of).collect();
    (findings, report.duplication_percent)
}

// At every place: whichever of them a change adds, it stands on lines of the change.
fn findings_of(group: &CloneGroup) -> Vec<Finding> {
    let places = || group.places.iter().take(PLACES);
    places()
        .enumerate()
        .map(|(at, place)| {
            let others = places().enumerate().filter(|(other, _)| *other != at).map(|(_, other)| other);
            let related: Vec<Step> = others.map(step).collect();
            told(group, place, related)
        })
        .collect()
}

fn told(group: &CloneGroup, place: &ClonePlace, related: Vec<Step>) -> Finding {
    let lines = place.last_line.saturating_sub(place.first_line) + 1;
    let what = match (&place.name, group.level) {
        (Some(name), CloneLevel::Function) => format!("`{name}` ({lines} lines)"),
        (_, CloneLevel::File) => format!("this file ({lines} lines)"),
        _ => format!("these {lines} lines"),
    };
    let how = if group.kind == CloneType::Exact { "the same" } else { "the same but for names" };
    let message = match related.as_slice() {
        [one] => format!("{what}: {how} as {}:{}", one.file, one.span.start_line),
        several => format!("{what}: {how} in {} other places", several.len()),
    };
    let mut finding =
        Finding::new(RULE, Category::Duplication, Severity::Low, &place.file, span_of(place), message);
    finding.why = WHY.into();
    finding.suggestion = group.suggestion.clone().map_or_else(|| HELP.into(), Into::into);
    finding.symbol.clone_from(&place.name);
    finding.related = related;
    finding
}

fn step(place: &ClonePlace) -> Step {
    Step { file: place.file.clone(), span: span_of(place), message: "stands here too".into() }
}

fn span_of(place: &ClonePlace) -> Span {
    let last = Span::of_line(place.last_line.max(1));
    Span { end_line: last.end_line, end_column: last.end_column, ..Span::of_line(place.first_line.max(1)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::source;

    const BODY: &str = "(path, limit, strict):
    found = {}
    with open(path) as lines:
        for number, line in enumerate(lines):
            name, _, rest = line.partition('=')
            if not rest and strict:
                raise ValueError(f'line {number} of {path} has no value')
            if len(found) >= limit:
                break
            value = rest.strip().lower()
            while value.startswith('x'):
                value = value[1:]
            found[name.strip()] = int(value) if value.isdigit() else value
    return sorted(found.items(), key=lambda pair: pair[1])
";

    fn function(name: &str) -> String {
        format!("def {name}{BODY}")
    }

    #[test]
    fn copies_are_told_at_each_place() {
        let sources = [
            source("a.py", &function("one")),
            source("b.py", &format!("import os\n\n\n{}", function("two"))),
            source("test_c.py", &function("three")),
        ];
        let (findings, share) = check(&sources, Watch::NOBODY);
        let places: Vec<(&str, u32)> =
            findings.iter().map(|finding| (finding.file.as_str(), finding.span.start_line)).collect();
        assert_eq!(places, [("a.py", 1), ("b.py", 4)], "{findings:#?}");
        assert!(findings[0].message.contains("b.py:4"), "{}", findings[0].message);
        assert!(share > 80.0, "{share}");
    }

    #[test]
    fn different_code_is_no_copy() {
        let sources = [source("a.py", &function("one")), source("b.py", "x = 1\n")];
        assert_eq!(check(&sources, Watch::NOBODY), (Vec::new(), 0.0));
    }
}
