//! A semicolon that is the whole body.

use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::Severity;
use formicary_syntax::StmtKind;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "empty-if-body",
    title: "A semicolon is the whole body of an if",
    why: "`if (a);` does nothing, and the block after it always runs.",
    suggestion: "Remove the semicolon.",
    severity: Severity::High,
    cwe: Some(670),
    languages: &[Language::JavaScript, Language::TypeScript, Language::Java, Language::C, Language::Cpp],
    examples: &[
        (Language::C, "void f(int a) { if (a); { g(); } }", "void f(int a) { if (a) { g(); } }"),
        (Language::JavaScript, "if (a); { g() }", "if (a) { g() }"),
        (
            Language::Java,
            "class A { void f(boolean a) { if (a); { g(); } } }",
            "class A { void f(boolean a) { if (a) { g(); } } }",
        ),
    ],
    ..Info::LINT
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    for (_, stmt) in unit.stmts() {
        let StmtKind::If { test, then, otherwise, .. } = &stmt.kind else { continue };
        // Java's grammar leaves the lone semicolon out.
        let lone = match then.as_slice() {
            [] => true,
            [only] => matches!(unit.stmt(*only).kind, StmtKind::Pass),
            _ => false,
        };
        let after = unit.source.get(unit.expr(*test).span.end as usize..stmt.span.end as usize).unwrap_or("");
        let semicolon = after.trim_start_matches([')', ' ', '\t']).starts_with(';');
        if lone && semicolon && otherwise.is_empty() {
            report.find(stmt.span, "this `if` ends in a semicolon and does nothing");
        }
    }
}
