//! Something raised that cannot be.

use crate::file::{File, Report};
use crate::rules::{Info, PYTHON, Rule};
use formicary_model::Language;
use formicary_model::review::Severity;
use formicary_syntax::{ExprKind, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "raise-not-exception",
    title: "Something is raised that is no exception",
    why: "Python raises a TypeError instead, and the message is lost.",
    suggestion: "Raise an exception; `NotImplementedError` where `NotImplemented` is written.",
    severity: Severity::High,
    cwe: Some(703),
    languages: PYTHON,
    examples: &[(
        Language::Python,
        "def f():\n    raise NotImplemented\n",
        "def f():\n    raise NotImplementedError\n",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, stmt) in unit.stmts() {
        let StmtKind::Raise(values) = &stmt.kind else { continue };
        let Some(value) = values.first() else { continue };
        let wrong = match unit.kind(*value) {
            ExprKind::Literal(_) | ExprKind::Template(_) | ExprKind::Collection { .. } => true,
            ExprKind::Name(name) => *name == "NotImplemented",
            ExprKind::Call { callee, .. } => unit.name_of(*callee) == Some("NotImplemented"),
            _ => false,
        };
        if wrong && !file.is_test() {
            report.find(stmt.span, "this is no exception");
        }
    }
}
