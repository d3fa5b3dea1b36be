//! read that eats backslashes.

use super::{commands, written};
use crate::file::{File, Report};
use crate::rules::{Info, Rule, SHELL};
use formicary_model::Language;
use formicary_model::review::Severity;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "read-without-r",
    title: "read without -r",
    why: "It takes backslashes out of what it reads: paths and data come out wrong.",
    suggestion: "Write `read -r`.",
    severity: Severity::Low,
    languages: SHELL,
    examples: &[(
        Language::Bash,
        "while read line; do f \"$line\"; done\n",
        "while read -r line; do f \"$line\"; done\n",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    for (name, arguments, id) in commands(file) {
        let raw = arguments
            .iter()
            .map(|argument| written(file, argument.value))
            .any(|text| text.starts_with('-') && text.contains('r'));
        if name == "read" && !raw {
            report.find(file.unit.expr(id).span, "this takes backslashes out of what it reads");
        }
    }
}
