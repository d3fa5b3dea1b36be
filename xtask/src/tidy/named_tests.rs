//! A promise names its test, and the test is there.
//!
//! In ARCHITECTURE.md and SECURITY.md, a word in backticks that follows `case:` or `test:` in the same table cell or
//! sentence is the name of a conformance case or of a test function.

use super::Findings;
use super::source::has_word;
use crate::tree::Tree;

const PROMISING: [&str; 2] = ["ARCHITECTURE.md", "SECURITY.md"];

pub(super) fn check(tree: &Tree, findings: &mut Findings) {
    for file in PROMISING.iter().filter_map(|path| tree.get(path)) {
        for (index, line) in file.text.lines().enumerate() {
            for name in names(line) {
                if !exists(tree, name) {
                    findings.error(
                        &file.path,
                        index + 1,
                        format!("names the test {name}, which does not exist"),
                    );
                }
            }
        }
    }
}

/// The names in backticks after `case:` or `test:`, up to the next word that is not one.
fn names(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for marker in ["case: ", "cases: ", "test: ", "tests: "] {
        for (start, _) in line.match_indices(marker) {
            let mut rest = &line[start + marker.len()..];
            while let Some(open) = rest.strip_prefix('`') {
                let Some(end) = open.find('`') else { break };
                found.push(&open[..end]);
                rest = open[end + 1..].trim_start_matches([',', ' ']);
            }
        }
    }
    found
}

/// A test function, a case's name in a string, or a rule of tidy (`tidy unsafe-code`).
fn exists(tree: &Tree, name: &str) -> bool {
    if let Some(rule) = name.strip_prefix("tidy ") {
        return super::RULES.iter().any(|known| known.name == rule);
    }
    let function = format!("fn {name}");
    let quoted = format!("\"{name}\"");
    tree.rust()
        .filter(|file| file.is_test_code() || file.text.contains("#[test]"))
        .any(|file| file.text.contains(&quoted) || file.text.lines().any(|line| has_word(line, &function)))
}

#[cfg(test)]
mod tests {
    use super::super::places;

    #[test]
    fn promises_without_a_test_are_found() {
        let promises = "| no network | case: `network_is_empty`, `none_such` |\n| cellar | test: `tidy unsafe-code` |\n\
                        | named | tests: `it_holds` |\n| words | `not_a_test` |\n";
        let found = places(
            "named-tests",
            &[
                ("SECURITY.md", promises),
                ("tests/conformance/src/a.rs", "case(\"network_is_empty\");"),
                ("crates/a/src/b.rs", "#[test]\nfn it_holds() {}"),
            ],
        );
        assert_eq!(found, ["SECURITY.md:1"]);
    }
}
