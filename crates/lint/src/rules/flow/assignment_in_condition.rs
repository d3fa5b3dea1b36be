//! `=` where `==` was meant.

use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};
use formicary_syntax::{ExprKind, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "assignment-in-condition",
    title: "An assignment as a condition",
    why: "`if (a = b)` assigns, and asks whether b is something: `==` was meant.",
    suggestion: "Write `==`, or a second pair of parentheses to say that the assignment is meant.",
    severity: Severity::High,
    confidence: Confidence::Medium,
    cwe: Some(481),
    languages: &[Language::JavaScript, Language::TypeScript, Language::C, Language::Cpp],
    examples: &[
        (
            Language::C,
            "int f(int a) { if (a = 1) return 2; return 3; }",
            "int f(int a) { if ((a = g())) return 2; return a == 1; }",
        ),
        (Language::JavaScript, "if (a = 1) f()", "if (a === 1) f(); while ((a = next())) g(a)"),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, stmt) in unit.stmts() {
        let StmtKind::If { test, .. } = &stmt.kind else { continue };
        let ExprKind::Assign { operator: None, value, .. } = unit.kind(*test) else { continue };
        let span = unit.expr(*test).span;
        let before = unit.source.get(..span.start as usize).unwrap_or("").trim_end();
        let meant = before.ends_with("((")
            || before.strip_suffix('(').is_some_and(|rest| rest.trim_end().ends_with('('));
        let constant = matches!(unit.kind(*value), ExprKind::Literal(_) | ExprKind::Name(_));
        if !meant && constant {
            report.find(span, "this assigns; a comparison was meant");
        }
    }
}
