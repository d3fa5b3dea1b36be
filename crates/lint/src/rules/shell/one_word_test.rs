//! A test of one word.

use super::{commands, written};
use crate::file::{File, Report};
use crate::rules::{Info, Rule, SHELL};
use formicary_model::Language;
use formicary_model::review::Severity;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "one-word-test",
    title: "A comparison without spaces around its sign",
    why: "`[ $a=b ]` is one word, and a word that is not empty always holds.",
    suggestion: "Put spaces around the sign.",
    severity: Severity::High,
    cwe: Some(571),
    languages: SHELL,
    examples: &[(Language::Bash, "[ \"$a\"=b ] && f\n", "[ \"$a\" = b ] && f\n")],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    for (name, _, id) in commands(file) {
        if !matches!(name, "[" | "[[") {
            continue;
        }
        let text = written(file, id);
        let inside = text.trim_start_matches('[').trim_end_matches(']').trim();
        let one_word = !inside.contains(char::is_whitespace);
        let sign = inside.find('=').is_some_and(|at| at > 0);
        let computed = inside.contains("$(") || inside.contains('`') || inside.contains("${");
        if one_word && sign && !computed && inside.contains('$') {
            report.find(file.unit.expr(id).span, "this is one word, and so always true");
        }
    }
}
