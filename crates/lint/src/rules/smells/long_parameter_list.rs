//! A function that takes too much.

use crate::file::{File, Report};
use crate::rules::{Info, NO_SHELL, Rule};
use formicary_model::Language;
use formicary_model::review::{Category, Severity};
use formicary_syntax::ParameterKind;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "long-parameter-list",
    title: "A function with too many parameters",
    why: "Callers mix them up, and what belongs together is passed apart.",
    suggestion: "Put what belongs together into one object.",
    category: Category::Smell,
    severity: Severity::Low,
    cwe: Some(1064),
    languages: NO_SHELL,
    examples: &[
        (
            Language::Python,
            "def f(a, b, c, d, e, g, h, i):\n    return a\n",
            "def f(a, b, *, c=1, d=2, e=3, g=4, h=5, i=6):\n    return a\n",
        ),
        (
            Language::Go,
            "package a\nfunc f(a, b, c, d, e, g, h, i int) int { return a }",
            "package a\nfunc f(a, b int) int { return a }",
        ),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let limit = file.options.limits.parameters as usize;
    for (id, metrics) in file.functions {
        let function = file.unit.function(*id);
        // What must be named, or may be left out, is hard to mix up.
        let counted = function
            .parameters
            .iter()
            .filter(|one| one.kind == ParameterKind::Normal && one.default.is_none())
            .count();
        if counted > limit {
            report.find(function.name_span, format!("`{}` takes {counted} parameters", metrics.name));
        }
    }
}
