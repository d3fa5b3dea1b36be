//! Nothing half-done is committed: no placeholder code, no notes to oneself, no test that is switched off.

use super::Findings;
use super::source::{Source, has_word};
use crate::tree::Tree;

const IN_CODE: [&str; 3] = ["todo!", "unimplemented!", "#[ignore"];

/// Spelt apart so that this file may pass its own rule.
const IN_COMMENTS: [&str; 4] =
    [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X"), concat!("HA", "CK")];

pub(super) fn check(tree: &Tree, findings: &mut Findings) {
    for file in tree.rust() {
        let source = Source::parse(&file.text);
        for (number, line) in source.code_lines() {
            if let Some(word) = IN_CODE.iter().find(|word| has_word(line, word)) {
                findings.error(&file.path, number, format!("`{word}`: finish it or leave it out"));
            }
        }
        for (number, line) in source.comment_lines() {
            note_to_oneself(&file.path, number, line, findings);
        }
    }
    for file in tree.files.iter().filter(|file| file.path.ends_with(".toml") || is_script(&file.path)) {
        for (index, line) in file.text.lines().enumerate() {
            note_to_oneself(&file.path, index + 1, line, findings);
        }
    }
}

fn note_to_oneself(path: &str, number: usize, line: &str, findings: &mut Findings) {
    if let Some(word) = IN_COMMENTS.iter().find(|word| has_word(line, word)) {
        findings.error(path, number, format!("{word}: finish it, or write an issue"));
    }
}

fn is_script(path: &str) -> bool {
    path == "test" || path.starts_with(".ci/") || path.ends_with(".sh")
}

#[cfg(test)]
mod tests {
    use super::super::places;

    #[test]
    fn unfinished_work_is_found() {
        let note = concat!("// TO", "DO later");
        let text =
            format!("//! Doc.\nfn a() {{ todo!() }}\n#[ignore]\nfn b() {{}}\n{note}\nlet c = \"{note}\";\n");
        let found = places("unfinished", &[("a.rs", &text), ("deny.toml", &note.replace("//", "#"))]);
        assert_eq!(found, ["a.rs:2", "a.rs:3", "a.rs:5", "deny.toml:1"]);
    }
}
