//! Identity where equality is meant.

use crate::file::{File, Report};
use crate::rules::{Info, PYTHON, Rule};
use formicary_model::Language;
use formicary_model::review::{FixSafety, Severity};
use formicary_syntax::{CollectionKind, ExprKind, Literal, Operator};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "is-literal",
    title: "`is` with a literal",
    why: "It asks for the same object; whether equal numbers or texts are one object is chance.",
    suggestion: "Write `==`.",
    severity: Severity::High,
    cwe: Some(595),
    languages: PYTHON,
    fix: Some(FixSafety::Safe),
    examples: &[(
        Language::Python,
        "if a is 'x':\n    f()\n",
        "if a == 'x' and b is None and c is not True and d is ():\n    f()\n",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, expr) in unit.exprs() {
        let ExprKind::Compare { left, rest } = &expr.kind else { continue };
        let mut before = *left;
        for (operator, operand) in rest {
            let identity = matches!(operator, Operator::Is | Operator::IsNot);
            let literal = |id| {
                matches!(
                    unit.kind(id),
                    ExprKind::Literal(
                        Literal::Text(_) | Literal::Bytes(_) | Literal::Integer(_) | Literal::Float(_)
                    ) | ExprKind::Collection {
                        kind: CollectionKind::List | CollectionKind::Dict | CollectionKind::Set,
                        ..
                    } | ExprKind::Template(_)
                )
            };
            if identity && (literal(before) || literal(*operand)) {
                let between = formicary_syntax::Span {
                    start: unit.expr(before).span.end,
                    end: unit.expr(*operand).span.start,
                };
                let sign = if *operator == Operator::Is { " == " } else { " != " };
                let plain = matches!(unit.text(between).trim(), "is" | "is not");
                let fix = plain.then(|| report.replace(between, sign, FixSafety::Safe, "compare by value"));
                report.find(expr.span, "`is` asks for the same object, not for the same value").fix = fix;
            }
            before = *operand;
        }
    }
}
