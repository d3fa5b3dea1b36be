//! The rules that come with Formicary: named anti-patterns and design patterns, as ordinary rule files.

use super::rule::{Rule, RuleError};
use super::yaml::read_rules;

/// The files, one a language.
const FILES: &[(&str, &str)] = &[
    ("bash.yml", include_str!("bash.yml")),
    ("c.yml", include_str!("c.yml")),
    ("cpp.yml", include_str!("cpp.yml")),
    ("go.yml", include_str!("go.yml")),
    ("java.yml", include_str!("java.yml")),
    ("javascript.yml", include_str!("javascript.yml")),
    ("python.yml", include_str!("python.yml")),
    ("rust.yml", include_str!("rust.yml")),
    ("typescript.yml", include_str!("typescript.yml")),
];

/// Every rule that comes with Formicary.
pub fn rules() -> Result<Vec<Rule>, RuleError> {
    let mut rules = Vec::new();
    for (file, text) in FILES {
        rules.extend(read_rules(file, text)?);
    }
    Ok(rules)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule_tests::test_rules;

    #[test]
    fn every_rule_passes_its_own_tests() {
        let report = test_rules(&rules().unwrap());
        assert!(report.failures.is_empty(), "{:#?}", report.failures);
        assert!(report.untested.is_empty(), "{:?}", report.untested);
    }
}
