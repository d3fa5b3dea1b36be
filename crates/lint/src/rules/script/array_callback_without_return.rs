//! A callback whose value is used and that gives none.

use super::super::questions::any_statement;
use crate::file::{File, Report};
use crate::rules::{Info, Rule, SCRIPT};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::{ExprKind, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "array-callback-without-return",
    title: "A callback of map, filter and their kin that returns nothing",
    why: "Every element becomes `undefined`, or is dropped.",
    suggestion: "Return the value, or call `forEach`.",
    severity: Severity::High,
    confidence: Confidence::Medium,
    cwe: Some(394),
    languages: SCRIPT,
    examples: &[(
        Language::JavaScript,
        "x = a.map(v => { f(v) })",
        "x = a.map(v => { return f(v) }); y = a.map(v => f(v)); a.filter(v => { throw v })",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, expr) in unit.exprs() {
        let ExprKind::Call { callee, arguments, .. } = &expr.kind else { continue };
        let ExprKind::Attribute { base, name, .. } = unit.kind(*callee) else { continue };
        if !matches!(*name, "map" | "filter" | "reduce" | "some" | "every" | "find" | "findIndex" | "flatMap")
        {
            continue;
        }
        let Some(ExprKind::Lambda(function)) = arguments.first().map(|argument| unit.kind(argument.value))
        else {
            continue;
        };
        let function = unit.function(*function);
        let braces = unit.text(function.body_span).starts_with('{');
        let gives = any_statement(unit, &function.body, &|kind| {
            matches!(kind, StmtKind::Return(Some(_)) | StmtKind::Raise(_))
        });
        // React's `Children.map` and streams' `map` have callbacks of other kinds.
        let other = matches!(unit.last_name(*base), Some("Children" | "$" | "jQuery"));
        if braces
            && !gives
            && !function.generator
            && !function.modifiers.is_async
            && !other
            && !function.body.is_empty()
        {
            report.find(function.span, format!("this callback of `{name}` returns nothing"));
        }
    }
}
