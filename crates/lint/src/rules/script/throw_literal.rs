//! Something thrown that is no error.

use crate::file::{File, Report};
use crate::rules::{Info, Rule, SCRIPT};
use formicary_model::Language;
use formicary_model::review::Severity;
use formicary_syntax::{ExprKind, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "throw-literal",
    title: "A plain value is thrown",
    why: "It has no stack and no message: whoever catches it learns nothing, and `e.message` is undefined.",
    suggestion: "Throw `new Error(…)`.",
    severity: Severity::Medium,
    cwe: Some(397),
    languages: SCRIPT,
    examples: &[(Language::JavaScript, "throw 'no ' + a", "throw new Error('no ' + a)")],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, stmt) in unit.stmts() {
        let StmtKind::Raise(values) = &stmt.kind else { continue };
        let plain = values.first().is_some_and(|value| {
            matches!(
                unit.kind(*value),
                ExprKind::Literal(_) | ExprKind::Template(_) | ExprKind::Binary { .. }
            )
        });
        if plain {
            report.find(stmt.span, "this throws a plain value instead of an error");
        }
    }
}
