//! Running the tests that rules carry.

use super::matcher::PatternMatcher;
use super::rule::Rule;
use crate::rewrite::ASTTransformer;
use crate::source::Source;
use formicary_model::patterns::{LeftAlone, RuleTestReport};
use std::collections::BTreeSet;

/// Judges every rule by its own tests: what must be found, what must not, what the fix makes of it.
pub fn test_rules(rules: &[Rule]) -> RuleTestReport {
    let mut report = RuleTestReport::default();
    let mut names = BTreeSet::new();
    let mut untested = BTreeSet::new();
    for rule in rules {
        names.insert(rule.id.as_str());
        if rule.tests.valid.is_empty() && rule.tests.invalid.is_empty() {
            untested.insert(rule.id.clone());
            continue;
        }
        test_rule(rule, &mut report);
    }
    report.rules = names.len();
    report.untested = untested.into_iter().collect();
    report
}

fn test_rule(rule: &Rule, report: &mut RuleTestReport) {
    let mut failed = |why: String| report.failures.push(LeftAlone { file: rule.id.clone(), why });
    // A test has no path: a rule for some files is tested as if it were for all.
    let mut anywhere = rule.clone();
    (anywhere.files, anywhere.ignores) = (None, None);
    let matcher = PatternMatcher::new(vec![anywhere.clone()]);
    let transformer = ASTTransformer::new(vec![anywhere]);
    let source = |text: &str| Source::new("test", rule.dialect, text);
    let mut cases = 0;
    for text in &rule.tests.valid {
        cases += 1;
        match matcher.search(&source(text)) {
            Ok(found) => {
                if let Some(first) = found.first() {
                    failed(format!("finds `{}` in code that is valid: {text}", first.text));
                }
            }
            Err(kind) => failed(format!("{}: {text}", kind.message())),
        }
    }
    for (at, text) in rule.tests.invalid.iter().enumerate() {
        cases += 1;
        match matcher.search(&source(text)) {
            Ok(found) if found.is_empty() => failed(format!("finds nothing in: {text}")),
            Ok(_) => {}
            Err(kind) => failed(format!("{}: {text}", kind.message())),
        }
        let Some(expected) = rule.tests.fixed.get(at) else { continue };
        cases += 1;
        match transformer.rewrite(&source(text)) {
            Ok(Some(change)) if change.after.trim_end() == expected.trim_end() => {}
            Ok(Some(change)) => failed(format!("makes `{}` of `{text}`, not `{expected}`", change.after)),
            Ok(None) => failed(format!("changes nothing in: {text}")),
            Err(left) => failed(format!("{}: {text}", left.why)),
        }
    }
    report.cases += cases;
}
