//! What a request looks for: a pattern, or rules by their names, kinds and files.

use crate::{PatternError, PatternMatcher, Rule, RuleError, read_rules, shipped};
use formicary_files::{FileError, Place, Root};
use formicary_model::{Failure, FailureKind, Language, suggest};
use std::path::{Path, PathBuf};

/// A file of rules larger than this is none.
const MOST_RULE_BYTES: u64 = 4 << 20;

/// What is looked for.
#[derive(Debug, Clone)]
pub enum Sought {
    /// One pattern.
    Pattern(String),
    /// Rules: files and directories of YAML, names and kinds of shipped rules, or `all` of them.
    Rules(Vec<String>),
}

impl Sought {
    /// What a request names: a pattern or rules, and not both.
    pub fn of(pattern: Option<&str>, rules: &[String]) -> Result<Self, Failure> {
        match (pattern, rules.is_empty()) {
            (Some(pattern), true) => Ok(Self::Pattern(pattern.to_owned())),
            (None, false) => Ok(Self::Rules(rules.to_vec())),
            (Some(_), false) => Err(invalid("pattern and rules are given together", "give one of them")),
            (None, true) => {
                Err(invalid("what to look for is not given", "give a pattern, as in 'print($X)', or rules"))
            }
        }
    }

    /// The rules that are meant, for this language alone if one is named. Files are looked up below the directory.
    pub fn rules(&self, directory: &Path, language: Option<&str>) -> Result<Vec<Rule>, Failure> {
        let language = language.map(known_language).transpose()?;
        let mut rules = match self {
            Self::Pattern(text) => PatternMatcher::of_pattern(text, language)?.into_rules(),
            Self::Rules(names) => {
                let mut rules = Vec::new();
                for name in names {
                    rules.extend(named(directory, name)?);
                }
                rules
            }
        };
        rules.retain(|rule| language.is_none_or(|language| rule.dialect.language() == language));
        Ok(rules)
    }
}

impl From<PatternError> for Failure {
    fn from(error: PatternError) -> Self {
        let hint = match error {
            PatternError::Empty => "write code with metavariables, as in 'print($X)'",
            PatternError::Everything => "say what stands around `$$$`, as in 'print($$$)'",
            PatternError::Unreadable { .. } => {
                "write a whole expression or statement of the language; -l names another language"
            }
            PatternError::TooLarge => "shorten it",
        };
        invalid(error.to_string(), hint)
    }
}

impl From<RuleError> for Failure {
    fn from(error: RuleError) -> Self {
        invalid(error.to_string(), "docs/reference/patterns.md tells how rules are written")
    }
}

fn known_language(word: &str) -> Result<Language, Failure> {
    Language::from_word(word).ok_or_else(|| {
        let known = Language::ALL.map(Language::id);
        let hint = suggest::hint(word, known, || format!("known: {}", known.join(", ")));
        invalid(format!("unknown language {word}"), hint)
    })
}

pub(crate) fn invalid(message: impl Into<String>, hint: impl Into<String>) -> Failure {
    Failure::new(FailureKind::InvalidInput, message).hint(hint)
}

fn named(directory: &Path, name: &str) -> Result<Vec<Rule>, Failure> {
    if directory.join(name).exists() {
        return from_files(directory, Path::new(name));
    }
    let all = shipped::rules()?;
    let names = all.iter().flat_map(|rule| [Some(rule.id.as_str()), rule.kind.as_deref()]).flatten();
    let hint = suggest::hint(
        name,
        names,
        || "name a YAML file, a directory of them, a shipped rule, anti-pattern, design-pattern or all",
    );
    let wanted = |rule: &Rule| name == "all" || rule.id == name || rule.kind.as_deref() == Some(name);
    let chosen: Vec<Rule> = all.into_iter().filter(wanted).collect();
    match chosen.is_empty() {
        true => Err(invalid(format!("no rule and no file is called {name}"), hint)),
        false => Ok(chosen),
    }
}

/// The rules of a file, or of a directory's YAML files. A project's author may have put links or pipes there.
fn from_files(directory: &Path, named: &Path) -> Result<Vec<Rule>, Failure> {
    let failed = |file: &Path, error: &FileError| {
        invalid(format!("{}: {}", file.display(), error.reason), "name files of rules that you may read")
    };
    let (root, files) = if directory.join(named).is_dir() {
        let root = Root::open(&directory.join(named)).map_err(|error| failed(named, &error))?;
        let entries = root.entries(Path::new("")).map_err(|error| failed(named, &error))?;
        let is_yaml = |path: &PathBuf| path.extension().is_some_and(|end| end == "yml" || end == "yaml");
        (root, entries.into_iter().map(|entry| PathBuf::from(entry.name)).filter(is_yaml).collect())
    } else {
        let place = Place::of(directory, named).map_err(|error| failed(named, &error))?;
        (place.root, vec![place.path])
    };
    let mut rules = Vec::new();
    for file in files {
        let shown = root.path().join(&file);
        let text = root.read_to_string(&file, MOST_RULE_BYTES).map_err(|error| failed(&shown, &error))?;
        rules.extend(read_rules(&shown.display().to_string(), &text)?);
    }
    Ok(rules)
}
