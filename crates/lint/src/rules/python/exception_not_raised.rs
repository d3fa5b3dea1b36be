//! An exception that is made and dropped.

use crate::file::{File, Report};
use crate::rules::{Info, PYTHON, Rule};
use formicary_model::Language;
use formicary_model::review::{FixSafety, Severity};
use formicary_syntax::{ExprKind, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "exception-not-raised",
    title: "An exception is made and not raised",
    why: "The check it belongs to does nothing: `raise` was forgotten.",
    suggestion: "Write `raise` before it.",
    severity: Severity::High,
    cwe: Some(390),
    languages: PYTHON,
    fix: Some(FixSafety::Unsafe),
    examples: &[(
        Language::Python,
        "def f(a):\n    if not a:\n        ValueError('no')\n",
        "def f(a):\n    if not a:\n        raise ValueError('no')\n",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, stmt) in unit.stmts() {
        let StmtKind::Expression(value) = stmt.kind else { continue };
        let ExprKind::Call { callee, .. } = unit.kind(value) else { continue };
        let Some(name) = unit.name_of(*callee) else { continue };
        let exception = name.ends_with("Error") || matches!(name, "Exception" | "StopIteration");
        let built_in = file.scopes.lookup(0, name).is_none();
        if exception && built_in && !file.is_test() {
            let at = formicary_syntax::Span { start: stmt.span.start, end: stmt.span.start };
            let fix = report.replace(at, "raise ", FixSafety::Unsafe, "raise it");
            report.find(stmt.span, format!("`{name}` is made here and not raised")).fix = Some(fix);
        }
    }
}
