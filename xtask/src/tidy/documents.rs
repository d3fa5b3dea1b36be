//! The documents that a newcomer looks for are there, and so is every document that another file names.

use super::Findings;
use super::source::Source;
use crate::tree::Tree;

const EXPECTED: [&str; 9] = [
    "README.md",
    "ARCHITECTURE.md",
    "SECURITY.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "LICENSE",
    "deny.toml",
    "test",
    ".ci/run",
];

pub(super) fn check(tree: &Tree, findings: &mut Findings) {
    for path in EXPECTED.iter().filter(|path| tree.get(path).is_none()) {
        findings.error(path, 1, "is missing");
    }
    for file in tree.rust() {
        // Strings may hold made-up names, above all in tests; comments speak of this tree.
        for (number, line) in Source::parse(&file.text).comment_lines() {
            check_line(tree, &file.path, number, line, findings);
        }
    }
    for file in tree.files.iter().filter(|file| file.is_markdown() && !file.is_fixture()) {
        for (index, line) in file.text.lines().enumerate() {
            check_line(tree, &file.path, index + 1, line, findings);
        }
    }
}

fn check_line(tree: &Tree, path: &str, number: usize, line: &str, findings: &mut Findings) {
    for named in documents_in(line).filter(|named| !tree.holds(named)) {
        findings.error(path, number, format!("names {named}, which does not exist"));
    }
}

/// Names of documents as people write them: `SECURITY.md`, `docs/figures.md`.
fn documents_in(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !(c.is_alphanumeric() || "/._-".contains(c)))
        .map(|word| word.trim_end_matches('.'))
        .filter(|word| word.ends_with(".md"))
        .filter(|word| {
            let stem = word.trim_end_matches(".md");
            word.starts_with("docs/") || (stem.len() > 3 && stem.chars().all(|c| c.is_ascii_uppercase()))
        })
}

#[cfg(test)]
mod tests {
    use super::super::places;

    #[test]
    fn missing_documents_are_found() {
        let mut files: Vec<(&str, &str)> = super::EXPECTED.iter().map(|path| (*path, "")).collect();
        assert!(places("documents", &files).is_empty());
        files.push((
            "a.rs",
            "//! See docs/a.md and SECURITY.md.\n//! See docs/none.md, OTHER.md and notes.md.\n",
        ));
        files.push(("docs/a.md", "x"));
        assert_eq!(places("documents", &files), ["a.rs:2", "a.rs:2"]);
        files.retain(|(path, _)| *path != "LICENSE");
        assert_eq!(places("documents", &files)[0], "LICENSE:1");
    }
}
