//! What a job needs and what a worker offers. Jobs of one class wait in one line; a worker pulls from the lines of the
//! classes that it can run, and never sees the others.

use crate::error::ClusterError;
use formicary_model::{ExecutionRequest, Language, Limits};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The word for "whatever the worker has".
pub const ANY: &str = "any";

const MIB: u64 = 1024 * 1024;
const GIB: u64 = 1024 * MIB;

/// Memory in steps, so that lines stay few: a job waits in the smallest that holds it.
const MEMORY: [(&str, u64); 5] =
    [("m512m", 512 * MIB), ("m2g", 2 * GIB), ("m8g", 8 * GIB), ("m32g", 32 * GIB), ("m1t", 1024 * GIB)];

/// What a job needs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Class {
    /// The language's identifier, or [`ANY`] where it is to be found out.
    pub language: String,
    /// The isolation provider, or [`ANY`] for the worker's own choice.
    pub provider: String,
    /// The step of memory.
    pub memory: String,
}

impl Class {
    /// The class of a request. Languages and providers become parts of subjects, so odd characters are refused.
    pub fn of(request: &ExecutionRequest) -> Result<Self, ClusterError> {
        let memory = request.limits.memory_bytes.unwrap_or(Limits::default().memory_bytes);
        Self::new(request.language.as_deref(), request.provider.as_deref(), memory)
    }

    /// The class of these needs.
    pub fn new(language: Option<&str>, provider: Option<&str>, memory: u64) -> Result<Self, ClusterError> {
        let language = match language {
            Some(word) => match Language::from_word(word) {
                Some(known) => known.id(),
                None => word,
            },
            None => ANY,
        };
        let step = MEMORY.iter().find(|(_, most)| memory <= *most).ok_or_else(|| {
            ClusterError::invalid(
                format!("memory of {memory} bytes is more than 1 TiB"),
                "ask for less memory",
            )
        })?;
        Ok(Self {
            language: checked("language", language)?,
            provider: checked("provider", provider.unwrap_or(ANY))?,
            memory: step.0.to_owned(),
        })
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.language, self.provider, self.memory)
    }
}

/// A word that may be part of a subject.
fn checked(what: &str, word: &str) -> Result<String, ClusterError> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '#');
    if word.is_empty() || word.len() > 32 || !word.chars().all(fits) {
        let word: String = word.chars().take(40).collect();
        return Err(ClusterError::invalid(
            format!("unknown {what} {word:?}"),
            "`formicary languages` and `formicary doctor` list what there is",
        ));
    }
    Ok(word.to_ascii_lowercase())
}

/// What a worker can run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// Identifiers of languages whose tools are there.
    pub languages: Vec<String>,
    /// Isolation providers that work there.
    pub providers: Vec<String>,
    /// Bytes of memory that one job may use.
    pub memory: u64,
    /// Whether jobs that do not name their language are taken.
    pub detects: bool,
}

impl Offer {
    /// All classes that it can run.
    pub fn classes(&self) -> Vec<Class> {
        let languages = self.languages.iter().map(String::as_str).chain(self.detects.then_some(ANY));
        let mut classes = Vec::new();
        for language in languages {
            for provider in self.providers.iter().map(String::as_str).chain([ANY]) {
                let steps = MEMORY.iter().filter(|(_, most)| *most <= self.memory);
                classes.extend(steps.map(|(step, _)| Class {
                    language: language.to_owned(),
                    provider: provider.to_owned(),
                    memory: (*step).to_owned(),
                }));
            }
        }
        classes
    }

    /// Whether it can run jobs of this class.
    pub fn runs(&self, class: &Class) -> bool {
        let most = MEMORY.iter().find(|(step, _)| *step == class.memory).map_or(u64::MAX, |(_, most)| *most);
        let language = match class.language.as_str() {
            ANY => self.detects,
            language => self.languages.iter().any(|own| own == language),
        };
        let provider = class.provider == ANY || self.providers.contains(&class.provider);
        language && provider && most <= self.memory
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer() -> Offer {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        Offer {
            languages: words(&["python", "c"]),
            providers: words(&["native"]),
            memory: 3 * GIB,
            detects: true,
        }
    }

    #[test]
    fn classes_and_the_check_agree() {
        let offer = offer();
        let classes = offer.classes();
        assert_eq!(classes.len(), 3 * 2 * 2, "{classes:?}");
        assert!(classes.iter().all(|class| offer.runs(class)));
    }

    #[test]
    fn needs_become_classes() {
        let cases = [
            (None, None, 1, "any.any.m512m", true),
            (Some("py"), None, 512 * MIB, "python.any.m512m", true),
            (Some("python"), Some("native"), 512 * MIB + 1, "python.native.m2g", true),
            (Some("python"), None, 3 * GIB, "python.any.m8g", false),
            (Some("python"), Some("docker"), 1, "python.docker.m512m", false),
            (Some("go"), None, 1, "go.any.m512m", false),
        ];
        for (language, provider, memory, name, runs) in cases {
            let class = Class::new(language, provider, memory).unwrap();
            assert_eq!((class.to_string().as_str(), offer().runs(&class)), (name, runs));
        }
    }

    #[test]
    fn words_that_would_change_a_subject_are_refused() {
        for word in ["", "a.b", "*", ">", "a b", "python\n", "ä"] {
            assert!(Class::new(Some(word), None, 1).is_err(), "{word:?}");
            assert!(Class::new(None, Some(word), 1).is_err(), "{word:?}");
        }
        assert!(Class::new(None, None, u64::MAX).is_err());
    }
}
