//! `== None`.

use crate::file::{File, Report};
use crate::rules::{Info, PYTHON, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, FixSafety, Severity};
use formicary_syntax::{ExprKind, Literal, Operator};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "none-comparison",
    title: "A comparison with None by equality",
    why: "`==` asks the object, which may answer anything; arrays answer with an array.",
    suggestion: "Write `is None` or `is not None`.",
    severity: Severity::Low,
    confidence: Confidence::Medium,
    languages: PYTHON,
    fix: Some(FixSafety::Unsafe),
    examples: &[(Language::Python, "if a == None:\n    f()\n", "if a is None:\n    f()\n")],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, expr) in unit.exprs() {
        let ExprKind::Compare { left, rest } = &expr.kind else { continue };
        let [(operator @ (Operator::Equal | Operator::NotEqual), right)] = rest.as_slice() else { continue };
        // Query builders overload `==`: their columns are attributes.
        let column = matches!(unit.kind(*left), ExprKind::Attribute { .. } | ExprKind::Subscript { .. });
        if matches!(unit.kind(*right), ExprKind::Literal(Literal::Null)) && !column && !file.is_test() {
            let between = formicary_syntax::Span {
                start: unit.expr(*left).span.end,
                end: unit.expr(*right).span.start,
            };
            let sign = if *operator == Operator::Equal { " is " } else { " is not " };
            let fix = report.replace(between, sign, FixSafety::Unsafe, "compare by identity");
            report.find(expr.span, "None is compared by equality").fix = Some(fix);
        }
    }
}
