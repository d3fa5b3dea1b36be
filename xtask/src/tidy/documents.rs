//! The documents that a newcomer looks for are there, so is every document that another file names, and every page is in the table of
//! contents.

use super::Findings;
use super::source::Source;
use crate::tree::Tree;

const EXPECTED: [&str; 12] = [
    "README.md",
    "ARCHITECTURE.md",
    "SECURITY.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "AGENTS.md",
    CONTENTS,
    "book.toml",
    "LICENSE",
    "deny.toml",
    "test",
    ".ci/run",
];

/// The table of contents of the site that is built from `docs`.
const CONTENTS: &str = "docs/SUMMARY.md";

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
    check_contents(tree, findings);
}

/// A page that is not in the table of contents is not part of the site.
fn check_contents(tree: &Tree, findings: &mut Findings) {
    let Some(contents) = tree.get(CONTENTS) else { return };
    for page in tree.files.iter().filter(|file| file.is_markdown() && file.path != CONTENTS) {
        let Some(path) = page.path.strip_prefix("docs/") else { continue };
        if !contents.text.contains(&format!("]({path})")) {
            findings.error(&page.path, 1, format!("is not in {CONTENTS}"));
        }
    }
}

fn check_line(tree: &Tree, path: &str, number: usize, line: &str, findings: &mut Findings) {
    for named in documents_in(line).filter(|named| !tree.holds(named)) {
        findings.error(path, number, format!("names {named}, which does not exist"));
    }
}

/// Names of documents as people write them: `SECURITY.md`, `docs/start.md`.
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
        files.retain(|(path, _)| *path != super::CONTENTS);
        files.push((super::CONTENTS, "[A](a.md)"));
        assert_eq!(places("documents", &files), ["a.rs:2", "a.rs:2"]);
        files.retain(|(path, _)| *path != "LICENSE");
        assert_eq!(places("documents", &files)[0], "LICENSE:1");
    }

    #[test]
    fn pages_outside_of_the_contents_are_found() {
        let mut files: Vec<(&str, &str)> = super::EXPECTED.iter().map(|path| (*path, "")).collect();
        files.retain(|(path, _)| *path != super::CONTENTS);
        files.extend([
            (super::CONTENTS, "- [A](guides/a.md)\n"),
            ("docs/guides/a.md", ""),
            ("docs/guides/b.md", ""),
        ]);
        assert_eq!(places("documents", &files), ["docs/guides/b.md:1"]);
    }
}
