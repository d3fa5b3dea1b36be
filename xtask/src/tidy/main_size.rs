//! `main.rs` only starts what stands elsewhere: what is in it, no test can call.

use super::Findings;
use crate::tree::Tree;

const FEWER_THAN: usize = 20;

pub(super) fn check(tree: &Tree, findings: &mut Findings) {
    for file in tree.rust().filter(|file| file.name() == "main.rs") {
        let lines = file.text.lines().count();
        if lines >= FEWER_THAN {
            let message =
                format!("{lines} lines in main.rs; keep it under {FEWER_THAN} and move the rest out");
            findings.error(&file.path, lines, message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::places;

    #[test]
    fn a_long_main_is_found() {
        let long = "\n".repeat(20);
        let found = places(
            "main-size",
            &[("a/main.rs", &long), ("b/main.rs", "fn main() {}\n"), ("a/lib.rs", &long)],
        );
        assert_eq!(found, ["a/main.rs:20"]);
    }
}
