//! A copy that is made to be thrown away.

use super::super::questions::call;
use crate::file::{File, Report};
use crate::rules::{Info, PYTHON, Rule};
use formicary_model::Language;
use formicary_model::review::{Category, Severity};
use formicary_syntax::{CollectionKind, ExprKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "needless-copy",
    title: "A list that is made to be thrown away",
    why: "The whole list is built in memory; `any` and `all` then cannot stop early, and `sorted(list(x))` copies twice.",
    suggestion: "Remove the brackets or the inner call.",
    category: Category::Performance,
    severity: Severity::Info,
    cwe: Some(1176),
    languages: PYTHON,
    examples: &[
        (
            Language::Python,
            "x = any([f(a) for a in b])\n",
            "x = any(f(a) for a in b)\ny = sorted([a for a in b])\n",
        ),
        (Language::Python, "x = sorted(list(a))\n", "x = sorted(a)\ny = list(a)\n"),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (id, expr) in unit.exprs() {
        let Some((name, [only])) = call(unit, id) else { continue };
        let eager =
            matches!(unit.kind(only.value), ExprKind::Comprehension { kind: CollectionKind::List, .. });
        let inner = call(unit, only.value).map(|(name, _)| name);
        let twice =
            matches!(name.as_str(), "sorted" | "set" | "sum" | "tuple" | "max" | "min" | "any" | "all")
                && matches!(inner.as_deref(), Some("list" | "tuple"));
        if eager && matches!(name.as_str(), "any" | "all") || twice {
            report.find(expr.span, format!("`{name}` needs no list here"));
        }
    }
}
