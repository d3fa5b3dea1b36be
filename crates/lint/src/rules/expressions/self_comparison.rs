//! A value compared with itself.

use super::super::questions::{is_pure, same};
use crate::file::{File, Report};
use crate::rules::{Info, NO_SHELL, Rule};
use formicary_model::Language;
use formicary_model::review::Severity;
use formicary_syntax::{ExprKind, Literal, Operator};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "self-comparison",
    title: "A value is compared with itself",
    why: "The answer is always the same: most often one side was meant to be another variable.",
    suggestion: "Compare with the value that was meant, or drop the comparison.",
    severity: Severity::High,
    cwe: Some(697),
    languages: NO_SHELL,
    examples: &[
        (Language::Python, "if a.x == a.x:\n    f()\n", "if a.x == b.x or a != a:\n    f()\n"),
        (Language::JavaScript, "if (a < a || a.b === a.b) f()", "if (a !== a || a === a) f()"),
        (
            Language::Java,
            "class A { boolean f(int a) { return a == a; } }",
            "class A { boolean f(int a, int b) { return a == b; } }",
        ),
        (
            Language::Go,
            "package a\nfunc f(a int) bool { return a == a }",
            "package a\nfunc f(a, b int) bool { return a == b }",
        ),
        (Language::Rust, "fn f(a: u8) -> bool { a == a }", "fn f(a: u8, b: u8) -> bool { a == b }"),
        (Language::C, "int f(int a) { return a == a; }", "int f(int a, int b) { return a == b; }"),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    if file.is_test() {
        return;
    }
    let unit = file.unit;
    for (_, expr) in unit.exprs() {
        let ExprKind::Compare { left, rest } = &expr.kind else { continue };
        let [(operator, right)] = rest.as_slice() else { continue };
        // `x != x` asks for NaN, and so does `x == x` for its absence in languages without a word for it.
        let idiom = *operator == Operator::StrictEqual && matches!(unit.kind(*left), ExprKind::Name(_));
        let asks_for_nan = matches!(operator, Operator::NotEqual | Operator::StrictNotEqual) || idiom;
        let counts = matches!(
            operator,
            Operator::Equal
                | Operator::StrictEqual
                | Operator::Less
                | Operator::LessEqual
                | Operator::Greater
                | Operator::GreaterEqual
                | Operator::Is
        );
        let constant = matches!(unit.kind(*left), ExprKind::Literal(Literal::Integer(_) | Literal::Text(_)));
        if counts && !asks_for_nan && !constant && same(unit, *left, *right) && is_pure(unit, *left) {
            let name = unit.text(unit.expr(*left).span);
            report.find(expr.span, format!("`{name}` is compared with itself"));
        }
    }
}
