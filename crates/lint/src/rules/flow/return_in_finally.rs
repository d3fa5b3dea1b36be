//! A return that swallows exceptions.

use super::super::questions::any_statement;
use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::Severity;
use formicary_syntax::StmtKind;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "return-in-finally",
    title: "A return inside of finally",
    why: "It throws away the exception that is on its way, and any value returned before.",
    suggestion: "Return after the `try`.",
    severity: Severity::High,
    cwe: Some(584),
    languages: &[Language::Python, Language::JavaScript, Language::TypeScript, Language::Java],
    examples: &[
        (
            Language::Python,
            "def f():\n    try:\n        g()\n    finally:\n        return 1\n",
            "def f():\n    try:\n        g()\n    finally:\n        h()\n    return 1\n",
        ),
        (
            Language::JavaScript,
            "function f() { try { g() } finally { return 1 } }",
            "function f() { try { g() } finally { h() } return 1 }",
        ),
        (
            Language::Java,
            "class A { int f() { try { g(); } finally { return 1; } } }",
            "class A { int f() { try { g(); } finally { h(); } return 1; } }",
        ),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, stmt) in unit.stmts() {
        let StmtKind::Try { finally, .. } = &stmt.kind else { continue };
        for id in finally {
            if any_statement(unit, &[*id], &|kind| matches!(kind, StmtKind::Return(_))) {
                report.find(unit.stmt(*id).span, "this return swallows exceptions");
            }
        }
    }
}
