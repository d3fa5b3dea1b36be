//! `lib.rs` is the crate's plaque: a map of its modules and few re-exports, no logic.

use super::Findings;
use super::source::{Source, has_word};
use crate::tree::Tree;

const AT_MOST: usize = 120;

pub(super) fn check(tree: &Tree, findings: &mut Findings) {
    for file in tree.rust().filter(|file| file.path.ends_with("src/lib.rs")) {
        let lines = file.text.lines().count();
        if lines > AT_MOST {
            findings.error(&file.path, lines, format!("{lines} lines; a plaque has at most {AT_MOST}"));
        }
        let source = Source::parse(&file.text);
        if let Some((number, _)) = source.shipped_lines().find(|(_, line)| has_word(line, "impl")) {
            findings.error(&file.path, number, "`impl` on the plaque; give it a module");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::places;

    #[test]
    fn logic_on_the_plaque_is_found() {
        let found = places(
            "plaques",
            &[
                ("crates/a/src/lib.rs", "//! A.\npub mod b;\nimpl B {}\n"),
                ("crates/b/src/lib.rs", &"\n".repeat(121)),
                ("crates/c/src/lib.rs", "//! C.\npub mod d;\npub use d::D;\n"),
            ],
        );
        assert_eq!(found, ["crates/a/src/lib.rs:3", "crates/b/src/lib.rs:121"]);
    }
}
