//! One thing that is wrong: where, how bad, why it matters, what to do.

use super::{Span, Suppression};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// How bad it is if the finding is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Good to know.
    Info,
    /// A matter of upkeep.
    Low,
    /// Will cost somebody time.
    Medium,
    /// Breaks programs or opens a hole under some condition.
    High,
    /// Breaks programs or opens a hole as it stands.
    Critical,
}

crate::words!(Severity, from_word {
    Info => "info",
    Low => "low",
    Medium => "medium",
    High => "high",
    Critical => "critical",
});

/// How sure the rule is that the finding is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// A hint.
    Low,
    /// Usually right.
    Medium,
    /// Practically certain.
    High,
}

impl Confidence {
    /// The word on the wire.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// What kind of trouble a rule looks for; `--types` takes these words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// Code that does not do what it seems to.
    Lint,
    /// Code that nothing needs.
    #[serde(alias = "dead-code")]
    DeadCode,
    /// Holes that an attacker can use.
    Security,
    /// Code that means harm.
    Malicious,
    /// Code that is needlessly slow.
    Performance,
    /// Functions that are hard to follow.
    Complexity,
    /// Structure that will cost time.
    Smell,
    /// Arrows between modules that should not be.
    Architecture,
    /// Code that is there more than once.
    Duplication,
    /// Things that are not explained.
    Documentation,
}

crate::words!(Category {
    Security => "security",
    Malicious => "malicious",
    Lint => "lint",
    DeadCode => "dead_code",
    Performance => "performance",
    Complexity => "complexity",
    Smell => "smell",
    Architecture => "architecture",
    Duplication => "duplication",
    Documentation => "documentation",
});

impl Category {
    /// The category of this word; a dash is as good as an underscore.
    pub fn from_word(word: &str) -> Option<Self> {
        let word = word.replace('-', "_");
        Self::ALL.into_iter().find(|category| category.word() == word)
    }
}

/// One step on the way from a source to a sink, or another place that belongs to a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    /// The file, relative to the project.
    pub file: String,
    /// Where in it.
    pub span: Span,
    /// What happens there.
    pub message: String,
}

/// Whether a fix keeps the program's meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FixSafety {
    /// The program means what it meant.
    Safe,
    /// The program may behave otherwise: to be read before it is kept.
    Unsafe,
}

/// A replacement of some bytes of the finding's file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Edit {
    /// What is replaced; empty where text is only put in.
    pub span: Span,
    /// What stands there afterwards.
    pub replacement: String,
}

/// A change that removes the finding. All edits are of the finding's own file and do not overlap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fix {
    /// What it does, in a few words.
    pub description: String,
    /// Whether it keeps the program's meaning.
    pub safety: FixSafety,
    /// The edits.
    pub edits: Vec<Edit>,
}

/// How a finding stands to what was there before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// There is nothing to compare with.
    #[default]
    Unknown,
    /// It was not there before.
    New,
    /// It was there before, and the change made it worse.
    Worse,
    /// It was there before, or is in the baseline.
    Unchanged,
}

impl Standing {
    /// Whether a change is to blame for it.
    pub fn is_blamed(self) -> bool {
        matches!(self, Self::New | Self::Worse)
    }

    /// Whether it is the default, so that the wire can leave it out.
    pub fn is_unknown(&self) -> bool {
        *self == Self::Unknown
    }
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// The rule's name, as after "allow".
    pub rule: Cow<'static, str>,
    /// What is wrong here, in one sentence that names names.
    pub message: String,
    /// Why it matters.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub why: Cow<'static, str>,
    /// What to do.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub suggestion: Cow<'static, str>,
    /// How bad.
    pub severity: Severity,
    /// How sure.
    pub confidence: Confidence,
    /// What kind.
    pub category: Category,
    /// The number in the Common Weakness Enumeration, where one is apt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwe: Option<u32>,
    /// The file, relative to the project, with forward slashes.
    pub file: String,
    /// Where in it.
    pub span: Span,
    /// The function or class around it, with its outer names: `Class.method`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// Who it is when lines move. The review fills it in; analyses leave it empty.
    #[serde(default)]
    pub fingerprint: String,
    /// The way from source to sink, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<Step>,
    /// Other places that belong to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<Step>,
    /// A change that removes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<Fix>,
    /// The external tool that found it; none for our own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// How it stands to what was there before.
    #[serde(default, skip_serializing_if = "Standing::is_unknown")]
    pub standing: Standing,
    /// Who allowed it, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suppression: Option<Suppression>,
}

impl Finding {
    /// A finding with everything that must be said; the rest is set on the fields.
    pub fn new(
        rule: impl Into<Cow<'static, str>>,
        category: Category,
        severity: Severity,
        file: impl Into<String>,
        span: Span,
        message: impl Into<String>,
    ) -> Self {
        Self {
            rule: rule.into(),
            message: message.into(),
            why: Cow::Borrowed(""),
            suggestion: Cow::Borrowed(""),
            severity,
            confidence: Confidence::High,
            category,
            cwe: None,
            file: file.into(),
            span,
            symbol: None,
            fingerprint: String::new(),
            path: Vec::new(),
            related: Vec::new(),
            fix: None,
            tool: None,
            standing: Standing::Unknown,
            suppression: None,
        }
    }

    /// Whether it counts: nobody allowed it.
    pub fn is_open(&self) -> bool {
        self.suppression.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_the_wire_form() {
        for severity in Severity::ALL {
            assert_eq!(serde_json::to_string(&severity).unwrap(), format!("\"{}\"", severity.word()));
            assert_eq!(Severity::from_word(severity.word()), Some(severity));
        }
        for category in Category::ALL {
            assert_eq!(serde_json::to_string(&category).unwrap(), format!("\"{}\"", category.word()));
            assert_eq!(Category::from_word(&category.word().replace('_', "-")), Some(category));
        }
    }

    #[test]
    fn severities_are_ordered() {
        assert!(Severity::ALL.is_sorted());
    }
}
