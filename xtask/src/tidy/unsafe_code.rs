//! `unsafe` lives in three cellars and nowhere else, tests included.

use super::Findings;
use super::source::{Source, has_word};
use crate::tree::Tree;

const CELLARS: [&str; 3] = ["crates/jail/src/sys/", "crates/sandbox/src/sys/", "crates/guest/src/sys/"];

pub(super) fn check(tree: &Tree, findings: &mut Findings) {
    for file in tree.rust().filter(|file| !CELLARS.iter().any(|cellar| file.path.starts_with(cellar))) {
        for (number, line) in Source::parse(&file.text).code_lines() {
            if has_word(line, "unsafe") {
                findings.error(&file.path, number, format!("`unsafe` outside {}", CELLARS.join(" and ")));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::places;

    #[test]
    fn unsafe_outside_the_cellars_is_found() {
        let text =
            "//! unsafe in words\nfn a() { unsafe { b() } }\n#[cfg(test)]\nmod tests { unsafe fn c() {} }\n";
        let found = places(
            "unsafe-code",
            &[
                ("crates/sandbox/src/a.rs", text),
                ("crates/sandbox/src/sys/a.rs", text),
                ("crates/jail/src/sys/a.rs", text),
                ("crates/guest/src/sys/a.rs", text),
            ],
        );
        assert_eq!(found, ["crates/sandbox/src/a.rs:2", "crates/sandbox/src/a.rs:4"]);
    }
}
