//! All languages on one page: the built-in ones and those that the user added.

mod custom;

pub use custom::CustomLanguage;

use crate::recipes::{self, Recipe};
use formicary_model::{Failure, FailureKind, Language};

/// The built-in recipes. A new built-in language is one file in `recipes/` and one line here.
const BUILT_IN: [&Recipe; Language::ALL.len()] = [
    &recipes::python::RECIPE,
    &recipes::javascript::RECIPE,
    &recipes::typescript::RECIPE,
    &recipes::java::RECIPE,
    &recipes::c::RECIPE,
    &recipes::cpp::RECIPE,
    &recipes::go::RECIPE,
    &recipes::rust::RECIPE,
    &recipes::bash::RECIPE,
];

/// Where a language's plan comes from.
#[derive(Clone)]
pub enum Entry {
    /// One of Formicary's own.
    Builtin(&'static Recipe),
    /// The user's table.
    Custom(Box<CustomLanguage>),
}

impl Entry {
    /// The identifier.
    pub fn id(&self) -> &str {
        match self {
            Self::Builtin(recipe) => recipe.language.id(),
            Self::Custom(custom) => &custom.id,
        }
    }

    /// The name as people write it.
    pub fn name(&self) -> &str {
        match self {
            Self::Builtin(recipe) => recipe.language.name(),
            Self::Custom(custom) => &custom.name,
        }
    }

    /// Other words for it.
    pub fn aliases(&self) -> Vec<&str> {
        match self {
            Self::Builtin(recipe) => recipe.language.aliases().to_vec(),
            Self::Custom(custom) => custom.aliases.iter().map(String::as_str).collect(),
        }
    }

    /// File endings; the first is the one that Formicary writes.
    pub fn extensions(&self) -> Vec<&str> {
        match self {
            Self::Builtin(recipe) => recipe.language.extensions().to_vec(),
            Self::Custom(custom) => vec![&custom.extension],
        }
    }

    /// Whether a file of this path is source text of the language.
    pub fn owns(&self, path: &str) -> bool {
        let extension = path.rsplit('/').next().and_then(|base| base.rsplit_once('.')).map(|(_, end)| end);
        extension.is_some_and(|end| self.extensions().iter().any(|own| own.eq_ignore_ascii_case(end)))
    }
}

/// Every language that can be asked for.
pub struct Registry {
    entries: Vec<Entry>,
}

impl Registry {
    /// The built-in languages and the user's own. Fails where a table of the user's is wrong.
    pub fn new(custom: &[CustomLanguage]) -> Result<Self, Failure> {
        let mut registry = Self { entries: BUILT_IN.iter().map(|recipe| Entry::Builtin(recipe)).collect() };
        for language in custom {
            let language = language.clone().checked()?;
            registry.refuse_clash(&language)?;
            registry.entries.push(Entry::Custom(Box::new(language)));
        }
        Ok(registry)
    }

    /// All entries, built-in ones first.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The language of this identifier or alias, in any case.
    pub fn find(&self, word: &str) -> Option<&Entry> {
        let word = word.to_lowercase();
        self.entries.iter().find(|entry| entry.id() == word || entry.aliases().contains(&word.as_str()))
    }

    /// The language whose files end in `extension` (no dot). The user's own come first: he said so.
    pub fn by_extension(&self, extension: &str) -> Option<&Entry> {
        let fits = |entry: &&Entry| entry.extensions().iter().any(|own| own.eq_ignore_ascii_case(extension));
        self.entries.iter().rev().find(fits)
    }

    /// All identifiers.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(Entry::id)
    }

    /// All identifiers and aliases.
    pub fn words(&self) -> Vec<&str> {
        self.entries.iter().flat_map(|entry| entry.aliases().into_iter().chain([entry.id()])).collect()
    }

    fn refuse_clash(&self, language: &CustomLanguage) -> Result<(), Failure> {
        for word in language.aliases.iter().chain([&language.id]) {
            if let Some(other) = self.find(word) {
                return Err(Failure::new(
                    FailureKind::InvalidConfiguration,
                    format!("language table {:?}: {word:?} already names {}", language.id, other.name()),
                )
                .hint("choose another name or alias"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Result<Registry, Failure> {
        Registry::new(&[toml::from_str(text).unwrap()])
    }

    #[test]
    fn built_in_recipes_stand_in_the_languages_order() {
        let ids: Vec<&str> = BUILT_IN.iter().map(|recipe| recipe.language.id()).collect();
        assert_eq!(ids, Language::ALL.map(Language::id));
    }

    #[test]
    fn a_table_adds_a_language() {
        let registry =
            table("id = 'perl'\naliases = ['pl']\nextension = 'pl'\nrun = ['perl', '{file}']").unwrap();
        assert_eq!(registry.find("PL").map(Entry::id), Some("perl"));
        assert_eq!(registry.by_extension("pl").map(Entry::id), Some("perl"));
    }

    #[test]
    fn wrong_tables_are_refused_with_the_reason() {
        for (text, reason) in [
            ("id = 'python'\nextension = 'x'\nrun = ['x']", "already names Python"),
            ("id = 'x'\naliases = ['js']\nextension = 'x'\nrun = ['x']", "already names JavaScript"),
            ("id = ''\nextension = 'x'\nrun = ['x']", "identifier"),
            ("id = 'A b'\nextension = 'x'\nrun = ['x']", "identifier"),
            ("id = 'x'\nextension = '../x'\nrun = ['x']", "extension"),
            ("id = 'x'\nextension = 'x'\nrun = []", "run"),
            ("id = 'x'\nextension = 'x'\nrun = ['x', '{fiel}']", "{fiel}"),
            ("id = 'x'\nextension = 'x'\ncompile = ['']\nrun = ['x']", "compile"),
        ] {
            let failure = table(text).err().unwrap_or_else(|| panic!("accepted: {text}"));
            assert!(failure.message.contains(reason), "{} lacks {reason}", failure.message);
        }
        assert!(toml::from_str::<CustomLanguage>("extension = 'x'\nrun = ['x']\nrnu = 1").is_err());
    }
}
