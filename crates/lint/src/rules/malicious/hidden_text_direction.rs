//! Characters that make source look different from what it is.

use super::MALICIOUS;
use crate::file::{File, Report};
use crate::rules::{ALL, Info, Rule};
use formicary_model::Language;
use formicary_syntax::Span;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "hidden-text-direction",
    title: "Characters that turn the direction of text",
    why: "What a reader sees is not what runs: a comment can swallow code, and code can look like a comment.",
    suggestion: "Write the character as an escape (`\\u202e`), or remove it.",
    cwe: Some(1007),
    languages: ALL,
    examples: &[
        (
            Language::Python,
            "a = 'user\u{202e} \u{2066}# check\u{2069} \u{2066}'\n",
            "a = 'user'  # \u{5d0}\u{5d1}\n",
        ),
        (Language::C, "/*\u{202e} } \u{2066}if (admin)\u{2069} */ int a;", "/* \\u202e */ int a;"),
    ],
    ..MALICIOUS
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let source = file.unit.source;
    let mut last_line = None;
    // All of them begin with the byte 0xe2: files without it are left at once.
    if !source.as_bytes().contains(&0xe2) {
        return;
    }
    for (at, c) in source.char_indices() {
        if !matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') {
            continue;
        }
        let line = source[..at].rfind('\n');
        if last_line == Some(line) {
            continue;
        }
        last_line = Some(line);
        let (Ok(start), Ok(end)) = (u32::try_from(at), u32::try_from(at + c.len_utf8())) else { return };
        report
            .find(Span { start, end }, format!("U+{:04X} turns the direction of what follows", u32::from(c)));
    }
}
