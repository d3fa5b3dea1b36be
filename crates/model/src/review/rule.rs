//! What a rule looks for, with examples that are run as tests.

use super::{Category, Confidence, FixSafety, Severity};
use crate::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// An example of a rule: code with the finding, and code without.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RuleExample {
    /// The language.
    pub language: Language,
    /// Code in which the rule finds something.
    pub bad: Cow<'static, str>,
    /// The same, done well: the rule finds nothing.
    pub good: Cow<'static, str>,
}

/// A rule's documentation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RuleInfo {
    /// Its name, as after "allow": it names the bad pattern.
    pub name: Cow<'static, str>,
    /// The bad pattern in a few words.
    pub title: Cow<'static, str>,
    /// Why it matters.
    pub why: Cow<'static, str>,
    /// What to do instead.
    pub suggestion: Cow<'static, str>,
    /// What kind of trouble.
    pub category: Category,
    /// How bad, unless the finding says otherwise.
    pub severity: Severity,
    /// How sure, unless the finding says otherwise.
    pub confidence: Confidence,
    /// The number in the Common Weakness Enumeration, where one is apt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwe: Option<u32>,
    /// The languages that it knows.
    pub languages: Vec<Language>,
    /// Whether it can mend what it finds, and how safely.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<FixSafety>,
    /// Examples.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<RuleExample>,
}

/// What a rule looks for, as it is written beside its check.
#[derive(Debug)]
pub struct Info {
    /// Its name, as after "allow".
    pub name: &'static str,
    /// The bad pattern in a few words.
    pub title: &'static str,
    /// Why it matters.
    pub why: &'static str,
    /// What to do instead.
    pub suggestion: &'static str,
    /// What kind of trouble.
    pub category: Category,
    /// How bad.
    pub severity: Severity,
    /// How sure.
    pub confidence: Confidence,
    /// The number in the Common Weakness Enumeration.
    pub cwe: Option<u32>,
    /// The languages that it knows.
    pub languages: &'static [Language],
    /// Whether it can fix what it finds.
    pub fix: Option<FixSafety>,
    /// Language, bad code, good code.
    pub examples: &'static [(Language, &'static str, &'static str)],
}

impl Info {
    /// What most rules have in common.
    pub const LINT: Self = Self {
        name: "",
        title: "",
        why: "",
        suggestion: "",
        category: Category::Lint,
        severity: Severity::Medium,
        confidence: Confidence::High,
        cwe: None,
        languages: &Language::ALL,
        fix: None,
        examples: &[],
    };

    /// The form that reports show.
    pub fn describe(&self) -> RuleInfo {
        let example = |(language, bad, good): &(Language, &'static str, &'static str)| RuleExample {
            language: *language,
            bad: (*bad).into(),
            good: (*good).into(),
        };
        RuleInfo {
            name: self.name.into(),
            title: self.title.into(),
            why: self.why.into(),
            suggestion: self.suggestion.into(),
            category: self.category,
            severity: self.severity,
            confidence: self.confidence,
            cwe: self.cwe,
            languages: self.languages.to_vec(),
            fix: self.fix,
            examples: self.examples.iter().map(example).collect(),
        }
    }
}
