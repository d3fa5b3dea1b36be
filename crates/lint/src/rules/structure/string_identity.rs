//! Java's text compared by identity.

use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::Severity;
use formicary_syntax::{ExprKind, Literal, Operator};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "string-identity",
    title: "Text compared by identity",
    why: "`==` asks whether both are the same object; equal text from elsewhere is another one.",
    suggestion: "Call `equals`.",
    severity: Severity::High,
    cwe: Some(597),
    languages: &[Language::Java],
    examples: &[(
        Language::Java,
        "class A { boolean f(String a) { return a == \"x\"; } }",
        "class A { boolean f(String a) { return \"x\".equals(a); } }",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, expr) in unit.exprs() {
        let ExprKind::Compare { left, rest } = &expr.kind else { continue };
        let [(Operator::Equal | Operator::NotEqual, right)] = rest.as_slice() else { continue };
        let text = |id| matches!(unit.kind(id), ExprKind::Literal(Literal::Text(_)));
        if text(*left) != text(*right) {
            report.find(expr.span, "text is compared by identity here");
        }
    }
}
