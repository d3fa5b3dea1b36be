//! A rule that is ready to match, and its tests.

use super::check::Check;
use super::needs::Needs;
use super::pattern::Pattern;
use crate::rewrite::{Fix, Template, Transform};
use formicary_model::review::Severity;
use formicary_syntax::Dialect;
use globset::GlobSet;
use serde::Deserialize;
use std::collections::BTreeSet;

/// Why a rule is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    /// The file is not YAML of the right form.
    #[error("{file}: {why}")]
    Unreadable {
        /// The file.
        file: String,
        /// What the reader says.
        why: String,
    },
    /// The rule says something that cannot be.
    #[error("rule {rule}: {why}")]
    Wrong {
        /// Its name.
        rule: String,
        /// What.
        why: String,
    },
}

/// Code that a rule must find, and code that it must not.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tests {
    /// Code in which nothing is found.
    #[serde(default)]
    pub valid: Vec<String>,
    /// Code in which something is found.
    #[serde(default)]
    pub invalid: Vec<String>,
    /// What the fix makes of each invalid text, in order.
    #[serde(default)]
    pub fixed: Vec<String>,
}

/// One rule in one grammar.
#[derive(Debug, Clone)]
pub struct Rule {
    /// Its name.
    pub id: String,
    /// The grammar.
    pub dialect: Dialect,
    /// What is wrong, with metavariables.
    pub message: String,
    /// Why, and what to do.
    pub note: Option<String>,
    /// More about it.
    pub url: Option<String>,
    /// How bad it is.
    pub severity: Severity,
    /// `anti-pattern`, `design-pattern`, or what its author calls it.
    pub kind: Option<String>,
    pub(crate) check: Check,
    pub(crate) constraints: Vec<(String, Check)>,
    pub(crate) transforms: Vec<(String, Transform)>,
    pub(crate) fix: Option<Fix>,
    pub(crate) files: Option<GlobSet>,
    pub(crate) ignores: Option<GlobSet>,
    /// Its tests.
    pub tests: Tests,
}

impl Rule {
    /// A rule of one pattern.
    pub fn of_pattern(id: impl Into<String>, pattern: Pattern) -> Self {
        Self {
            id: id.into(),
            dialect: pattern.dialect(),
            message: String::new(),
            note: None,
            url: None,
            severity: Severity::Info,
            kind: None,
            check: Check::Pattern(Box::new(pattern)),
            constraints: Vec::new(),
            transforms: Vec::new(),
            fix: None,
            files: None,
            ignores: None,
            tests: Tests::default(),
        }
    }

    /// The same rule with a fix.
    pub fn with_fix(mut self, template: impl Into<String>) -> Result<Self, RuleError> {
        self.fix = Some(Fix::from(template.into()));
        self.verify()?;
        Ok(self)
    }

    /// Whether it can change code.
    pub fn has_fix(&self) -> bool {
        self.fix.is_some()
    }

    /// Whether it looks at files of this path.
    pub(crate) fn is_for(&self, path: &str) -> bool {
        self.files.as_ref().is_none_or(|files| files.is_match(path))
            && self.ignores.as_ref().is_none_or(|ignores| !ignores.is_match(path))
    }

    /// The metavariables that a match may remember.
    pub fn variables(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        self.check.variables(&mut names);
        names
    }

    /// The pattern, where the rule is one and nothing more.
    pub(crate) fn only_pattern(&self) -> Option<&Pattern> {
        match &self.check {
            Check::Pattern(pattern) if self.constraints.is_empty() => Some(pattern),
            _ => None,
        }
    }

    pub(crate) fn needs(&self) -> Needs {
        Needs::of(&self.check)
    }

    /// Names that are used must be there.
    pub(super) fn verify(&self) -> Result<(), RuleError> {
        let mut known = self.variables();
        let missing = |what: &str, name: &str, known: &BTreeSet<String>| {
            let written: Vec<String> = known.iter().map(|name| format!("${name}")).collect();
            let known = if written.is_empty() { "none".to_owned() } else { written.join(", ") };
            RuleError::Wrong {
                rule: self.id.clone(),
                why: format!("{what} uses ${name}, which the pattern lacks; it has {known}"),
            }
        };
        for (name, _) in &self.constraints {
            if !known.contains(name) {
                return Err(missing("a constraint", name, &known));
            }
        }
        for (name, transform) in &self.transforms {
            if !known.contains(transform.source()) {
                return Err(missing("a transform", transform.source(), &known));
            }
            transform.verify().map_err(|why| RuleError::Wrong { rule: self.id.clone(), why })?;
            known.insert(name.clone());
        }
        if let Some(fix) = &self.fix {
            for name in Template::new(fix.text()).variables() {
                if !known.contains(name) {
                    return Err(missing("the replacement", name, &known));
                }
            }
        }
        Ok(())
    }
}
