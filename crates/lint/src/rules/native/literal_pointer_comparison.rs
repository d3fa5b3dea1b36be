//! Text compared by its address.

use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::{ExprKind, Literal};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "literal-pointer-comparison",
    title: "Text compared by its address",
    why: "`s == \"x\"` compares addresses of `char *`: it hardly ever holds.",
    suggestion: "Call `strcmp`, or compare a `std::string`.",
    severity: Severity::High,
    confidence: Confidence::Medium,
    cwe: Some(597),
    languages: &[Language::C],
    examples: &[(
        Language::C,
        "int f(char *s) { return s == \"x\"; }",
        "int f(char *s) { return strcmp(s, \"x\") == 0; }",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, expr) in unit.exprs() {
        let ExprKind::Compare { left, rest } = &expr.kind else { continue };
        let text = |id| matches!(unit.kind(id), ExprKind::Literal(Literal::Text(_)));
        if text(*left) || rest.iter().any(|(_, operand)| text(*operand)) {
            report.find(expr.span, "this compares addresses, not text");
        }
    }
}
