//! Control structures inside of control structures.

use crate::file::{File, Report};
use crate::rules::{ALL, Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Category, Severity};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "deep-nesting",
    title: "Control structures nested too deeply",
    why: "To understand the innermost line one must keep every condition around it in mind.",
    suggestion: "Leave early, or move the inner part into a function.",
    category: Category::Smell,
    severity: Severity::Low,
    cwe: Some(1124),
    languages: ALL,
    examples: &[(
        Language::Python,
        "def f(a):\n    if a:\n        for b in a:\n            if b:\n                while b:\n                    if a:\n                        if b:\n                            g()\n",
        "def f(a):\n    if a:\n        for b in a:\n            g(b)\n",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    for (id, metrics) in file.functions {
        if metrics.nesting > file.options.limits.nesting {
            let span = file.unit.function(*id).name_span;
            report.find(span, format!("`{}` nests {} levels deep", metrics.name, metrics.nesting));
        }
    }
}
