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
use formicary_model::review::RuleInfo;

pub use formicary_model::review::rule::Info;

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
        .collect()
}
