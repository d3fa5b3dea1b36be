//! Every module says why it exists.

use super::Findings;
use crate::tree::Tree;

pub(super) fn check(tree: &Tree, findings: &mut Findings) {
    for file in tree.rust() {
        let documented = file
            .text
            .lines()
            .map(str::trim)
            .find(|line| !line.is_empty() && !line.starts_with("#!["))
            .is_some_and(|line| line.starts_with("//! ") && line.len() > "//! ".len());
        if !documented {
            findings.error(&file.path, 1, "begin with a `//!` line that says why this module exists");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::places;

    #[test]
    fn silent_modules_are_found() {
        let found = places(
            "module-docs",
            &[
                ("a.rs", "//! Why.\n"),
                ("b.rs", "#![allow(x)]\n//! Why.\n"),
                ("c.rs", "use d;\n//! Late.\n"),
                ("d.rs", ""),
                ("e.rs", "//!\n"),
                ("fixtures/f.rs", ""),
            ],
        );
        assert_eq!(found, ["c.rs:1", "d.rs:1", "e.rs:1"]);
    }
}
