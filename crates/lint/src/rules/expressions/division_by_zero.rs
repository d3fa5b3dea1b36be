//! A division by the constant zero.

use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::Severity;
use formicary_syntax::{ExprKind, Literal, Operator};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "division-by-zero",
    title: "A division by zero",
    why: "It raises an exception or is undefined, every time.",
    suggestion: "Divide by the value that was meant.",
    severity: Severity::High,
    cwe: Some(369),
    languages: &[Language::Python, Language::Java, Language::C, Language::Cpp, Language::Go],
    examples: &[
        (Language::Python, "def f(a):\n    return a % 0\n", "def f(a):\n    return a % 10\n"),
        (
            Language::Java,
            "class A { int f(int a) { return a / 0; } }",
            "class A { double f(double a) { return a / 0.0; } }",
        ),
        (Language::C, "int f(int a) { return a / 0; }", "int f(int a) { return a / 2; }"),
        (
            Language::Go,
            "package a\nfunc f(a int) int { return a / 0 }",
            "package a\nfunc f(a int) int { return a / 2 }",
        ),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, expr) in unit.exprs() {
        let ExprKind::Binary { operator, left, right } = &expr.kind else { continue };
        let divides = matches!(operator, Operator::Divide | Operator::FloorDivide | Operator::Modulo);
        let zero = matches!(unit.kind(*right), ExprKind::Literal(Literal::Integer(Some(0))));
        // `1 / 0` of constants is written to raise; text is formatted by `%` in Python.
        let constant = matches!(unit.kind(*left), ExprKind::Literal(_) | ExprKind::Template(_));
        if divides && zero && !constant && !file.is_test() {
            report.find(expr.span, "this divides by zero");
        }
    }
}
