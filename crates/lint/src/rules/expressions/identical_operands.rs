//! The same on both sides of an operator where that makes no sense.

use super::super::questions::{is_place, is_pure, same};
use crate::file::{File, Report};
use crate::rules::{Info, NO_SHELL, Rule};
use formicary_model::Language;
use formicary_model::review::Severity;
use formicary_syntax::{ExprKind, Operator};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "identical-operands",
    title: "Both sides of an operator are the same",
    why: "`a and a` is `a`, `a - a` is nothing, `a / a` is one: most often one side was meant to be something else.",
    suggestion: "Put in the operand that was meant, or simplify the expression.",
    severity: Severity::High,
    cwe: Some(682),
    languages: NO_SHELL,
    examples: &[
        (Language::Python, "x = a.b and a.b\n", "x = a.b and a.c\n"),
        (Language::JavaScript, "x = a || b || a", "x = a || b || c"),
        (
            Language::Java,
            "class A { int f(int a) { return a - a; } }",
            "class A { int f(int a, int b) { return a - b; } }",
        ),
        (Language::Rust, "fn f(a: bool) -> bool { a && a }", "fn f(a: bool, b: bool) -> bool { a && b }"),
        (Language::Cpp, "int f(int a) { return a ^ a; }", "int f(int a, int b) { return a ^ b; }"),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, expr) in unit.exprs() {
        let (left, right) = match &expr.kind {
            ExprKind::Logical { operator, left, right } if *operator != Operator::Coalesce => {
                let mut at = *left;
                let mut equal = same(unit, at, *right);
                // `a or b or a`
                while let ExprKind::Logical { operator: inner, left, right: middle } = unit.kind(at) {
                    // `a && f(a) && a` gives a when all hold: a habit, not a mistake.
                    if inner != operator || *operator == Operator::And {
                        break;
                    }
                    equal |= same(unit, *middle, *right) || same(unit, *left, *right);
                    at = *left;
                }
                if !equal {
                    continue;
                }
                (*right, *right)
            }
            ExprKind::Binary {
                operator:
                    Operator::Subtract
                    | Operator::Divide
                    | Operator::Modulo
                    | Operator::BitXor
                    | Operator::BitAnd
                    | Operator::BitOr,
                left,
                right,
            } if is_place(unit, *left) => (*left, *right),
            _ => continue,
        };
        if same(unit, left, right) && is_pure(unit, left) && !file.is_test() {
            let name = unit.text(unit.expr(right).span);
            report.find(expr.span, format!("`{name}` stands on both sides"));
        }
    }
}
