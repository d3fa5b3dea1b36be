//! Room on the stack whose size comes from a value.

use super::SECURITY;
use super::calls::{calls, shape};
use crate::file::{File, Report};
use crate::rules::{Info, NATIVE, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::{ExprKind, Operator};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "unbounded-alloca",
    title: "Room on the stack whose size comes from a value",
    why: "A large value moves the stack into other memory; there is no error that could be caught.",
    suggestion: "Use `malloc`, or check the size against a small limit first.",
    severity: Severity::Medium,
    confidence: Confidence::Medium,
    cwe: Some(770),
    languages: NATIVE,
    examples: &[(
        Language::C,
        "void f(int n) { char *p = alloca(n); }",
        "void f(void) { char *p = alloca(64); char *q = alloca(sizeof(int)); }",
    )],
    ..SECURITY
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    for call in calls(file, &["alloca", "__builtin_alloca", "_alloca"]) {
        let Some(size) = call.first() else { continue };
        let sized = matches!(file.unit.kind(size), ExprKind::Unary { operator: Operator::SizeOf, .. })
            || file.unit.text(file.unit.expr(size).span).starts_with("sizeof");
        if !sized && shape(file, size).open {
            report.find(call.span, "the size is not known here");
        }
    }
}
