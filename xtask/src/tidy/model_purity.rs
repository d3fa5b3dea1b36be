//! `model` does no IO: it is vocabulary, and every door must be able to link it.

use super::Findings;
use super::source::{Source, has_word};
use crate::tree::Tree;

/// The parts of the standard library that touch the machine, and what would bring an executor along.
const OUTSIDE: [&str; 12] = [
    "std::fs",
    "std::net",
    "std::env",
    "std::process",
    "std::os",
    "std::thread",
    "fs::",
    "env::",
    "io::stdin",
    "io::stdout",
    "tokio",
    "async fn",
];

pub(super) fn check(tree: &Tree, findings: &mut Findings) {
    for file in tree.rust().filter(|file| file.path.starts_with("crates/model/src/")) {
        for (number, line) in Source::parse(&file.text).shipped_lines() {
            if let Some(word) = OUTSIDE.iter().find(|word| has_word(line, word)) {
                findings.error(&file.path, number, format!("`{word}` in model, which does no IO"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::places;

    #[test]
    fn io_in_the_vocabulary_is_found() {
        let text = "//! Names.\nuse std::fs::File;\n// std::env in a comment\nasync fn f() {}\n";
        let found = places("model-purity", &[("crates/model/src/a.rs", text), ("crates/cli/src/a.rs", text)]);
        assert_eq!(found, ["crates/model/src/a.rs:2", "crates/model/src/a.rs:4"]);
    }
}
