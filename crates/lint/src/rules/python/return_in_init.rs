//! A constructor that returns something.

use crate::file::{File, Report};
use crate::rules::{Info, PYTHON, Rule};
use formicary_model::Language;
use formicary_model::review::Severity;
use formicary_syntax::{ExprKind, Literal, Owner, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "return-in-init",
    title: "A constructor that returns a value",
    why: "Making such an object raises a TypeError.",
    suggestion: "Return nothing, or write a class method that makes the object.",
    severity: Severity::High,
    cwe: Some(394),
    languages: PYTHON,
    examples: &[(
        Language::Python,
        "class A:\n    def __init__(self):\n        return 1\n",
        "class A:\n    def __init__(self):\n        return\n",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, stmt) in unit.stmts() {
        let (StmtKind::Return(Some(value)), Some(function)) = (&stmt.kind, stmt.function) else { continue };
        let function = unit.function(function);
        let constructor = function.name == "__init__" && matches!(function.owner, Owner::Class(_));
        // A call may well give None: `return super().__init__()`.
        let certain = matches!(
            unit.kind(*value),
            ExprKind::Literal(
                Literal::Integer(_) | Literal::Text(_) | Literal::Boolean(_) | Literal::Float(_)
            ) | ExprKind::Collection { .. }
                | ExprKind::Name(_)
        );
        if constructor && certain {
            report.find(stmt.span, "a constructor returns a value here");
        }
    }
}
