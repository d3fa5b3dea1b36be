//! Every rule in a file of its own: what it looks for, why, examples, and the check.
//!
//! The examples are tests: in each bad one the rule finds something, in each good one it finds nothing. To add a rule,
//! write its file in the folder of its family and name it in that family's list.

pub mod dead;
pub mod expressions;
pub mod flow;
pub mod malicious;
pub mod native;
pub mod performance;
pub mod python;
pub mod script;
pub mod security;
pub mod shell;
pub mod smells;
pub mod structure;

mod questions;
#[cfg(test)]
mod tests;

use crate::file::{File, Report};
use formicary_model::Language;
use formicary_model::review::{Category, Confidence, FixSafety, RuleExample, RuleInfo, Severity};

/// What a rule looks for.
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
    /// Whether it can mend what it finds.
    pub fix: Option<FixSafety>,
    /// Language, bad code, good code.
    pub examples: &'static [(Language, &'static str, &'static str)],
}

impl Info {
    /// What most rules have in common.
    pub(crate) const LINT: Self = Self {
        name: "",
        title: "",
        why: "",
        suggestion: "",
        category: Category::Lint,
        severity: Severity::Medium,
        confidence: Confidence::High,
        cwe: None,
        languages: ALL,
        fix: None,
        examples: &[],
    };

    /// The form that doors show.
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

/// A rule: its description and its check.
pub struct Rule {
    /// What it looks for.
    pub info: &'static Info,
    /// The check of one file.
    pub check: fn(&File<'_, '_>, &mut Report<'_>),
}

/// All languages.
pub(crate) const ALL: &[Language] = &Language::ALL;
/// All but Bash.
pub(crate) const NO_SHELL: &[Language] = &[
    Language::Python,
    Language::JavaScript,
    Language::TypeScript,
    Language::Java,
    Language::C,
    Language::Cpp,
    Language::Go,
    Language::Rust,
];
/// Python.
pub(crate) const PYTHON: &[Language] = &[Language::Python];
/// JavaScript and TypeScript.
pub(crate) const SCRIPT: &[Language] = &[Language::JavaScript, Language::TypeScript];
/// C and C++.
pub(crate) const NATIVE: &[Language] = &[Language::C, Language::Cpp];
/// Bash.
pub(crate) const SHELL: &[Language] = &[Language::Bash];

/// All rules of single files, family by family.
pub static RULES: &[&Rule] = &{
    const FAMILIES: &[&[&Rule]] = &[
        expressions::RULES,
        flow::RULES,
        structure::RULES,
        python::RULES,
        script::RULES,
        native::RULES,
        shell::RULES,
        dead::RULES,
        performance::RULES,
        smells::RULES,
        security::RULES,
        malicious::RULES,
    ];
    const COUNT: usize = {
        let mut count = 0;
        let mut at = 0;
        while at < FAMILIES.len() {
            count += FAMILIES[at].len();
            at += 1;
        }
        count
    };
    let mut all: [&Rule; COUNT] = [FAMILIES[0][0]; COUNT];
    let (mut family, mut to) = (0, 0);
    while family < FAMILIES.len() {
        let mut at = 0;
        while at < FAMILIES[family].len() {
            all[to] = FAMILIES[family][at];
            to += 1;
            at += 1;
        }
        family += 1;
    }
    all
};

/// The descriptions of all rules, those of the project included.
pub fn catalogue() -> Vec<RuleInfo> {
    RULES
        .iter()
        .map(|rule| rule.info.describe())
        .chain(crate::project::RULES.iter().map(|info| info.describe()))
        .chain(crate::taint::rules().iter().map(|info| info.describe()))
        .collect()
}
