//! No dumping grounds: a file's name says what is in it.

use super::Findings;
use crate::tree::Tree;

const DUMPING_GROUNDS: [&str; 7] = ["utils", "util", "helpers", "common", "misc", "manager", "managers"];

pub(super) fn check(tree: &Tree, findings: &mut Findings) {
    for file in tree.files.iter().filter(|file| !file.is_fixture()) {
        let parts: Vec<&str> = file.path.split('/').collect();
        for part in parts {
            let stem = part.split('.').next().unwrap_or(part);
            if DUMPING_GROUNDS.contains(&stem) {
                findings.error(
                    &file.path,
                    1,
                    format!("the name {stem} says nothing; name it by what it holds"),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::places;

    #[test]
    fn dumping_grounds_are_found() {
        let found = places(
            "file-names",
            &[
                ("crates/a/src/utils.rs", ""),
                ("crates/a/src/common/b.rs", ""),
                ("crates/a/src/commons.rs", ""),
            ],
        );
        assert_eq!(found, ["crates/a/src/common/b.rs:1", "crates/a/src/utils.rs:1"]);
    }
}
