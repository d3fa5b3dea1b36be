//! Other people's tools, where they are installed: a small data file each says how to call one and how to read what it
//! says. They run inside the sandbox; what they find is merged with our own findings; one that is missing is a note.
//!
//! | module | what it holds |
//! |---|---|
//! | [`description`] | the form of the data files |
//! | [`lines`] | reading output that has a finding a line |
//! | [`json`] | reading output in JSON |
//! | [`run`] | running the tools that are wanted |
//! | [`sandboxed`] | who runs them: an isolation provider |

pub mod description;
pub mod json;
pub mod lines;
#[cfg(test)]
mod recordings;
pub mod run;
pub mod sandboxed;

pub use description::Description;
pub use run::{ToolOutput, ToolRunner, run_tools};

/// Every tool's data file. A new tool is a new line here.
const DATA: [(&str, &str); 19] = [
    ("bandit", include_str!("data/bandit.toml")),
    ("black", include_str!("data/black.toml")),
    ("clang-tidy", include_str!("data/clang-tidy.toml")),
    ("clippy", include_str!("data/clippy.toml")),
    ("cppcheck", include_str!("data/cppcheck.toml")),
    ("eslint", include_str!("data/eslint.toml")),
    ("flake8", include_str!("data/flake8.toml")),
    ("go-vet", include_str!("data/go-vet.toml")),
    ("gofmt", include_str!("data/gofmt.toml")),
    ("javac", include_str!("data/javac.toml")),
    ("mypy", include_str!("data/mypy.toml")),
    ("prettier", include_str!("data/prettier.toml")),
    ("pylint", include_str!("data/pylint.toml")),
    ("pyscn", include_str!("data/pyscn.toml")),
    ("ruff", include_str!("data/ruff.toml")),
    ("rustfmt", include_str!("data/rustfmt.toml")),
    ("semgrep", include_str!("data/semgrep.toml")),
    ("shellcheck", include_str!("data/shellcheck.toml")),
    ("tsc", include_str!("data/tsc.toml")),
];

/// The names of all tools.
pub fn names() -> Vec<&'static str> {
    DATA.iter().map(|(name, _)| *name).collect()
}

/// Our own rule that finds the same as a tool's rule, named as `tool:rule`.
pub fn same_as(rule: &str) -> Option<String> {
    let (tool, own) = rule.split_once(':')?;
    describe(tool)?.same.get(own).cloned()
}

/// The description of a tool. A data file that cannot be read is a fault of this build; a test reads them all.
pub fn describe(name: &str) -> Option<Description> {
    let (name, text) = DATA.iter().find(|(known, _)| *known == name)?;
    Description::parse(name, text).ok()
}
