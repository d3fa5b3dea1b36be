//! A language that the user adds by a TOML table, without touching Rust.

use formicary_model::{Failure, FailureKind};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One user-defined language.
///
/// Commands are lists of words. In each word `{file}` stands for the entry file, `{stem}` for its name without
/// the ending, `{out}` for the file that the compile step makes; a word that is exactly `{args}` stands for the
/// request's arguments (where it is absent they are appended to `run`).
///
/// ```toml
/// [languages.perl]
/// extension = "pl"
/// check = ["perl", "-c", "{file}"]
/// run = ["perl", "{file}", "{args}"]
/// version = ["perl", "--version"]
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CustomLanguage {
    /// The identifier: lower-case letters, digits, `_`, `+`, `-`, `#`. Filled from the table's name.
    #[serde(default)]
    pub id: String,
    /// The name as people write it; the identifier where absent.
    #[serde(default)]
    pub name: String,
    /// Other words for it.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// The file ending, without the dot.
    pub extension: String,
    /// Syntax check before anything runs; its failure is a compile error.
    #[serde(default)]
    pub check: Option<Vec<String>>,
    /// Compile step that makes `{out}` or what `artifacts` names.
    #[serde(default)]
    pub compile: Option<Vec<String>>,
    /// How the program runs.
    pub run: Vec<String>,
    /// Prints the tool's version.
    #[serde(default)]
    pub version: Option<Vec<String>>,
    /// Environment of both steps.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Globs of what the compile step makes; `{out}` where absent.
    #[serde(default)]
    pub artifacts: Vec<String>,
}

/// The words that a command may hold in braces.
const PLACEHOLDERS: [&str; 4] = ["file", "stem", "out", "args"];

impl CustomLanguage {
    /// The table with its defaults filled in, or why it is refused.
    pub(crate) fn checked(mut self) -> Result<Self, Failure> {
        let id = self.id.clone();
        let wrong = |why: String, hint: &str| {
            Err(Failure::new(FailureKind::InvalidConfiguration, format!("language table {id:?}: {why}"))
                .hint(hint))
        };
        let plain = |word: &str, extra: &str| {
            !word.is_empty()
                && word.len() <= 32
                && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || extra.contains(c))
        };
        if let Some(word) = self.aliases.iter().chain([&self.id]).find(|word| !plain(word, "_+-#")) {
            return wrong(
                format!("identifier or alias {word:?} is not valid"),
                "use 1 to 32 lower-case letters, digits, _, +, - and #",
            );
        }
        self.extension = self.extension.trim_start_matches('.').to_string();
        if !plain(&self.extension.to_ascii_lowercase(), "_+-") {
            return wrong(format!("extension {:?} is not valid", self.extension), "give it like \"pl\"");
        }
        for (name, command) in [
            ("run", Some(&self.run)),
            ("check", self.check.as_ref()),
            ("compile", self.compile.as_ref()),
            ("version", self.version.as_ref()),
        ] {
            let Some(command) = command else { continue };
            if command.first().is_none_or(|program| program.is_empty()) {
                return wrong(format!("{name} names no program"), "give a list: [\"perl\", \"{file}\"]");
            }
            if let Some(unknown) = command.iter().find_map(|word| unknown_placeholder(word)) {
                return wrong(
                    format!("{name} holds the unknown placeholder {{{unknown}}}"),
                    "known ones are {file}, {stem}, {out} and {args}",
                );
            }
        }
        if self.name.is_empty() {
            self.name = self.id.clone();
        }
        Ok(self)
    }

    /// A command with its placeholders filled in.
    pub(crate) fn fill(command: &[String], entry: &str, out: &str, args: &[String]) -> Vec<String> {
        let base = entry.rsplit('/').next().unwrap_or(entry);
        let stem = base.rsplit_once('.').map_or(base, |(stem, _)| stem);
        let mut words = Vec::new();
        for word in command {
            if word == "{args}" {
                words.extend_from_slice(args);
            } else {
                words.push(word.replace("{file}", entry).replace("{stem}", stem).replace("{out}", out));
            }
        }
        words
    }
}

fn unknown_placeholder(word: &str) -> Option<&str> {
    let mut rest = word;
    while let Some((_, after)) = rest.split_once('{') {
        let (name, tail) = after.split_once('}')?;
        let looks_like_one = !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase());
        if looks_like_one && (!PLACEHOLDERS.contains(&name) || (name == "args" && word != "{args}")) {
            return Some(name);
        }
        rest = tail;
    }
    None
}
