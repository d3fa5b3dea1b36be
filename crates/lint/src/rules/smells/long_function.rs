//! A function that does not fit on a screen.

use crate::file::{File, Report};
use crate::rules::{ALL, Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Category, Severity};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "long-function",
    title: "A function that is too long",
    why: "Nobody keeps that many lines in mind; it does more than one thing.",
    suggestion: "Move its steps into functions that are named for what they do.",
    category: Category::Smell,
    severity: Severity::Low,
    cwe: Some(1080),
    languages: ALL,
    examples: &[(Language::Bash, LONG, "f() {\n  echo a\n}\n")],
    ..Info::LINT
};

/// Eighty-two commands.
const LONG: &str = concat!(
    "f() {\n",
    "echo a\necho a\necho a\necho a\necho a\necho a\necho a\necho a\necho a\necho a\n",
    "echo a\necho a\necho a\necho a\necho a\necho a\necho a\necho a\necho a\necho a\n",
    "echo a\necho a\necho a\necho a\necho a\necho a\necho a\necho a\necho a\necho a\n",
    "echo a\necho a\necho a\necho a\necho a\necho a\necho a\necho a\necho a\necho a\n",
    "echo a\necho a\necho a\necho a\necho a\necho a\necho a\necho a\necho a\necho a\n",
    "echo a\necho a\necho a\necho a\necho a\necho a\necho a\necho a\necho a\necho a\n",
    "echo a\necho a\necho a\necho a\necho a\necho a\necho a\necho a\necho a\necho a\n",
    "echo a\necho a\necho a\necho a\necho a\necho a\necho a\necho a\necho a\necho a\n",
    "}\n"
);

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let limit = file.options.limits.function_lines;
    for (id, metrics) in file.functions {
        if metrics.lines.source > limit {
            let span = file.unit.function(*id).name_span;
            let finding =
                report.find(span, format!("`{}` has {} lines of code", metrics.name, metrics.lines.source));
            if metrics.lines.source > 2 * limit {
                finding.severity = Severity::Medium;
            }
        }
    }
}
