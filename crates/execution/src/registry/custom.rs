//! A language that the user adds by a TOML table, without touching Rust.

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
