//! realloc into the only pointer.

use super::super::questions::{call, same};
use crate::file::{File, Report};
use crate::rules::{Info, NATIVE, Rule};
use formicary_model::Language;
use formicary_model::review::Severity;
use formicary_syntax::{Declares, StmtKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "realloc-leak",
    title: "realloc into the only pointer to the memory",
    why: "When it fails it returns NULL and keeps the memory: the only pointer to it is gone.",
    suggestion: "Assign to another pointer, check it, then replace the first.",
    severity: Severity::Medium,
    cwe: Some(401),
    languages: NATIVE,
    examples: &[(
        Language::C,
        "void f(char *p, int n) { p = realloc(p, n); g(p); }",
        "void f(char *p, int n) { char *q = realloc(p, n); if (q) p = q; g(p); }",
    )],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, stmt) in unit.stmts() {
        let StmtKind::Assign { targets, value: Some(value), declares: Declares::Nothing, .. } = &stmt.kind
        else {
            continue;
        };
        let mut value = *value;
        while let formicary_syntax::ExprKind::Cast { value: inner, .. } = unit.kind(value) {
            value = *inner;
        }
        let Some((name, arguments)) = call(unit, value) else { continue };
        if let ("realloc" | "std.realloc", Some(first), [target]) =
            (name.as_str(), arguments.first(), targets.as_slice())
            && same(unit, first.value, *target)
        {
            let name = unit.text(unit.expr(*target).span);
            report.find(stmt.span, format!("if this fails, the memory of `{name}` is lost"));
        }
    }
}
